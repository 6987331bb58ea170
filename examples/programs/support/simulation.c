/* SPDX-License-Identifier: MIT */
#include "support/simulation.h"

#include "methods/links.h"
#include "support/chunks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The records of the first s->n_train groups of a random order, then the others; places says where
 * in this order a group stands. Returns how many records of the former there are. */
static size_t order_groups(size_t *order, size_t *places, const simulation *s,
                           simulation_rng *rng) {
  const dataset *data = s->data;
  size_t i, k, n = 0, *groups = order; /* of at least as many records, or of room for the groups */
  simulation_permutation(groups, data->groups, rng);
  for (k = 0; k < data->groups; k++) places[groups[k]] = k;
  for (k = 0; k < 2; k++)
    for (i = 0; i < data->n; i++)
      if ((places[data->group[i]] >= s->n_train) == (int)k) order[n++] = i;
  for (n = 0; n < data->n && places[data->group[order[n]]] < s->n_train;) n++;
  return n;
}

/* Split number k; groups are then numbered from 0 on in either part. */
static int split_next(split *part, size_t *order, size_t *places, const simulation *s,
                      simulation_rng *rng) {
  const dataset *data = s->data;
  size_t i, n = s->n_train;
  if (data->group != NULL)
    n = order_groups(order, places, s, rng);
  else
    simulation_permutation(order, data->n, rng);
  if (!split_make(part, data, order, n, data->n - n, s->scale)) return 0;
  if (data->group == NULL) return 1;
  for (i = 0; i < data->n; i++) part->group[i] = places[part->group[i]] - (i < n ? 0 : s->n_train);
  part->train.groups = s->n_train;
  part->test.groups = data->groups - s->n_train;
  return 1;
}

int simulate_splits(simulation *s, split_run *run, void *results) {
  const run_options *o = s->o;
  const dataset *data = s->data;
  simulation_rng rng;
  progress bar;
  size_t k, *order = malloc((data->n + 2 * data->groups) * sizeof *order);
  dppair_status status = order == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  simulation_seed(&rng, o->seed);
  progress_begin(&bar, "training", o->splits, o->quiet);
  for (k = 0; k < o->splits && status == DPPAIR_OK; k++) {
    split part;
    if (!split_next(&part, order, order + data->n + data->groups, s, &rng)) {
      status = DPPAIR_ERR_OVERFLOW;
      break;
    }
    status = run(results, s, &part, k);
    split_free(&part);
    progress_step(&bar);
  }
  progress_end(&bar);
  free(order);
  if (status != DPPAIR_OK) return complain(1, "%s: %s", s->m->name, status_words(status));
  return 0;
}

void print_members(const simulation *s, const outcome *r, size_t budget, int *first) {
  (void)fputs("{\"simulation\": true, ", stdout);
  json_member_text(stdout, "method", s->o->method, first);
  json_member_number(stdout, "epsilon", s->o->epsilon[budget], first);
  json_member_number(stdout, "delta", s->delta, first);
  json_member_number(stdout, "epsilon_spent", r->epsilon, first);
  json_member_number(stdout, "attack_accuracy", right_percent(r->epsilon, s->delta, r->right) / 100,
                     first);
  if (s->data->group != NULL)
    json_member_text(stdout, "adjacency", dppair_adjacency_name(s->o->adjacency), first);
  json_member_number(stdout,
                     s->data->group == NULL ? "n_train"
                     : s->o->user != NULL ? "persons_train"
                                            : "queries_train",
                     (double)s->n_train, first);
  if (s->n_test > 0) json_member_number(stdout, "n_test", (double)s->n_test, first);
  json_member_number(stdout, "splits", (double)s->used, first);
  json_member_number(stdout, "sigma", r->sigma, first);
  json_member_number(stdout, "steps", (double)r->steps, first);
}

void print_heading(const simulation *s, const char *split_words) {
  const dataset *data = s->data;
  (void)puts("simulation on your data: NOT PRIVATE, not a release");
  if (s->o->quiet) return;
  (void)printf("%s: %zu records, %zu features, +1 is \"%s\", scaled by %s\n"
               "method %s, %s, %zu random splits, delta = %.6g%s, %s\n",
               data_name(s->o), data->n, data->d, data->label[1], scale_words[s->scale], s->m->name,
               split_words, s->used, rounded_up(s->delta), s->o->delta_given ? "" : " (1/n_train)",
               dppair_isa_name());
  print_learnt(data);
}

