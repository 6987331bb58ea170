/* SPDX-License-Identifier: MIT */
/* svg.h - a line chart: several series over a common axis, error bars, reference levels, a legend.
 */
#ifndef SVG_H
#define SVG_H

#include <stddef.h>

typedef struct svg_series {
  const char *name;
  const double *x, *y;
  const double *error; /* half length of the error bars, or NULL                      */
  size_t n;
  int reference; /* 1: a level to compare with: dashed, grey, without markers   */
  int smooth;    /* 1: a curve of many points: without markers                  */
  int points;    /* 1: small markers without a line                             */
} svg_series;

typedef struct svg_chart {
  const char *title, *subtitle, *x_label, *y_label;
  int log_x;     /* logarithmic axis */
  double x_step; /* ticks at its multiples; 0: at the x values of the series */
  const svg_series *series;
  size_t count;
} svg_chart;

/* Writes the picture; 0 when the file cannot be written. */
int svg_write(const char *path, const svg_chart *chart);
/* Several charts, one below the other. */
int svg_write_all(const char *path, const svg_chart *charts, size_t count);

/* A point cloud: n points (x, y), and a figure that is told below. */
typedef struct svg_panel {
  const char *title;
  const double *points;
  double value;
} svg_panel;

/* Panels beside each other, one colour a class: label[n] in 0 .. classes - 1. Each has a scale of its
 * own. 0 when the file cannot be written. */
int svg_write_panels(const char *path, const char *title, const char *subtitle,
                     const svg_panel *panels, size_t count, const double *label, size_t n,
                     const char *const *names, size_t classes);

#endif /* SVG_H */
