/* SPDX-License-Identifier: MIT */
#include "support/svg.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/draft.h"

/* Colours are classes, so that a picture follows its reader's page, light or dark. c0 to c7: a
 * colour-blind safe palette (Okabe and Ito), darkest contrast first; r0, r1: levels to compare
 * with. */
static const char style_sheet[] =
    "text{font-family:system-ui,'DejaVu Sans',Helvetica,Arial,sans-serif;fill:#222}"
    ".tick{font-size:14px}.name{font-size:15px}.title{font-size:19px;font-weight:600}"
    ".sub{font-size:14px;fill:#555}.grid{stroke:#e3e3e3}.axis{stroke:#444}.ground{fill:#fff}"
    ".edge{stroke:#fff}.panel{fill:#fafafa;stroke:#ccc}\n"
    ".c0{color:#0072b2}.c1{color:#d55e00}.c2{color:#009e73}.c3{color:#cc79a7}.c4{color:#e69f00}"
    ".c5{color:#56b4e9}.c6{color:#7a5195}.c7{color:#8c6d31}.r0{color:#444}.r1{color:#999}\n"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.sub{fill:#a8b3bf}.grid{stroke:#2b323b}"
    ".axis{stroke:#a8b3bf}.ground{fill:#0d1117}.edge{stroke:#0d1117}"
    ".panel{fill:#161b22;stroke:#3d444d}.c0{color:#4f9dff}.c1{color:#ff8b3d}.c2{color:#2fc49a}"
    ".c3{color:#e6a3c9}.c4{color:#f0b429}.c5{color:#8fd0f5}.c6{color:#b18cd9}.c7{color:#c9a06a}"
    ".r0{color:#c9d1d9}.r1{color:#8b949e}}";
enum { PALETTE = 8, WIDTH = 760, LEFT = 68, TOP = 74, MAX_TICKS = 32 };

typedef struct frame {
  FILE *file;
  const svg_chart *chart;
  double x_low, x_high, y_low, y_high, y_step; /* x ends are logarithms on a log axis */
  double right, bottom, tall;                  /* pixels */
} frame;

static void put_text(FILE *f, const char *text) {
  for (; *text != '\0'; text++) {
    if (*text == '&')
      (void)fputs("&amp;", f);
    else if (*text == '<')
      (void)fputs("&lt;", f);
    else if (*text == '>')
      (void)fputs("&gt;", f);
    else
      (void)fputc(*text, f);
  }
}

static void words(FILE *f, double x, double y, const char *attributes, const char *text) {
  (void)fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
  put_text(f, text);
  (void)fputs("</text>\n", f);
}

static double axis(const svg_chart *c, double x) { return c->log_x ? log10(x) : x; }

static double to_x(const frame *f, double x) {
  return LEFT + 14 +
         (axis(f->chart, x) - f->x_low) / (f->x_high - f->x_low) * (f->right - LEFT - 28);
}

static double to_y(const frame *f, double y) {
  return f->bottom - (y - f->y_low) / (f->y_high - f->y_low) * f->tall;
}

/* The ends of both axes; y ends on multiples of a step of 1, 2 or 5. */
static void frame_fit(frame *f) {
  size_t s, k;
  double magnitude, rough;
  f->x_low = f->y_low = HUGE_VAL;
  f->x_high = f->y_high = -HUGE_VAL;
  for (s = 0; s < f->chart->count; s++)
    for (k = 0; k < f->chart->series[s].n; k++) {
      const svg_series *q = &f->chart->series[s];
      double e = q->error != NULL ? q->error[k] : 0, x = axis(f->chart, q->x[k]);
      f->x_low = fmin(f->x_low, x);
      f->x_high = fmax(f->x_high, x);
      f->y_low = fmin(f->y_low, q->y[k] - e);
      f->y_high = fmax(f->y_high, q->y[k] + e);
    }
  if (!(f->x_high > f->x_low)) {
    f->x_low -= 0.5;
    f->x_high += 0.5;
  }
  if (!(f->y_high - f->y_low > 1e-9)) {
    f->y_low -= 0.05;
    f->y_high += 0.05;
  }
  rough = (f->y_high - f->y_low) / 6;
  magnitude = pow(10.0, floor(log10(rough)));
  rough /= magnitude;
  f->y_step = magnitude * (rough <= 1 ? 1 : rough <= 2 ? 2 : rough <= 5 ? 5 : 10);
  f->y_low = floor(f->y_low / f->y_step) * f->y_step;
  f->y_high = ceil(f->y_high / f->y_step) * f->y_step;
}

static void draw_tick(const frame *f, double x) {
  char text[32];
  (void)fprintf(f->file, "<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                to_x(f, x), f->bottom, to_x(f, x), f->bottom + 6);
  (void)snprintf(text, sizeof text, "%g", x);
  words(f->file, to_x(f, x), f->bottom + 22, "class=\"tick\" text-anchor=\"middle\"", text);
}

static void draw_ticks(const frame *f) {
  const double step = f->chart->x_step;
  double x, ticks[MAX_TICKS];
  size_t s, k, i, n = 0;
  if (step > 0) {
    for (x = ceil(f->x_low / step - 1e-9); x <= f->x_high / step + 1e-9; x++)
      draw_tick(f, x * step + 0.0); /* not -0 */
    return;
  }
  for (s = 0; s < f->chart->count; s++)
    for (k = 0; k < f->chart->series[s].n; k++) {
      x = f->chart->series[s].x[k];
      for (i = 0; i < n && fabs(to_x(f, ticks[i]) - to_x(f, x)) > 26; i++) {
      }
      if (i < n || n == MAX_TICKS) continue;
      ticks[n++] = x;
      draw_tick(f, x);
    }
}

static void draw_grid(const frame *f) {
  double y;
  int decimals = f->y_step < 0.0099 ? 3 : f->y_step < 0.99 ? 2 : 0;
  char text[32];
  for (y = f->y_low; y <= f->y_high + f->y_step / 2; y += f->y_step) {
    (void)fprintf(f->file, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                  LEFT, to_y(f, y), f->right, to_y(f, y));
    (void)snprintf(text, sizeof text, "%.*f", decimals, y);
    words(f->file, LEFT - 10, to_y(f, y) + 4.5, "class=\"tick\" text-anchor=\"end\"", text);
  }
  draw_ticks(f);
  (void)fprintf(f->file, "<line class=\"axis\" x1=\"%d\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                LEFT, f->bottom, f->right, f->bottom);
}

/* The class of a series, and how many of its kind stand before it. */
static size_t series_class(char name[3], const svg_chart *c, size_t s) {
  const int reference = c->series[s].reference != 0;
  size_t i, before = 0;
  for (i = 0; i < s; i++) before += (c->series[i].reference != 0) == reference;
  name[0] = reference ? 'r' : 'c';
  name[1] = (char)('0' + before % (reference ? 2 : PALETTE));
  name[2] = '\0';
  return before;
}

static void put_line(FILE *f, const svg_chart *c, size_t s) {
  char name[3];
  const size_t before = series_class(name, c, s);
  const char *dashes = before >= PALETTE ? " stroke-dasharray=\"6 3\"" : "";
  if (c->series[s].reference)
    dashes = before % 2 ? " stroke-dasharray=\"2 4\"" : " stroke-dasharray=\"8 5\"";
  (void)fprintf(f, "class=\"%s\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"%s\"%s", name,
                c->series[s].reference ? "2" : "2.5", dashes);
}

static void draw_marker(FILE *f, const char *name, size_t kind, double x, double y) {
  static const char *const shapes[] = {"M-4.5 0A4.5 4.5 0 1 0 4.5 0A4.5 4.5 0 1 0 -4.5 0Z",
                                       "M-4 -4H4V4H-4Z", "M0 -5.5L5.2 4H-5.2Z",
                                       "M0 -5.5L5.5 0L0 5.5L-5.5 0Z"};
  (void)fprintf(f,
                "<path d=\"%s\" transform=\"translate(%.1f %.1f)\" class=\"%s edge\" "
                "fill=\"currentColor\"/>\n",
                shapes[kind % 4], x, y, name);
}

static void draw_series(const frame *f, size_t s) {
  const svg_series *q = &f->chart->series[s];
  char name[3];
  size_t k;
  (void)series_class(name, f->chart, s);
  for (k = 0; k < q->n && q->error != NULL; k++) {
    double x = to_x(f, q->x[k]), high = to_y(f, q->y[k] + q->error[k]),
           low = to_y(f, q->y[k] - q->error[k]);
    if (low - high < 1) continue;
    (void)fprintf(f->file,
                  "<path d=\"M%.1f %.1fV%.1fM%.1f %.1fH%.1fM%.1f %.1fH%.1f\" class=\"%s\" "
                  "fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\" opacity=\"0.7\"/>\n",
                  x, high, low, x - 4, high, x + 4, x - 4, low, x + 4, name);
  }
  if (q->n > 1 && !q->points) {
    (void)fputs("<polyline ", f->file);
    put_line(f->file, f->chart, s);
    (void)fputs(" points=\"", f->file);
    for (k = 0; k < q->n; k++)
      (void)fprintf(f->file, "%.1f,%.1f ", to_x(f, q->x[k]), to_y(f, q->y[k]));
    (void)fputs("\"/>\n", f->file);
  } else if (q->n == 1 && q->reference) {
    (void)fputs("<path ", f->file);
    put_line(f->file, f->chart, s);
    (void)fprintf(f->file, " d=\"M%d %.1fH%.1f\"/>\n", LEFT, to_y(f, q->y[0]), f->right);
  }
  for (k = 0; k < q->n && q->points; k++)
    (void)fprintf(f->file,
                  "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" class=\"%s\" fill=\"currentColor\" "
                  "opacity=\"0.6\"/>\n",
                  to_x(f, q->x[k]), to_y(f, q->y[k]), name);
  for (k = 0; k < q->n && !q->reference && !q->smooth && !q->points; k++)
    draw_marker(f->file, name, s, to_x(f, q->x[k]), to_y(f, q->y[k]));
}

/* The legend stands on the right, in the order of the lines' right ends, so the eye need not
 * search. */
static void draw_legend(const frame *f) {
  size_t order[64], i, j, n = f->chart->count < 64 ? f->chart->count : 64;
  double y = TOP + 8;
  for (i = 0; i < n; i++) {
    const svg_series *q = &f->chart->series[i];
    for (j = i; j > 0; j--) {
      const svg_series *p = &f->chart->series[order[j - 1]];
      if (p->n == 0 || q->n == 0 || p->y[p->n - 1] >= q->y[q->n - 1]) break;
      order[j] = order[j - 1];
    }
    order[j] = i;
  }
  for (i = 0; i < n; i++, y += 24) {
    char name[3];
    (void)series_class(name, f->chart, order[i]);
    (void)fputs("<path ", f->file);
    put_line(f->file, f->chart, order[i]);
    (void)fprintf(f->file, " d=\"M%.1f %.1fh30\"/>\n", f->right + 16, y);
    if (!f->chart->series[order[i]].reference && !f->chart->series[order[i]].smooth)
      draw_marker(f->file, name, order[i], f->right + 31, y);
    words(f->file, f->right + 54, y + 4.5, "class=\"tick\"", f->chart->series[order[i]].name);
  }
}

/* Sets the sizes of a chart; returns its height. */
static double frame_size(frame *f, const svg_chart *chart) {
  size_t s, longest = 0;
  f->chart = chart;
  for (s = 0; s < chart->count; s++)
    if (strlen(chart->series[s].name) > longest) longest = strlen(chart->series[s].name);
  f->tall = fmax(330, 24.0 * (double)chart->count - 50); /* as tall as the legend */
  f->bottom = TOP + f->tall;
  f->right = WIDTH - 66 - 7.6 * (double)longest;
  if (f->right < WIDTH / 2) f->right = WIDTH / 2;
  return f->bottom + 62;
}

static void draw_chart(frame *f) {
  const svg_chart *chart = f->chart;
  size_t s;
  frame_fit(f);
  words(f->file, 20, 30, "class=\"title\"", chart->title);
  words(f->file, 20, 52, "class=\"sub\"", chart->subtitle);
  draw_grid(f);
  words(f->file, (LEFT + f->right) / 2, f->bottom + 48, "class=\"name\" text-anchor=\"middle\"",
        chart->x_label);
  (void)fprintf(f->file, "<g transform=\"translate(20 %.1f) rotate(-90)\">", TOP + f->tall / 2);
  words(f->file, 0, 0, "class=\"name\" text-anchor=\"middle\"", chart->y_label);
  (void)fputs("</g>\n", f->file);
  for (s = 0; s < chart->count; s++)
    if (chart->series[s].reference) draw_series(f, s);
  for (s = 0; s < chart->count; s++)
    if (!chart->series[s].reference) draw_series(f, s);
  draw_legend(f);
}

static void begin(FILE *file, int width, double height) {
  (void)fprintf(file,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" "
                "height=\"%.0f\" role=\"img\">\n<style>%s</style>\n"
                "<rect width=\"100%%\" height=\"100%%\" class=\"ground\"/>\n",
                width, height, width, height, style_sheet);
}

static int given_up(draft *d) {
  const int why = errno;
  draft_drop(d);
  errno = why;
  return 0;
}

int svg_write(const char *path, const svg_chart *chart) { return svg_write_all(path, chart, 1); }

int svg_write_all(const char *path, const svg_chart *charts, size_t count) {
  frame f;
  draft d;
  size_t c;
  double height = 0, from = 0;
  for (c = 0; c < count; c++) height += frame_size(&f, &charts[c]);
  if (!draft_open(&d, path, DRAFT_REPLACE, 0666)) return 0;
  f.file = draft_stream(&d);
  if (f.file == NULL) return given_up(&d);
  begin(f.file, WIDTH, height);
  for (c = 0; c < count; c++) {
    const double tall = frame_size(&f, &charts[c]);
    if (c > 0) (void)fprintf(f.file, "<g transform=\"translate(0 %.1f)\">\n", from);
    draw_chart(&f);
    if (c > 0) (void)fputs("</g>\n", f.file);
    from += tall;
  }
  (void)fputs("</svg>\n", f.file);
  return draft_keep(&d);
}

/* --- panels ----------------------------------------------------------------------------------- */

enum { SIDE = 232, GAP = 18, PANEL_TOP = 112 };

/* The middle of v[0], v[2], ... and half of what holds all but the furthest hundredth on each side.
 */
static void extent(double *middle, double *half, const double *v, size_t n) {
  double low = -HUGE_VAL, high = HUGE_VAL;
  size_t i, k;
  for (k = 0; k <= n / 100; k++) { /* one further in on both sides */
    double next_low = HUGE_VAL, next_high = -HUGE_VAL;
    for (i = 0; i < n; i++) {
      if (v[2 * i] > low) next_low = fmin(next_low, v[2 * i]);
      if (v[2 * i] < high) next_high = fmax(next_high, v[2 * i]);
    }
    if (!(next_low < next_high)) break;
    low = next_low;
    high = next_high;
  }
  *middle = isfinite(low) ? 0.5 * (low + high) : n > 0 ? v[0] : 0;
  *half = isfinite(low) ? 0.5 * (high - low) : 1;
}

static void draw_panel(FILE *f, const svg_panel *p, double left, const double *label, size_t n,
                       size_t classes) {
  double middle[2], half[2], scale, x, y;
  char text[32];
  size_t i, c;
  for (i = 0; i < 2; i++) extent(&middle[i], &half[i], p->points + i, n);
  scale = 0.46 * SIDE / fmax(half[0], half[1]);
  (void)fprintf(f, "<rect x=\"%.1f\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"panel\"/>\n", left,
                PANEL_TOP, SIDE, SIDE);
  words(f, left + SIDE / 2.0, PANEL_TOP - 10, "class=\"name\" text-anchor=\"middle\"", p->title);
  for (c = 0; c < classes; c++) {
    (void)fprintf(f,
                  "<path class=\"c%d\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"3.8\" "
                  "stroke-linecap=\"round\" stroke-opacity=\"0.55\" d=\"",
                  (int)(c % PALETTE));
    for (i = 0; i < n; i++) {
      if ((size_t)label[i] != c) continue;
      x = scale * (p->points[2 * i] - middle[0]);
      y = scale * (p->points[2 * i + 1] - middle[1]);
      x = left + 0.5 * SIDE + fmax(-0.49 * SIDE, fmin(0.49 * SIDE, x));
      y = PANEL_TOP + 0.5 * SIDE - fmax(-0.49 * SIDE, fmin(0.49 * SIDE, y));
      (void)fprintf(f, "M%.1f %.1fh0", x, y);
    }
    (void)fputs("\"/>\n", f);
  }
  (void)snprintf(text, sizeof text, "%.1f %%", 100 * p->value);
  words(f, left + SIDE / 2.0, PANEL_TOP + SIDE + 28, "class=\"title\" text-anchor=\"middle\"",
        text);
}

int svg_write_panels(const char *path, const char *title, const char *subtitle,
                     const svg_panel *panels, size_t count, const double *label, size_t n,
                     const char *const *names, size_t classes) {
  double left = 20;
  size_t k;
  draft d;
  FILE *f;
  if (!draft_open(&d, path, DRAFT_REPLACE, 0666)) return 0;
  f = draft_stream(&d);
  if (f == NULL) return given_up(&d);
  begin(f, 40 + (int)count * (SIDE + GAP) - GAP, PANEL_TOP + SIDE + 48);
  words(f, 20, 30, "class=\"title\"", title);
  words(f, 20, 52, "class=\"sub\"", subtitle);
  for (k = 0; k < classes; k++) {
    (void)fprintf(f,
                  "<circle cx=\"%.1f\" cy=\"72\" r=\"5\" class=\"c%d\" fill=\"currentColor\"/>\n",
                  left + 5, (int)(k % PALETTE));
    words(f, left + 15, 77, "class=\"tick\"", names[k]);
    left += 34 + 8.0 * (double)strlen(names[k]);
  }
  for (k = 0; k < count; k++)
    draw_panel(f, &panels[k], 20 + (double)k * (SIDE + GAP), label, n, classes);
  (void)fputs("</svg>\n", f);
  return draft_keep(&d);
}