void print_meaning(const simulation *s, const outcome *const notes[]) {
  const run_options *o = s->o;
  const char *others, *which;
  char text[512 + 64 * MAX_BUDGETS];
  size_t b, used;
  attack_words(&others, &which, o);
  used =
      (size_t)snprintf(text, sizeof text,
                       "What epsilon means: whoever knows %s, sees a model trained like this and "
                       "has to tell which of two %s used, both equally likely, is right with "
                       "probability at most",
                       others, which);
  for (b = 0; b < o->budgets; b++)
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "%s %.1f %% at %s%g", b > 0 ? "," : "",
                         right_percent(notes[b]->epsilon, s->delta, notes[b]->right),
                         b > 0 ? "" : "epsilon ", o->epsilon[b]);
  (void)snprintf(text + used, sizeof text - used, " (50 %% is chance).");
  print_wrapped(stdout, text);
}

void print_ending(const simulation *s, const outcome *const notes[]) {
  const run_options *o = s->o;
  size_t b;
  for (b = 0; b < o->budgets; b++)
    if (notes[b]->note[0] != '\0') (void)printf("epsilon %g: %s\n", o->epsilon[b], notes[b]->note);
  if (s->scale == SCALE_ZSCORE)
    print_wrapped(stdout,
                  "NOT COVERED BY ANY GUARANTEE: --scale zscore uses means and deviations of the "
                  "records without noise. Declare ranges, or use --scale row.");
  else if (s->m->offers & NEEDS_OWNED)
    print_wrapped(stdout, "There is no release by this method: how many records there are decides "
                          "its noise.");
  else {
    print_meaning(s, notes);
    print_promise(s->kind, o, s->m, s->data, notes[0]->epsilon);
  }
  if (s->scale == SCALE_ROW && !s->data->has_ranges) {
    (void)puts("No ranges are declared, and most methods learn more with them.");
    explain_ranges(stdout, o, s->data);
  }
  if (o->svg != NULL) (void)printf("picture: %s\n", o->svg);
}

static void print_help(const program *p) {
  size_t k;
  print_usage(p->training, p->runs);
  for (k = 0; p->methods[k] != NULL; k++) print_method(p->methods[k]);
}

static int simulate(const program *p, const run_options *o, const method *m) {
  dataset data;
  simulation s;
  int code;
  memset(&s, 0, sizeof s);
  s.kind = &p->kind;
  s.o = o;
  s.m = m;
  s.data = &data;
  code = load(&data, &s.scale, o);
  if (code == 0) code = check_data(&data, o, m);
  s.n_train = 2 * (data.group != NULL ? data.groups : data.n) / 3;
  s.delta = o->delta_given ? o->delta : 1 / (double)(2 * units(o, &data) / 3);
  if (code == 0) code = p->simulate(&s);
  data_free(&data);
  return code;
}

int program_run(const program *p, int argc, char **argv) {
  return program_run_team(p, argc, argv, NULL);
}

int program_run_team(const program *p, int argc, char **argv, const stream_team *team) {
  static const double usual[] = {0.5, 1, 2, 4};
  run_options o;
  const method *m;
  int k, binary = 0;
  program_name = p->name;
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--help") == 0) {
      print_help(p);
      return 0;
    }
    if (strcmp(argv[k], "--version") == 0) {
      (void)printf("%s (dppair) %s\n", p->name, DPPAIR_VERSION_STRING);
      return 0;
    }
  }
  memset(&o, 0, sizeof o);
  o.method = p->methods[0]->name;
  o.splits = 20;
  o.seed = 1;
  o.budgets = sizeof usual / sizeof *usual;
  memcpy(o.epsilon, usual, sizeof usual);
  o.team = team;
  o.stream = team != NULL;
  o.given = team != NULL ? OFFERS_STREAM : 0;
  if (!parse(&o, argc, argv)) return 2;
  /* A file that is not there is told when it is read: after a model that could not be written. */
  if (o.model != NULL && o.data != NULL && (binary = chunks_binary(o.data)) < 0 && errno != ENOENT)
    return complain(1, "%s: %s", o.data, strerror(errno));
  if (binary > 0) { /* never held in memory */
    o.stream = 1;
    o.given |= OFFERS_STREAM;
    if (o.evaluate != NULL)
      return complain(2, "%s: a binary file; --evaluate reads a text that is declared as DATA is",
                      o.data);
  }
  m = method_in(p->methods, o.method);
  if (m == NULL) return complain(2, "no method is called '%s' (see --help)", o.method);
  if (!check_offers(&o, m->name, m->offers)) return 2;
  if (p->knows_loss != NULL && o.with.loss != NULL && !p->knows_loss(o.with.loss))
    return complain(2, "no loss is called '%s' (see --help)", o.with.loss);
  if (m->offers & NEEDS_SMOOTH && o.with.loss != NULL && !pair_link_is_smooth(o.with.loss))
    return complain(2,
                    "method %s needs a convex loss without a kink, of which a step brings two "
                    "iterates no further apart: %s is none",
                    m->name, o.with.loss);
  return o.model != NULL ? release(&p->kind, &o, m) : simulate(p, &o, m);
}
