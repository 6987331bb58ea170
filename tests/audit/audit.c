/* SPDX-License-Identifier: MIT */
/*
 * audit.c - the driver, build/audit: who checks the privacy that is claimed here.
 *
 *   build/audit                          methods and programs on neighbours: the table
 *   build/audit METHOD [--search N]      one method, and N changes of its worst neighbours
 *   build/audit --faults [WORD]          programs with one mistake each, which must be found
 *   build/audit --canaries               lower bounds by statistics, which audit-canaries has
 *   build/audit FILE.c ...               any program: --help
 *
 * Exits with 0 when everything that should pass passes and everything else is found.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "methods.h"
#include "programs.h"

/* What a driver is linked without, it does not offer. */
int audit_faults(int argc, char **argv) __attribute__((weak));
int audit_canaries(int argc, char **argv) __attribute__((weak));
int audit_case_at(audit_case *out, size_t index) __attribute__((weak));

static const char usage[] =
    "usage: build/audit [WORD] [--search N] [--brief]\n"
    "       build/audit FILE.c [--after TEXT --swap CODE] [--claim EPSILON,DELTA]\n"
    "                   [--data D --neighbour D2] [--keys given] [-- ARGUMENTS]\n"
    "       build/audit --faults [...] | --canaries [...]\n"
    "\n"
    "Runs a program on data D, records every draw, charge, release and noise, and runs it again\n"
    "on a neighbour of D with all recorded outputs in place. What is left is the exact distance\n"
    "by which each release moved, and whatever leaves the program without noise.\n"
    "\n"
    "  WORD       methods and programs with this in their name; none: all\n"
    "  --search   so many changes of the worst neighbours, keeping the worse ones (default 0)\n"
    "  --brief    few neighbours of each\n"
    "\n"
    "  FILE.c     compiled with the audit (CC, CFLAGS), once; it includes the headers\n"
    "  --data     a file, and its neighbour: an argument % becomes the one, then the other\n"
    "  --after    for data inside of the program: behind the first line that contains TEXT\n"
    "  --swap     CODE is run, on the neighbour only: what replaces a record\n"
    "  --claim    what the program states, to be compared with its charges\n"
    "  --keys     given: that its keys are not the system's is meant to be so\n"
    "\n"
    "Of a FILE.c are compared: releases, stdout, stderr, the exit code, and the files of the folder\n"
    "that it is started in. What it writes elsewhere, sends, or says by the time that it takes is\n"
    "not seen, nor what a run with other noise, or on a worse neighbour, would do. Its records are\n"
    "read from --data or are inside of it, and one thread at a time draws, charges and releases.\n"
    "FILE.cpp is C++.\n";

void audit_case_run(audit_report *worst, size_t *replays, const audit_case *which, size_t search,
                    int brief) __attribute__((weak));

static int show_case(const audit_case *c, size_t search, int brief) {
  audit_report r;
  size_t replays;
  char label[96];
  (void)snprintf(label, sizeof label, "%s%s%s", c->name, c->what[0] != '\0' ? ", " : "", c->what);
  audit_case_run(&r, &replays, c, search, brief);
  if (replays == 0) audit_found(&r, AUDIT_FLOW, "it could not be run");
  if (!brief && !(r.largest >= c->floor))
    audit_found(&r, AUDIT_DISTANCE, "only %.4g of its sensitivity is attained, %.4g before",
                r.largest, c->floor);
  return audit_show(label, &r, replays, c->red);
}

/* The statistics are millions of runs, compiled for it: a program beside this one. */
static int run_canaries(int argc, char **argv) {
  char program[4096];
  if (audit_canaries != NULL) return audit_canaries(argc - 1, argv + 1);
  (void)snprintf(program, sizeof program, "%s-canaries", argv[0]);
  (void)execv(program, argv);
  (void)fprintf(stderr, "audit: %s is not there; make canaries builds it\n", program);
  return 2;
}

static int is_source(const char *word) {
  const char *dot = strrchr(word, '.');
  return dot != NULL &&
         (strcmp(dot, ".c") == 0 || strcmp(dot, ".cc") == 0 || strcmp(dot, ".cpp") == 0);
}

int main(int argc, char **argv) {
  const char *word = "";
  size_t search = 0, index, wrong = 0, shown = 0;
  audit_case c;
  int k, brief = 0;
  if (argc > 1 && strcmp(argv[1], "--help") == 0) return fputs(usage, stdout) < 0;
  if (argc > 1 && strcmp(argv[1], "--faults") == 0 && audit_faults != NULL)
    return audit_faults(argc - 1, argv + 1);
  if (argc > 1 && strcmp(argv[1], "--canaries") == 0) return run_canaries(argc, argv);
  if (argc > 1 && is_source(argv[1])) return audit_source(argc - 1, argv + 1, argv[0]);
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--search") == 0 && k + 1 < argc)
      search = (size_t)strtoul(argv[++k], NULL, 10);
    else if (strcmp(argv[k], "--brief") == 0)
      brief = 1;
    else if (argv[k][0] != '-')
      word = argv[k];
    else
      return fputs(usage, stderr), 2;
  }
  (void)printf("distance: the largest move of a release between neighbours, over what it may be\n\n"
               "%-44s %8s %8s   %s\n",
               "", "distance", "replays", "found");
  for (index = 0; audit_case_at != NULL && audit_case_at(&c, index); index++) {
    if (strstr(c.name, word) == NULL) continue;
    wrong += (size_t)show_case(&c, search, brief);
    shown++;
  }
  wrong += audit_programs(&shown, word, argv[0], brief);
  if (word[0] == '\0' && !brief && audit_faults != NULL) { /* only their sum, and what fails */
    char quiet[] = "-q";
    char *arguments[2] = {argv[0], quiet};
    (void)putchar('\n');
    wrong += audit_faults(2, arguments) != 0;
  }
  if (shown == 0) return (void)fprintf(stderr, "audit: no method or program \"%s\"\n", word), 2;
  (void)printf("\n%zu audited, %zu not as expected\n", shown, wrong);
  return wrong > 0;
}
