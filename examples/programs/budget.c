/* SPDX-License-Identifier: MIT */
/*
 * budget - a privacy calculator over dppair_accountant.h.
 *
 *   build/budget COMMAND --key value ...     prints one "name value" line per result (--json: an
 *                                            object; --explain: the formula and its source;
 *                                            --statement: the answer in words)
 *
 * Exit 0: done. 1: there is no (proved) answer. 2: wrong use; nothing is guessed.
 */
#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_accountant.h"
#include "dppair_attack.h"
#include "dppair_contrast.h"
#include "dppair_iterates.h"
#include "dppair_papers.h"
#include "dppair_streams.h"
#include "support/calculator.h"
#include "support/svg.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char usage[] =
    "budget - a privacy calculator whose answers are certified\n"
    "\n"
    "usage: budget COMMAND --key value ...\n"
    "\n"
    "Nothing is guessed: a key that is unknown, missing, repeated or without effect is an error.\n"
    "\n"
    "commands\n"
    "  epsilon      MECHANISM [--and MECHANISM ...] [--ledger FILE] --delta X\n"
    "               [--accountant pld|rdp] [--route contour|fft|closed]\n"
    "                   -> route, mechanism, epsilon_upper, _lower, _estimate (rdp: epsilon,\n"
    "                      order)\n"
    "  delta        the same with --epsilon X in place of --delta X\n"
    "                   -> route, mechanism, delta_upper, _lower, _estimate (rdp: delta)\n"
    "  attack       MECHANISM [--and MECHANISM ...] [--ledger FILE] [--rates F,F,..] [--prior P]\n"
    "               [--delta X] [--svg FILE]      what the best attacker can tell: true positives\n"
    "               at these rates of false positives, what a positive answer is worth to him\n"
    "               (at prior 1/2 and P), how often he is right; the mu of a Gaussian mechanism\n"
    "               that covers all but X (1e-6); the curve as a picture\n"
    "                   -> attacks (a table), accuracy_upper, _lower, gdp_mu_upper, _lower,\n"
    "                      _estimate (of the nearest curve, which covers less), meaning\n"
    "  calibrate    as epsilon, with --epsilon X, and one mechanism without its noise; the others\n"
    "               and the ledger are a fixed cost\n"
    "                   -> noise_multiplier (laplace: scale), with --clip also sigma\n"
    "  rdp          MECHANISM --order A [--hit-cap K]                            -> rdp\n"
    "  gaussian-sigma    --sensitivity X --epsilon X --delta X [--steps T]        -> sigma\n"
    "  gaussian-epsilon  --mu X --delta X                                         -> epsilon\n"
    "  gaussian-delta    --mu X --epsilon X                           -> delta, log_delta\n"
    "  last-iterate      --sensitivity X --sigma X --smoothness L --alpha A --eta E --steps T\n"
    "               [--diameter X] [--delta X]    noisy descent of which only the last iterate is\n"
    "               published: X of the mean gradient, L and A of the full risk  -> mu, epsilon\n"
    "  sensitivity  --kind KIND ...                                               -> sensitivity\n"
    "  uas          --n N --steps T --eta X --lipschitz G --diameter X --epsilon X --delta X\n"
    "               [--structure general|ranking]    noise fixed in advance       -> sigma\n"
    "  paper        --result NAME --n N --lipschitz G --epsilon X --delta X --steps T\n"
    "               [--alpha A | --eta X | --lambda X --kappa X] [--noise gaussian|pure]\n"
    "                   -> noise_printed, noise_needed, sufficient, true_epsilon, true_delta\n"
    "options\n"
    "  --json              one JSON object instead of a line for each result\n"
    "  --explain           the formula and its source, too\n"
    "  --statement         what the answer means, in words (epsilon, delta, attack, calibrate)\n"
    "  --and               begins another mechanism (of the same commands)\n"
    "  --help              this text\n"
    "  --version           the version\n"
    "words that keys take\n"
    "  --adjacency replace-one|zero-out|replace-person|zero-person|replace-query|zero-query\n"
    "  --sampling poisson|without-replacement|with-replacement|matching|allocation\n"
    "  --accountant pld|rdp, --route contour|fft|closed, --structure general|ranking\n"
    "  --levels two|general|any, --protect record|person|query, --moving no|yes, --dropped no|yes\n"
    "  --class-weights joint|separate-paid, --noise gaussian|pure|square-root|tree|independent\n";
static const char usage_mechanisms[] =
    "\n"
    "What is spent is the upper figure. A lower figure of 0 says that none is proved.\n"
    "--delta 0 is answered for laplace, l2-ball, pure and randomised-response alone. --ledger replays a\n"
    "file of dppair_ledger_step and prints ledger_lines, ledger_check (of the last line) and whose\n"
    "neighbours it protects; an empty one, and one that does not state them, is an error.\n"
    "\n"
    "MECHANISM [--steps T]\n"
    "  --mechanism gaussian             NOISE\n"
    "  --mechanism laplace              --scale B              (scale / l1 sensitivity)\n"
    "  --mechanism l2-ball              --scale B              (scale / l2 sensitivity)\n"
    "  --mechanism pure                 --step-epsilon E       (also randomised-response)\n"
    "  --mechanism zcdp                 --rho R                (Renyi orders only)\n"
    "  --mechanism skellam              --sensitivity D --variance M, noise on integers that move by\n"
    "                                   D in l2 norm, or --noise-multiplier Z (Renyi orders only)\n"
    "  --mechanism sampled-skellam      the same; --sampling poisson --adjacency zero-out and a rate\n"
    "  --mechanism objective-perturbation, pure-objective-perturbation\n"
    "                                   --noise-multiplier Z --ridge R [--adjacency A (replace-one)]:\n"
    "                                   Z is the scale of the linear term's noise over the steepest\n"
    "                                   slope times the radius, R the ridge over the top curvature\n"
    "                                   times radius^2; noise on the minimiser is a line of its own\n"
    "  --mechanism sampled-gaussian     --sampling S --adjacency A NOISE and\n"
    "      poisson                      --q Q, or --n N --batch B (expected)    A: zero-out or\n"
    "                                                                           replace-one\n"
    "      without-replacement          --q Q, or --n N --batch B               A: replace-one\n"
    "                     --records K: N and B count records, of which one person owns K, and A is\n"
    "                     replace-person; Z divides what sensitivity --kind user-batch says\n"
    "      with-replacement             --n N --batch B                         A: replace-one\n"
    "      matching                     --q Q, or --n N --batch B (records)     A: replace-one\n"
    "                     [--group G (2)] in groups of G\n"
    "      allocation                   --batches T [--per-epoch K]             A: zero-out or\n"
    "                     each record in K (1) of an epoch's T batches             replace-one\n"
    "  --mechanism sampled-pairs        --sampling S --adjacency A NOISE and\n"
    "      poisson                      --n N --pair-rate G    A: zero-out or replace-one\n"
    "      with-replacement             --n N --pairs M        A: zero-out or replace-one\n"
    "                     [--group G] M groups of G different records, each drawn by itself\n"
    "      matching                     --q Q, or --n N --batch B (records)     A: replace-one\n"
    "  Where records are drawn, --epochs E may replace --steps: E n / batch, or E T, rounded up.\n"
    "\n"
    "  A may also be replace-person, zero-person, replace-query or zero-query: then N, B and C are\n"
    "  about persons or queries, which are what is drawn.\n"
    "\n"
    "NOISE, on the SUM over what was drawn, by one of two conventions\n"
    "  --clip C --sigma S       C bounds the norm of one term of the sum: a record's vector (for\n"
    "                           matching and sampled-pairs a pair's); S is the deviation of the\n"
    "                           noise in each coordinate. Plain gaussian: also --adjacency A\n"
    "  --noise-multiplier Z     S over the move of that sum: one record added or zeroed: C, for\n"
    "                           poisson and allocation; by one replaced term, 2 C, for the other\n"
    "                           samplings; C for sampled-pairs; the sensitivity for gaussian\n"
    "  Each answer says which one it used.\n"
    "\n";

/* ---- Mechanisms ------------------------------------------------------------------------------ */

static const char *const sampling_words[] = {
    "none", "poisson", "without-replacement", "with-replacement", "matching", "allocation", NULL};

static dppair_adjacency read_adjacency(void) {
  static const dppair_adjacency relations[] = {DPPAIR_REPLACE_ONE,    DPPAIR_ZERO_OUT,
                                               DPPAIR_REPLACE_USER, DPPAIR_ZERO_USER,
                                               DPPAIR_REPLACE_QUERY,  DPPAIR_ZERO_QUERY};
  const char *words[7] = {NULL};
  int i;
  for (i = 0; i < 6; i++) words[i] = dppair_adjacency_name(relations[i]);
  return relations[word("adjacency", words)];
}

static int zeroes(dppair_adjacency adjacency) {
  return dppair_adjacency_move_(adjacency) == DPPAIR_ZERO_OUT;
}

static dppair_sampling_kind read_sampling_kind(void) {
  const char *text = optional("sampling");
  int kind;
  if (text != NULL && strcmp(text, "shuffle") == 0)
    die("shuffled passes in batches of one size have no proof here: where the other records stand "
        "says where the last one stands; --sampling allocation covers a loader that puts each "
        "record into a batch by a choice of its own, so that sizes are random");
  kind = word("sampling", sampling_words);
  if (kind == 0) die_usage("--sampling must name a sampling scheme");
  return (dppair_sampling_kind)kind;
}

/* One mechanism of the command line, and what is to be said of it. */
typedef struct mechanism {
  dppair_step step;
  dppair_adjacency adjacency; /* 0: not stated */
  const char *noise_name;     /* "noise-multiplier", "scale"; NULL: nothing to calibrate */
  int noise_given;
  double clip, move; /* the clip of a term and what the sum moves by; 0: not given */
  double batch;      /* records drawn in a step, expected; 0: unknown */
  double epoch[2];   /* an epoch has so many steps: their quotient, 0/0: unknown */
} mechanism;

static double away(double x, double from) { return nextafter(x, x > from ? HUGE_VAL : -HUGE_VAL); }

/* --n and a size below it, whose key is `key`. */
static size_t read_sizes(size_t *n, const char *key, size_t most) {
  const size_t m = count(key);
  *n = count("n");
  if (*n < 2 || m < 1) die_usage("--n must be at least 2 and --%s at least 1", key);
  if (m > most) die_usage("--%s exceeds what can be drawn", key);
  return m;
}

/* Records of a group: 2, pairs, unless it is given. */
static size_t read_group(void) {
  const size_t group = count_or("group", 2);
  if (group < 2) die_usage("--group must be at least 2");
  return group;
}

/* The most records that one user owns, where records are drawn and users are protected. */
static void read_owned(dppair_sampling *s) {
  s->owned = count("records");
  if (s->kind != DPPAIR_WITHOUT_REPLACEMENT || s->adjacency != DPPAIR_REPLACE_USER)
    die_usage("--records is covered for --sampling without-replacement --adjacency replace-person");
  if (s->n == 0) die_usage("--records needs --n and --batch: a rate does not say how many are hit");
  if (s->owned < 1 || s->owned > s->n) die_usage("--records lies in 1 to --n");
  if (s->n - s->owned < s->m)
    die("there is a proof only where the other persons' records fill a batch: n - k >= m");
}

/* q, or n and the batch, or all three when they agree: the exact sizes where they are given. */
static void read_record_rate(mechanism *m) {
  dppair_sampling *s = &m->step.sampling;
  const char *q = optional("q");
  const int sizes = q == NULL || optional("n") != NULL || optional("batch") != NULL;
  const int fixed = s->kind != DPPAIR_POISSON;
  if (q != NULL && s->kind == DPPAIR_WITH_REPLACEMENT) die_usage("--q has no effect here");
  if (sizes) {
    const size_t most = s->kind == DPPAIR_WITH_REPLACEMENT ? SIZE_MAX : count("n");
    const size_t drawn = read_sizes(&s->n, "batch", most);
    if (s->kind == DPPAIR_MATCHING) s->group = read_group();
    if (s->kind == DPPAIR_MATCHING && drawn % s->group != 0)
      die_usage("--batch counts records, which a matching takes %lu by %lu: it must be a multiple",
                (unsigned long)s->group, (unsigned long)s->group);
    m->batch = (double)drawn;
    if (fixed) s->m = drawn;
  }
  if (q != NULL) {
    s->q = to_number("q", q);
    if (!(s->q > 0.0 && s->q <= 1.0))
      die_usage("--q must lie in (0, 1]: a rate of 0 draws nothing");
    if (sizes && fabs(s->q * (double)s->n - m->batch) > 1e-9 * m->batch)
      die_usage("--q disagrees with --batch over --n");
  }
  if (optional("records") != NULL) read_owned(s);
  if (sizes && fixed) s->q = 0.0;
  if (sizes && !fixed) { /* the quotient is rounded towards more records drawn */
    s->q = m->batch < (double)s->n ? away(m->batch / (double)s->n, 0.0) : 1.0;
    if (s->q > 1.0) s->q = 1.0;
    s->n = 0;
  }
}

static void read_pair_rate(mechanism *m) {
  dppair_sampling *s = &m->step.sampling;
  if (s->kind == DPPAIR_MATCHING) {
    read_record_rate(m);
  } else if (s->kind == DPPAIR_POISSON) {
    s->n = count("n");
    m->step.pair_rate = number("pair-rate");
    if (!(m->step.pair_rate > 0.0 && m->step.pair_rate <= 1.0))
      die_usage("--pair-rate must lie in (0, 1]: a rate of 0 draws nothing");
  } else {
    s->m = read_sizes(&s->n, "pairs", SIZE_MAX);
    s->group = optional("group") != NULL ? read_group() : 0;
    if (s->group > s->n) die_usage("--group exceeds --n");
  }
}

/* The batches of an epoch, and how many of them hold a record. An account does not ask how many
 * records there are: two stand for any number. */
static void read_allocation(mechanism *m) {
  const size_t batches = count("batches"), group = count_or("per-epoch", 1);
  if (batches < 1) die_usage("--batches must be at least 1");
  if (group < 1 || group > batches) die_usage("--per-epoch must lie in 1 .. --batches");
  m->step.sampling = dppair_sampling_allocation(2, batches, group, m->adjacency);
  m->epoch[0] = (double)batches;
  m->epoch[1] = 1.0;
}

/* T, or the epochs that T steps make. */
static void read_steps(mechanism *m) {
  const char *epochs = optional("epochs"), *steps = optional("steps");
  m->step.steps = 1;
  if (steps != NULL) m->step.steps = to_count("steps", steps);
  if (m->step.steps < 1) die_usage("--steps must be at least 1");
  if (epochs != NULL) {
    const double passes = to_number("epochs", epochs);
    double t;
    if (steps != NULL) die_usage("--epochs and --steps say the same thing: give one");
    if (!(m->epoch[1] > 0.0)) die_usage("--epochs needs --n and --batch, the records of a step");
    t = ceil(passes * m->epoch[0] / m->epoch[1]);
    if (!(passes > 0.0 && t <= 9007199254740992.0 && t <= (double)SIZE_MAX))
      die_usage("--epochs: out of range: %s", epochs);
    m->step.steps = (size_t)t;
  }
}

/* How far the sum moves between neighbours if each of its terms is at most `clip` long. */
static double sum_moves(const mechanism *m, double clip) {
  const dppair_sampling *s = &m->step.sampling;
  if (m->step.kind == DPPAIR_SAMPLED_PAIRS) return clip;
  if (m->step.kind == DPPAIR_SAMPLED_GAUSSIAN)
    return dppair_sampling_is_random_(s->kind) ? clip : 2.0 * clip;
  return zeroes(m->adjacency) ? clip : 2.0 * clip;
}

/* Is the noise a scale (of exponential tails), not a sigma? */
static int has_scale(dppair_mechanism_kind kind) {
  return kind == DPPAIR_LAPLACE || kind == DPPAIR_L2BALL;
}

static int is_skellam(dppair_mechanism_kind kind) {
  return kind == DPPAIR_SKELLAM || kind == DPPAIR_SAMPLED_SKELLAM;
}

/* What the variance of Skellam noise and the sensitivity of integers come to; 0: not given. */
static double read_variance(void) {
  const char *variance = optional("variance");
  double sigma, move;
  if (variance == NULL) return 0.0;
  move = number("sensitivity");
  if (!(move > 0.0)) die_usage("--sensitivity must be positive");
  need(dppair_skellam_sigma(&sigma, to_number("variance", variance)));
  return away(sigma / move, 0.0);
}

/* The multiplier as it stands, or S over the sum's move, rounded down. */
static void read_noise(mechanism *m) {
  const char *text = optional(m->noise_name), *sigma = NULL;
  if (is_skellam(m->step.kind) && text == NULL) {
    const double z = read_variance();
    m->noise_given = z > 0.0;
    m->step.noise_multiplier = z > 0.0 ? z : 1.0;
    return;
  }
  if (!has_scale(m->step.kind) && !is_skellam(m->step.kind)) {
    const char *clip = optional("clip");
    sigma = optional("sigma");
    if (clip != NULL) {
      m->clip = to_number("clip", clip);
      if (!(m->clip > 0.0)) die_usage("--clip must be positive");
      if (m->adjacency == 0) die_usage("--clip needs --adjacency: who are the neighbours?");
      if (m->step.sampling.owned > 0)
        die_usage("--records takes --noise-multiplier: sigma over what sensitivity --kind "
                  "user-batch says");
      m->move = sum_moves(m, m->clip);
    } else if (sigma != NULL) {
      die_usage("--sigma needs --clip: noise means nothing without what it hides");
    }
  }
  if (text != NULL && (m->clip > 0.0 || sigma != NULL))
    die_usage("--%s is sigma over the sum's move: give it, or --clip and --sigma", m->noise_name);
  m->noise_given = text != NULL || sigma != NULL;
  m->step.noise_multiplier = 1.0;
  if (text != NULL) m->step.noise_multiplier = to_number(m->noise_name, text);
  if (sigma != NULL) m->step.noise_multiplier = to_number("sigma", sigma);
  if (!(m->step.noise_multiplier > 0.0))
    die_usage("--%s must be positive", text != NULL ? m->noise_name : "sigma");
  if (sigma != NULL) m->step.noise_multiplier = away(m->step.noise_multiplier / m->move, HUGE_VAL);
}

/* The mechanisms by dppair_mechanism_kind, whose names they have: the key of the noise, whether it
 * is the step's own epsilon or rho (and so never calibrated), and what --explain says. */
static const struct {
  const char *noise_key;
  int own, drawn; /* drawn: over a sample of records or pairs */
  const char *source;
} mechanisms[] = {
    {NULL, 0, 0, NULL},
    {"noise-multiplier", 0, 0,
     "Gaussian: Renyi curve a/(2 z^2); composed exactly, mu = sqrt(T)/z."},
    {"scale", 0, 0,
     "Laplace (Mironov 2017): log(a/(2a-1) e^((a-1)/b) + (a-1)/(2a-1) e^(-a/b))/(a-1)."},
    {"step-epsilon", 1, 0,
     "Any epsilon-private mechanism is dominated by randomised response (Kairouz, Oh and Viswanath "
     "2015)."},
    {"rho", 1, 0, "zCDP (Bun and Steinke 2016): Renyi curve rho a."},
    {"noise-multiplier", 0, 1, NULL},
    {"noise-multiplier", 0, 1, NULL},
    {"step-epsilon", 1, 0,
     "Any epsilon-private mechanism is dominated by randomised response (Kairouz, Oh and Viswanath "
     "2015)."},
    {"scale", 0, 0,
     "Noise of density exp(-|z|/b): epsilon = 1/b by the triangle inequality, charged as any such "
     "mechanism."},
    {"noise-multiplier", 0, 0,
     "Skellam of variance M on integers: z = 1/(D sqrt(kappa)), kappa = 2 ln(I_0(M)/I_1(M)); Renyi "
     "curve a/(2 z^2) at whole orders a, between them by convexity."},
    {"noise-multiplier", 0, 1, NULL},
    {"noise-multiplier", 0, 0,
     "Objective perturbation, Gaussian b: every loss is at most log(1 + 1/R) + max(0, N(m^2/2, m^2)), "
     "m = 2/Z for a replaced record, 1/Z for a zeroed one; beside plain noise mu delta_G(x; hypot(mu, "
     "m)) + e^x Phi(-x/mu - mu/2) (2 Phi(m/2) - 1), x = epsilon - log(1 + 1/R)."},
    {"noise-multiplier", 0, 0,
     "Objective perturbation, b of density exp(-|b|/s): epsilon = 2/Z + log(1 + 1/R), 1/Z for a "
     "zeroed record."}};
enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

/* What --explain says where records or pairs are drawn. */
static const char *sampling_source(const mechanism *m) {
  const dppair_sampling *s = &m->step.sampling;
  if (m->step.kind == DPPAIR_SAMPLED_PAIRS)
    return s->kind == DPPAIR_POISSON
               ? "Poisson pairs: a record is hit K ~ Bin(n-1, rate) times; zeroed, sum_k p_k "
                 "N(k/z) against N(0) dominates (Kahane's inequality)."
               : "Fixed number of pairs: shift 2/z per hit, K ~ Bin(m, 2/n) or one hit with q, by "
                 "advanced joint convexity (Balle, Barthe and Gaboardi 2018).";
  if (m->step.kind == DPPAIR_SAMPLED_SKELLAM)
    return "Poisson records, one zeroed or added: at whole Renyi orders the curve of the sampled "
           "Gaussian of the same multiplier, both directions.";
  if (s->kind == DPPAIR_ALLOCATION)
    return zeroes(s->adjacency)
               ? "Allocated records, one absent: an epoch's loss is log of the mean of T log-normal "
                 "variables of mean 1, in both directions, whatever later queries read of earlier "
                 "outputs; K of T is at most K epochs of 1 of floor(T/K)."
               : "Allocated records, one replaced: means of shifts towards +1/z against means of "
                 "shifts towards -1/z; enclosed by the loss of a removal and an addition, and by "
                 "the comonotone pair, or Gaussian noise of sqrt(2)/z.";
  if (s->owned > 0)
    return "m of n records, all of one person's k replaced: H_t <= sum_j P(J=j) delta_G(log(1+(t-1)/"
           "gamma), T(m,j)/((m-1)z)), J hypergeometric (advanced joint convexity).";
  if (s->kind != DPPAIR_POISSON)
    return "Fixed-size samples, one record replaced: H_t <= sum_k p_k delta_G(log(1+(t-1)/"
           "gamma), k/z) (Balle, Barthe and Gaboardi 2018).";
  if (zeroes(s->adjacency))
    return "Poisson records, one zeroed or added: (1-q)N(0)+qN(1/z) against N(0), both "
           "directions (Mironov, Talwar and Zhang 2019; Zhu, Dong and Wang 2022).";
  return "Poisson records, one replaced: (1-q)N(0)+qN(1/z) against (1-q)N(0)+qN(-1/z) "
         "(Zhu, Dong and Wang 2022).";
}

/* Who the neighbours are, how records or pairs are drawn. */
static void read_draw(mechanism *m, int drawn, int alone) {
  dppair_sampling *s = &m->step.sampling;
  if (!drawn) {
    const int objective = dppair_mechanism_is_objective_(m->step.kind);
    if (objective) m->step.ridge = number("ridge");
    if (objective && !(m->step.ridge > 0.0)) die_usage("--ridge must be positive");
    if (!alone || (objective && optional("adjacency") != NULL) ||
        (m->step.kind == DPPAIR_GAUSSIAN && optional("clip") != NULL))
      m->adjacency = read_adjacency();
    return;
  }
  s->kind = read_sampling_kind();
  m->adjacency = s->adjacency = read_adjacency();
  if (s->kind == DPPAIR_ALLOCATION && m->step.kind == DPPAIR_SAMPLED_PAIRS)
    die("a plain sum over the pairs of an allocated batch has no bound: it moves by more the larger "
        "the batch is; divide all pairs by n/T (|B|-1), or match the batch, and charge "
        "sampled-gaussian with the move of that (budget sensitivity --kind batch)");
  if (s->kind == DPPAIR_ALLOCATION)
    read_allocation(m);
  else if (m->step.kind == DPPAIR_SAMPLED_PAIRS)
    read_pair_rate(m);
  else
    read_record_rate(m);
  if (m->batch > 0.0) {
    m->epoch[0] = (double)count("n");
    m->epoch[1] = m->batch;
  }
}

/* Reads --mechanism and its parameters from the current group. `alone`: the only one, so that its
 * neighbours need not be named. */
static mechanism read_mechanism(int alone) {
  const char *words[MECHANISMS] = {NULL};
  mechanism m;
  int k;
  memset(&m, 0, sizeof m);
  for (k = 1; k < MECHANISMS; k++) words[k - 1] = dppair_mechanism_name((dppair_mechanism_kind)k);
  k = word("mechanism", words) + 1;
  m.step.kind = (dppair_mechanism_kind)k;
  read_draw(&m, mechanisms[k].drawn, alone);
  read_steps(&m);
  if (mechanisms[k].own) {
    m.step.noise_multiplier = number(mechanisms[k].noise_key);
    m.noise_given = 1;
    if (!(m.step.noise_multiplier > 0.0))
      die_usage("--%s must be positive", mechanisms[k].noise_key);
  } else {
    m.noise_name = mechanisms[k].noise_key;
    read_noise(&m);
  }
  explain(mechanisms[k].drawn ? sampling_source(&m) : mechanisms[k].source);
  return m;
}

/* What a step draws: the units that are protected, or records while users are. */
static const char *unit_word(const dppair_sampling *s, int many) {
  const int user = s->adjacency == DPPAIR_REPLACE_USER || s->adjacency == DPPAIR_ZERO_USER;
  if (user && s->owned == 0) return many ? "persons" : "person";
  if (s->adjacency == DPPAIR_REPLACE_QUERY || s->adjacency == DPPAIR_ZERO_QUERY)
    return many ? "queries" : "query";
  return many ? "records" : "record";
}

/* What the noise multiplier divides by. */
static const char *move_words(const mechanism *m) {
  static char words[96];
  if (m->step.kind == DPPAIR_SAMPLED_PAIRS)
    return m->step.sampling.group > 2 ? "the clip of one group's vector"
                                      : "the clip of one pair's vector";
  if (m->step.kind == DPPAIR_LAPLACE) return "the l1 sensitivity";
  if (dppair_mechanism_is_objective_(m->step.kind)) return "the steepest slope times the radius";
  if (m->step.kind == DPPAIR_SAMPLED_SKELLAM) return "the integers' move when a record is zeroed";
  if (!mechanisms[m->step.kind].drawn) return "the sensitivity";
  if (dppair_sampling_is_random_(m->step.sampling.kind)) {
    snprintf(words, sizeof words, "the clip: the sum's move when one %s is added or zeroed",
             unit_word(&m->step.sampling, 0));
    return words;
  }
  if (m->step.sampling.owned > 0) return "what one record of a batch moves it";
  return "twice the clip: the sum's move when one term is replaced";
}

static const char *neighbour_words(dppair_adjacency adjacency) {
  switch ((int)adjacency) {
  case DPPAIR_REPLACE_ONE:
    return "one record replaced";
  case DPPAIR_ZERO_OUT:
    return "one record added, removed or zeroed";
  case DPPAIR_REPLACE_USER:
    return "all records of one person replaced";
  case DPPAIR_ZERO_USER:
    return "one person added, removed or zeroed";
  case DPPAIR_REPLACE_QUERY:
    return "one query replaced";
  case DPPAIR_ZERO_QUERY:
    return "one query added, removed or zeroed";
  default:
    return "";
  }
}

/* One line that says how the mechanism was understood. */
static void put_mechanism(const mechanism *m) {
  const dppair_step *t = &m->step;
  const char *unit = m->adjacency != 0 ? ", neighbours: " : "";
  char drawn[128] = "";
  if (t->ridge > 0.0) snprintf(drawn, sizeof drawn, " ridge %.12g,", t->ridge);
  if (t->sampling.kind != DPPAIR_ALL) {
    const char *name = dppair_sampling_name(t->sampling.kind);
    if (t->pair_rate > 0.0)
      snprintf(drawn, sizeof drawn, " %s rate %.12g of %lu records' pairs,", name, t->pair_rate,
               (unsigned long)t->sampling.n);
    else if (t->sampling.kind == DPPAIR_ALLOCATION)
      snprintf(drawn, sizeof drawn, " %s to %lu of %lu batches, epochs charged %lu,", name,
               (unsigned long)t->sampling.group, (unsigned long)t->sampling.batches,
               (unsigned long)((t->steps - 1) / t->sampling.batches + 1));
    else if (t->sampling.m > 0)
      snprintf(drawn, sizeof drawn, " %s %lu of %lu,", name, (unsigned long)t->sampling.m,
               (unsigned long)t->sampling.n);
    else
      snprintf(drawn, sizeof drawn, " %s q %.12g,", name, t->sampling.q);
  }
  if (m->noise_name == NULL)
    put_item("mechanism", "%s%s %s %.12g a step, %lu steps%s%s", dppair_mechanism_name(t->kind),
             drawn, t->kind == DPPAIR_ZCDP ? "rho" : "epsilon", t->noise_multiplier,
             (unsigned long)t->steps, unit, neighbour_words(m->adjacency));
  else
    put_item("mechanism", "%s%s %s %.12g = %s over %s, %lu steps%s%s",
             dppair_mechanism_name(t->kind), drawn,
             has_scale(t->kind) ? "scale" : "noise multiplier", t->noise_multiplier,
             has_scale(t->kind) ? "scale" : "sigma", move_words(m), (unsigned long)t->steps, unit,
             neighbour_words(m->adjacency));
}

/* ---- Accounts -------------------------------------------------------------------------------- */

enum { MOST_MECHANISMS = 32 };

/* What a command line describes: a ledger, if any, and mechanisms. */
typedef struct account {
  mechanism part[MOST_MECHANISMS];
  size_t parts;
  int open; /* the part whose noise is to be found, -1: none */
  dppair_accountant ledger;
  const char *ledger_file;
  dppair_adjacency adjacency; /* of all parts; 0: not stated */
} account;

/* The whole file; malloc'ed. */
static char *read_file(const char *path, size_t *length) {
  size_t room = 1 << 16;
  struct stat what;
  char *text;
  FILE *file;
  *length = 0;
  if (stat(path, &what) != 0) die("%s: %s", path, strerror(errno));
  if (!S_ISREG(what.st_mode)) die("%s: not a regular file", path);
  file = fopen(path, "rb");
  if (file == NULL) die("%s: %s", path, strerror(errno));
  text = (char *)malloc(room);
  while (text != NULL) {
    const size_t got = fread(text + *length, 1, room - *length, file);
    *length += got;
    if (*length < room) break;
    room *= 2;
    {
      char *larger = (char *)realloc(text, room);
      if (larger == NULL) free(text);
      text = larger;
    }
  }
  if (text == NULL) die("%s: out of memory", path);
  if (ferror(file)) die("%s: cannot be read", path);
  fclose(file);
  return text;
}

static void same_neighbours(account *a, dppair_adjacency adjacency, const char *who) {
  if (adjacency == 0) return;
  if (a->adjacency != 0 && a->adjacency != adjacency)
    die_usage("%s protects against %s, what stands before it against %s: they do not compose", who,
              neighbour_words(adjacency), neighbour_words(a->adjacency));
  a->adjacency = adjacency;
}

/* No lines at all are no evidence that nothing was spent, and neighbours that nobody stated are not
 * to be guessed. */
static void read_ledger(account *a, const char *path) {
  static const char old[] = "{\"dppair\":1,";
  size_t length, bad, line, start = 0;
  char *text = read_file(path, &length);
  const dppair_status status = dppair_ledger_replay(&a->ledger, &bad, text, length);
  for (line = 1; line < bad; line++)
    start = (size_t)((char *)memchr(text + start, '\n', length - start) - text) + 1;
  if (bad > 0 && length - start >= sizeof old - 1 && memcmp(text + start, old, sizeof old - 1) == 0)
    die("%s:%lu: a line of version 1, which has neither number nor check: a lost line would not "
        "show, so it is not read",
        path, (unsigned long)bad);
  if (status != DPPAIR_OK)
    die("%s:%lu: %s", path, (unsigned long)bad, dppair_status_string(status));
  free(text);
  if (a->ledger.sequence == 0)
    die("%s: an empty ledger: nothing was recorded, or the file was lost", path);
  if (a->ledger.adjacency == 0) die("%s: the ledger does not state its neighbours", path);
  a->adjacency = a->ledger.adjacency;
}

/* The ledger and all mechanisms of the command line; with_noise: each states its noise, else
 * exactly one leaves it out. */
static void read_account(account *a, int with_noise) {
  const char *path = optional_anywhere("ledger");
  const int no_mechanism = groups() == 1 && optional("mechanism") == NULL;
  size_t i;
  memset(a, 0, sizeof *a);
  a->open = -1;
  a->ledger_file = path;
  dppair_accountant_init(&a->ledger);
  if (groups() > MOST_MECHANISMS) die_usage("more than %d mechanisms", (int)MOST_MECHANISMS);
  if (path != NULL) read_ledger(a, path);
  if (path != NULL && with_noise && no_mechanism) return;
  for (i = 0; i < groups(); i++) {
    mechanism *m = &a->part[a->parts++];
    use_group(i);
    *m = read_mechanism(groups() == 1 && path == NULL);
    same_neighbours(a, m->adjacency, dppair_mechanism_name(m->step.kind));
    if (m->noise_given) continue;
    if (with_noise)
      die_usage("--%s is required%s", m->noise_name, m->clip > 0.0 ? ", or --sigma" : "");
    if (a->open >= 0) die_usage("two mechanisms without noise: only one can be calibrated");
    a->open = (int)i;
  }
  use_group(0);
  if (!with_noise && a->open < 0) die_usage("calibrate: no mechanism whose noise is left out");
}

/* The whole account, the open part at this noise. */
static dppair_status charge(dppair_accountant *to, const account *a, double noise) {
  dppair_status status = DPPAIR_OK;
  size_t i;
  *to = a->ledger;
  if (a->adjacency != 0) status = dppair_accountant_neighbours(to, a->adjacency);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < a->parts; i++) {
    dppair_step step = a->part[i].step;
    if ((int)i == a->open) step.noise_multiplier = noise;
    status = dppair_accountant_step(to, &step);
    if (status != DPPAIR_OK) return status;
  }
  return DPPAIR_OK;
}

static void put_account(const account *a) {
  size_t i;
  if (a->ledger_file != NULL) {
    put_count("ledger_lines", (double)a->ledger.sequence);
    put_text("ledger_check", "%08lx%08lx", (unsigned long)(a->ledger.check >> 32),
             (unsigned long)(a->ledger.check & UINT32_MAX));
    put_text("neighbours", "%s", neighbour_words(a->adjacency));
  } else if (a->adjacency == 0) {
    put_text("neighbours", "unstated: those that the noise was chosen for");
  }
  for (i = 0; i < a->parts; i++) put_mechanism(&a->part[i]);
}

/* ---- Questions ------------------------------------------------------------------------------- */

typedef struct question {
  int renyi;
  dppair_route route;
  double delta;   /* epsilon at this delta, or ... */
  double epsilon; /* ... delta at this epsilon */
  int for_delta;
} question;

static void read_question(question *q, int for_delta) {
  static const char *const accountants[] = {"pld", "rdp", NULL};
  static const char *const routes[] = {"best", "closed", "contour", "fft", NULL};
  const char *text;
  int i;
  memset(q, 0, sizeof *q);
  q->for_delta = for_delta;
  if (for_delta) {
    q->epsilon = to_number("epsilon", required_anywhere("epsilon"));
    if (q->epsilon < 0.0) die_usage("--epsilon is negative");
  } else {
    q->delta = to_number("delta", required_anywhere("delta"));
    if (!(q->delta >= 0.0 && q->delta < 1.0)) die_usage("--delta must lie in [0, 1)");
  }
  text = optional_anywhere("accountant");
  for (i = 0; text != NULL && strcmp(text, accountants[i]) != 0;)
    if (accountants[++i] == NULL) die_usage("--accountant: unknown value: %s", text);
  q->renyi = i == 1;
  text = optional_anywhere("route");
  for (i = 0; text != NULL && strcmp(text, routes[i]) != 0;)
    if (routes[++i] == NULL) die_usage("--route: unknown value: %s", text);
  if (text != NULL && q->renyi) die_usage("--route has no effect with --accountant rdp");
  q->route = q->renyi ? DPPAIR_ROUTE_RENYI : (dppair_route)i; /* in the order of the words */
}

static const char *route_words(dppair_route route) {
  switch (route) {
  case DPPAIR_ROUTE_CLOSED:
    return "closed form";
  case DPPAIR_ROUTE_CONTOUR:
    return "contour";
  case DPPAIR_ROUTE_LATTICE:
    return "lattice";
  case DPPAIR_ROUTE_BOTH:
    return "contour and lattice";
  case DPPAIR_ROUTE_RENYI:
    return "Renyi";
  case DPPAIR_ROUTE_PURE:
    return "sum of pure epsilons";
  case DPPAIR_ROUTE_BEST:
    break;
  }
  return "composition";
}

/* For any answer that needs composition. */
static const dppair_composer *composing(void) {
  static dppair_composer composer;
  if (composer.work == NULL) {
    size_t bytes;
    void *space;
    need(dppair_composer_workspace(&bytes, NULL));
    space = malloc(bytes);
    if (space == NULL) die("out of memory for %lu bytes", (unsigned long)bytes);
    need(dppair_composer_init(&composer, space, bytes));
  }
  return &composer;
}

/* The tightest certified answer, or that of the route that was asked for. */
static dppair_status enclose(dppair_interval *out, const dppair_accountant *a, const question *q) {
  const dppair_given given = q->for_delta ? DPPAIR_GIVEN_EPSILON : DPPAIR_GIVEN_DELTA;
  const double value = q->for_delta ? q->epsilon : q->delta;
  if (q->route != DPPAIR_ROUTE_BEST)
    return dppair_accountant_by_route(out, a, q->route, given, value, composing());
  return q->for_delta ? dppair_accountant_delta(out, a, value, composing())
                      : dppair_accountant_epsilon(out, a, value, composing());
}

static void explain_route(dppair_route route) {
  if (route == DPPAIR_ROUTE_CLOSED)
    explain(
        "Answered in closed form by the exact Gaussian curve (Balle and Wang 2018; Dong, Roth and "
        "Su 2022), or for one run of one step, and for one objective beside Gaussian steps, by a sum "
        "of such curves.");
  else if (route == DPPAIR_ROUTE_CONTOUR || route == DPPAIR_ROUTE_BOTH)
    explain("Answered by the contour integral of the composed moment function, whose aliases are "
            "positive; certified on both sides.");
  else if (route == DPPAIR_ROUTE_LATTICE)
    explain("Answered by a tilted Fourier transform of the composed losses, rounded to a lattice "
            "on both sides.");
  else if (route == DPPAIR_ROUTE_RENYI)
    explain("Answered by the best Renyi order (Canonne, Kamath and Steinke 2020, Proposition 12): "
            "an upper bound.");
  else
    explain("Answered by the sum of the steps' own epsilons.");
}

/* ---- The answer in words --------------------------------------------------------------------- */

/* How the records of each mechanism must be drawn for the figure to hold. */
static void state_draw(const mechanism *m) {
  const dppair_sampling *s = &m->step.sampling;
  const char *one = unit_word(s, 0), *many = unit_word(s, 1);
  switch (s->kind) {
  case DPPAIR_POISSON:
    if (m->step.pair_rate > 0.0)
      state("Each step must draw every pair of %s by a coin of its own, of probability %.6g.", many,
            m->step.pair_rate);
    else
      state("Each step must draw every %s by a coin of its own, of probability %.6g, so that "
            "the size of a batch varies.",
            one, s->q);
    break;
  case DPPAIR_WITHOUT_REPLACEMENT:
    state("Each step must draw a fresh uniform subset of %s, of fixed size, independent of other "
          "steps.",
          many);
    if (s->owned > 0)
      state("No person may own more than %lu of the %lu records.", (unsigned long)s->owned,
            (unsigned long)s->n);
    break;
  case DPPAIR_WITH_REPLACEMENT:
    state("Each step must make its draws anew, each uniform and independent of all others.");
    if (s->group > 2)
      state("A draw is of a group of %lu different %s.", (unsigned long)s->group, many);
    break;
  case DPPAIR_MATCHING:
    if (s->group > 2)
      state("Each step must draw a fresh uniform subset of fixed size and put it into groups of "
            "%lu at random.",
            (unsigned long)s->group);
    else
      state("Each step must draw a fresh uniform subset of fixed size and pair it at random.");
    break;
  case DPPAIR_ALLOCATION:
    state("Each epoch must put every %s into %lu of its %lu batches, all choices equally "
          "likely, independent of all other %s and epochs, so that the size of a batch "
          "varies; an epoch that was begun counts whole.",
          one, (unsigned long)s->group, (unsigned long)s->batches, many);
    state("Without one %s a batch's sum must move by at most what the multiplier divides, "
          "however large the batch is: a plain sum over its pairs does not.",
          one);
    if (zeroes(s->adjacency))
      state("A neighbour lacks the %s in the allocation; a null that keeps its place is covered "
            "only where the divisor does not count it.",
            one);
    break;
  default:
    return;
  }
  if (strcmp(one, "record") != 0) state("A %s is drawn with all its records, or not at all.", one);
  state("Passes over shuffled data, or batches in the order of a file, are NOT covered.");
}

/* What must hold besides. */
static void state_conditions(const account *a) {
  size_t i;
  for (i = 0; i < a->parts; i++) {
    const mechanism *m = &a->part[i];
    if (a->parts > 1 && (m->step.sampling.kind != DPPAIR_ALL || m->clip > 0.0))
      state("Mechanism %lu:", (unsigned long)(i + 1));
    state_draw(m);
    if (m->step.ridge > 0.0)
      state("The loss must be convex and fall, no row longer than the radius, and w the exact "
            "minimiser: noise that hides how far it is from that is charged besides.");
    if (m->clip > 0.0)
      state("Every term of the sum must be clipped to %.17g before the noise is added.", m->clip);
  }
  state("Nothing else may depend on the records: neither steps, batch, clip, nor a choice among "
        "runs.");
}

static void state_answer(const account *a, double epsilon, double delta) {
  const double best = exp(fmin(epsilon, 700.0));
  char e[32], d[32];
  size_t i, steps = 0;
  rounded(e, sizeof e, epsilon, 1);
  rounded(d, sizeof d, delta, 1);
  for (i = 0; i < a->parts; i++) steps += a->part[i].step.steps;
  if (a->ledger_file == NULL)
    state("All that these %lu steps release, taken together, is (%s, %s)-differentially private",
          (unsigned long)steps, e, d);
  else
    state("All that the ledger's steps and %lu more release, taken together, is (%s, %s)-"
          "differentially private",
          (unsigned long)steps, e, d);
  state("for neighbouring data sets that differ in %s:",
        a->adjacency != 0 ? neighbour_words(a->adjacency)
                          : "what the stated sensitivities were computed for");
  state("an outcome of probability p under one of them has at most e^%s p + %s under the other.", e,
        d);
  state("Whoever knows everything else and has to tell which of the two was used, both equally "
        "likely beforehand, is right with probability at most %.4f.",
        fmin(1.0, (best + delta) / (1.0 + best) + 5e-5));
  state_conditions(a);
}

/* ---- Commands over accounts ------------------------------------------------------------------ */

static void answer(int for_delta) {
  static account a;
  dppair_accountant whole;
  question q;
  dppair_interval e;
  read_question(&q, for_delta);
  read_account(&a, 1);
  no_other_keys();
  need(charge(&whole, &a, 0.0));
  put_account(&a);
  need(enclose(&e, &whole, &q));
  if (q.renyi && !for_delta) {
    put("epsilon", e.upper);
    put("order", e.order);
    explain("epsilon = min over orders a of T r(a) + log(1-1/a) - log(a delta)/(a-1) (Canonne, "
            "Kamath and Steinke 2020, Proposition 12).");
  } else if (q.renyi) {
    put("delta", e.upper);
  } else {
    put_text("route", "%s", route_words(e.route));
    put(for_delta ? "delta_upper" : "epsilon_upper", e.upper);
    put(for_delta ? "delta_lower" : "epsilon_lower", e.lower);
    put(for_delta ? "delta_estimate" : "epsilon_estimate", e.estimate);
    explain_route(e.route);
  }
  state_answer(&a, for_delta ? q.epsilon : e.upper, for_delta ? e.upper : q.delta);
}

static void command_epsilon(void) { answer(0); }
static void command_delta(void) { answer(1); }

/* ---- The best attack ------------------------------------------------------------------------- */

/* Rates of false positives: of the table, and of the picture. */
enum { MOST_RATES = 16, PICTURE_RATES = 61, COLUMNS = 6 };
static const double usual_rates[] = {0.0001, 0.001, 0.01, 0.05, 0.1, 0.5};

static const table_column attack_columns[COLUMNS] = {
    {"false_positive", 0},      {"true_positive_lower", -1},
    {"true_positive_upper", 1}, {"bayes_factor", 1},
    {"posterior", 1},           {"posterior_at_prior", 1}};

static size_t read_rates(double *rates) {
  const char *text = optional_anywhere("rates");
  char one[64];
  size_t used = 0;
  if (text == NULL) {
    memcpy(rates, usual_rates, sizeof usual_rates);
    return sizeof usual_rates / sizeof *usual_rates;
  }
  for (;;) {
    const size_t length = strcspn(text, ",");
    if (length == 0 || length >= sizeof one) die_usage("--rates: numbers with commas between");
    if (used == MOST_RATES) die_usage("--rates: more than %d", (int)MOST_RATES);
    memcpy(one, text, length);
    one[length] = '\0';
    rates[used] = to_number("rates", one);
    if (!(rates[used] > 0.0 && rates[used] < 1.0)) die_usage("--rates must lie in (0, 1)");
    used++;
    if (text[length] == '\0') return used;
    text += length + 1;
  }
}

/* In percent, two decimals, rounded up. */
static double percent_up(double x) { return fmin(100.0, ceil(1e4 * x) / 100.0); }

/* One sentence for everyone. */
static void put_meaning(const account *a, const dppair_interval *accuracy, double rate,
                        const dppair_interval *found) {
  const char *unit = neighbour_words(a->adjacency);
  put_text("meaning",
           "Whoever knows all else, sees all that is released here and has to tell which of two "
           "neighbouring data sets%s%s%s was used, both equally likely, is right with probability "
           "at most %.2f %% (50 %% is chance); if he may be wrong in %.6g %% of the cases in which "
           "it was the second, he finds at most %.2f %% of those in which it was the first.",
           *unit != '\0' ? " (" : "", unit, *unit != '\0' ? ")" : "", percent_up(accuracy->upper),
           100.0 * rate, percent_up(found->upper));
}

static void draw_attack(const char *path, const dppair_accountant *a,
                        const dppair_interval *accuracy) {
  static double x[PICTURE_RATES], y[2][PICTURE_RATES];
  static dppair_interval found[PICTURE_RATES];
  static const double ends[11] = {0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1};
  svg_series series[3];
  svg_chart chart;
  char subtitle[128];
  size_t i, k;
  int apart = 0;
  for (i = 0; i < PICTURE_RATES; i++) { /* closer near 0 */
    const double part = (double)i / (PICTURE_RATES - 1);
    x[i] = part * part;
  }
  need(dppair_attack_curve(found, x, PICTURE_RATES, a, composing()));
  for (i = 0; i < PICTURE_RATES; i++) {
    y[0][i] = found[i].upper;
    y[1][i] = found[i].lower;
    if (found[i].upper - found[i].lower > 2e-3) apart = 1;
  }
  memset(series, 0, sizeof series);
  memset(&chart, 0, sizeof chart);
  series[0].name = "chance";
  series[0].x = series[0].y = ends;
  series[0].n = 11;
  series[0].reference = 1;
  for (k = 0; k < 2; k++) {
    series[k + 1].name = k == 1 ? "attained" : apart ? "at most" : "best attack";
    series[k + 1].x = x;
    series[k + 1].y = y[k];
    series[k + 1].n = PICTURE_RATES;
    series[k + 1].smooth = 1;
  }
  snprintf(subtitle, sizeof subtitle,
           "right at most %.2f %% of the time if both are equally likely",
           percent_up(accuracy->upper));
  chart.title = "Telling two neighbouring data sets apart";
  chart.subtitle = subtitle;
  chart.x_label = "false positives";
  chart.y_label = "true positives";
  chart.series = series;
  chart.count = apart ? 3 : 2;
  if (!svg_write(path, &chart)) die("%s: %s", path, strerror(errno));
}

static void command_attack(void) {
  static account a;
  static double rates[MOST_RATES], cells[MOST_RATES * COLUMNS];
  static dppair_interval found[MOST_RATES];
  const char *svg = optional_anywhere("svg"), *given = optional_anywhere("prior");
  const char *slack = optional_anywhere("delta");
  const double prior = given != NULL ? to_number("prior", given) : 0.5;
  const double delta = slack != NULL ? to_number("delta", slack) : 1e-6;
  const size_t rows = read_rates(rates), columns = given != NULL ? COLUMNS : COLUMNS - 1;
  size_t i;
  dppair_accountant whole;
  dppair_interval even, informed, mu;
  if (!(prior > 0.0 && prior < 1.0)) die_usage("--prior must lie in (0, 1)");
  if (!(delta >= 0.0 && delta < 1.0)) die_usage("--delta must lie in [0, 1)");
  read_account(&a, 1);
  no_other_keys();
  if (svg != NULL && a.ledger_file != NULL && strcmp(svg, a.ledger_file) == 0)
    die_usage("--svg would replace the ledger");
  need(charge(&whole, &a, 0.0));
  need(dppair_attack_curve(found, rates, rows, &whole, composing()));
  need(dppair_attack_accuracy(&even, &whole, 0.5, composing()));
  need(dppair_attack_accuracy(&informed, &whole, prior, composing()));
  need(dppair_attack_fit(&mu, &whole, delta, composing()));
  put_account(&a);
  for (i = 0; i < rows; i++) {
    double row[COLUMNS];
    row[0] = rates[i];
    row[1] = found[i].lower;
    row[2] = found[i].upper;
    need(dppair_attack_bayes(&row[3], &row[5], row[0], row[2], prior));
    need(dppair_attack_bayes(&row[3], &row[4], row[0], row[2], 0.5));
    memcpy(cells + i * columns, row, columns * sizeof *row);
  }
  put_table("attacks", attack_columns, columns, cells, rows);
  put("accuracy_upper", even.upper);
  put("accuracy_lower", even.lower);
  if (given != NULL) {
    put("accuracy_at_prior_upper", informed.upper);
    put("accuracy_at_prior_lower", informed.lower);
  }
  put("gdp_delta", delta);
  put("gdp_mu_upper", mu.upper);
  put("gdp_mu_lower", mu.lower);
  put("gdp_mu_estimate", mu.estimate);
  for (i = 0; i + 1 < rows && rates[i] < 0.01; i++) {
  }
  put_meaning(&a, &even, rates[i], &found[i]);
  explain(
      "true positives <= min over epsilon of e^epsilon f + delta(epsilon) and 1 - e^-epsilon (1 "
      "- delta(epsilon) - f), f the false positives (Dong, Roth and Su 2022), certified delta; "
      "the lower ends are attained by two data sets, or are chance where none are known. "
      "Accuracy for equal priors: (1 + delta(0))/2. With gdp_delta beside it the Gaussian curve "
      "of gdp_mu_upper lies above at all epsilon; gdp_mu_estimate is only near.");
  state_conditions(&a);
  if (svg != NULL) draw_attack(svg, &whole, &even);
}

/* ---- Calibration ----------------------------------------------------------------------------- */

typedef struct calibration {
  const account *a;
  question q;
} calibration;

static dppair_status calibration_epsilon(double *epsilon, double value, void *context) {
  const calibration *c = (const calibration *)context;
  dppair_accountant whole;
  dppair_interval e;
  dppair_status status = charge(&whole, c->a, value);
  *epsilon = 0.0;
  if (status != DPPAIR_OK) return status;
  status = enclose(&e, &whole, &c->q);
  *epsilon = e.upper;
  return status;
}

/* What is spent whatever the noise must leave room for it. */
static void check_fixed_cost(const account *a, const calibration *c, double target) {
  account fixed = *a;
  dppair_accountant whole;
  dppair_interval e;
  if (a->parts == 1 && a->ledger_file == NULL) return;
  fixed.parts--;
  fixed.part[a->open] = fixed.part[fixed.parts];
  fixed.open = -1;
  need(charge(&whole, &fixed, 0.0));
  need(enclose(&e, &whole, &c->q));
  if (!(e.upper < target))
    die("calibrate: what is spent already comes to epsilon %.17g, the target is %.17g", e.upper,
        target);
}

static void command_calibrate(void) {
  static account a;
  calibration c;
  const mechanism *m;
  double target, noise, epsilon, guess = 1.0;
  read_question(&c.q, 0);
  target = to_number("epsilon", required_anywhere("epsilon"));
  read_account(&a, 0);
  no_other_keys();
  if (!(target > 0.0)) die_usage("--epsilon must be positive");
  c.a = &a;
  m = &a.part[a.open];
  check_fixed_cost(&a, &c, target);
  if (!mechanisms[m->step.kind].drawn)
    guess = sqrt((double)m->step.steps) / (target < 1.0 ? target : 1.0);
  need(dppair_calibrate_scale(&noise, &epsilon, target, guess, 1e-9, calibration_epsilon, &c));
  a.part[a.open].step.noise_multiplier = noise;
  put_account(&a);
  put(has_scale(m->step.kind) ? "scale" : "noise_multiplier", noise);
  if (m->clip > 0.0) put("sigma", away(noise * m->move, HUGE_VAL));
  put("epsilon_upper", epsilon);
  explain("The safe end of a bracket of relative width 1e-9, certified to give epsilon_upper.");
  state_answer(&a, epsilon, c.q.delta);
}

static void command_rdp(void) {
  const mechanism m = read_mechanism(1);
  const double order = number("order");
  size_t cap = 0;
  double rdp, unpaid;
  if (m.step.sampling.kind != DPPAIR_ALL) cap = count_or("hit-cap", 0);
  no_other_keys();
  if (!m.noise_given) die_usage("--%s is required", m.noise_name);
  if (!(order > 1.0)) die_usage("--order must be larger than 1");
  need(dppair_renyi(&rdp, &unpaid, &m.step, order, cap));
  put_mechanism(&m);
  put("rdp", rdp);
  if (cap > 0) put("unpaid_delta", unpaid);
}

/* ---- The Gaussian curve ---------------------------------------------------------------------- */

#define CURVE                                                                                      \
  "delta = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), mu = sensitivity "          \
  "sqrt(T)/sigma (Balle and Wang 2018; Dong, Roth and Su 2022)."

static void command_gaussian_sigma(void) {
  const double sensitivity = number("sensitivity"), epsilon = number("epsilon");
  const double delta = number("delta");
  const size_t steps = count_or("steps", 1);
  double sigma;
  no_other_keys();
  need(dppair_gaussian_sigma(&sigma, sensitivity, epsilon, delta, steps));
  put("sigma", sigma);
  explain(CURVE);
}

static void command_gaussian_epsilon(void) {
  const double mu = number("mu"), delta = number("delta");
  double epsilon;
  no_other_keys();
  need(dppair_gaussian_epsilon(&epsilon, delta, mu));
  put("epsilon", epsilon);
  explain(CURVE);
}

static void command_gaussian_delta(void) {
  const double mu = number("mu"), epsilon = number("epsilon");
  double delta, log_delta = -HUGE_VAL;
  no_other_keys();
  need(dppair_gaussian_delta(&delta, epsilon, mu));
  if (mu > 0.0) need(dppair_gaussian_log_delta(&log_delta, epsilon, mu));
  put("delta", delta);
  put("log_delta", log_delta);
  explain(CURVE);
}

static void command_last_iterate(void) {
  const double sensitivity = number("sensitivity"), sigma = number("sigma");
  const double smoothness = number("smoothness"), alpha = number("alpha"), eta = number("eta");
  const size_t steps = count("steps");
  const double diameter = number_or("diameter", HUGE_VAL), delta = number_or("delta", -1.0);
  double mu, epsilon;
  no_other_keys();
  if (!(alpha > 0.0) && diameter >= HUGE_VAL)
    die("without strong convexity (--alpha) or a bounded set (--diameter) no step forgets the one "
        "before: the last iterate is worth what all of them are, mu = sqrt(T) sensitivity/sigma");
  if (eta * smoothness > 2.0) die("--eta is above 2/smoothness: such a step does not contract");
  need(dppair_gaussian_mu_last_iterate(&mu, sensitivity, sigma, smoothness, alpha, eta, steps,
                                       diameter));
  if (delta >= 0.0) need(dppair_gaussian_epsilon(&epsilon, delta, mu));
  put("mu", mu);
  if (delta >= 0.0) put("epsilon", epsilon);
  explain("D sqrt((1 - c^T)/(1 + c^T) (1 + c)/(1 - c)), D = sensitivity/sigma, c = max(|1 - eta "
          "alpha|, |1 - eta L|); in a set of bounded diameter also from the last k steps alone. "
          "Shifted interpolation (Bok, Su and Altschuler 2024). Only the last iterate may leave "
          "the run: no other one, no loss or norm of a gradient, no average, no early stop.");
}

/* ---- Sensitivities --------------------------------------------------------------------------- */

static double read_diameter(void) {
  const char *text = required("diameter");
  double value;
  if (strcmp(text, "inf") == 0) return 0.0; /* how dppair_uas says unbounded */
  value = to_number("diameter", text);
  if (!(value > 0.0)) die_usage("--diameter must be positive, or inf");
  return value;
}

static dppair_uas read_uas(void) {
  static const char *const structures[] = {"general", "ranking", NULL};
  dppair_uas u;
  memset(&u, 0, sizeof u);
  u.n = count("n");
  u.eta = number("eta");
  u.lipschitz = number("lipschitz");
  u.diameter = read_diameter();
  u.loss = optional("structure") != NULL && word("structure", structures) == 1 ? DPPAIR_UAS_RANKING
                                                                               : DPPAIR_UAS_CONVEX;
  explain(u.loss == DPPAIR_UAS_RANKING ? "Stability of pairwise SGD, ranking structure: c = eta G;"
                                       : "Stability of pairwise SGD, convex loss: c = 2 eta G;");
  explain("d <- min(sqrt(d^2 + c^2 (1-r)^2) + c r, diameter).");
  return u;
}

/* One whole number below n per line; the array is malloc'ed. */
static size_t *read_indices(const char *path, size_t n, size_t *length) {
  FILE *file = fopen(path, "r");
  size_t room = 1024, used = 0, line = 0, *index;
  char text[64];
  if (file == NULL) die("%s: %s", path, strerror(errno));
  index = (size_t *)malloc(room * sizeof *index);
  if (index == NULL) die("%s: out of memory", path);
  while (fgets(text, sizeof text, file) != NULL) {
    char *end;
    unsigned long value;
    line++;
    if (strchr(text, '\n') == NULL && !feof(file))
      die("%s:%lu: line too long", path, (unsigned long)line);
    if (text[strspn(text, " \t\r\n")] == '\0') continue;
    errno = 0;
    value = strtoul(text, &end, 10);
    if (end == text || end[strspn(end, " \t\r\n")] != '\0' || strchr(text, '-') != NULL ||
        errno != 0 || value >= n)
      die("%s:%lu: not a position below --n", path, (unsigned long)line);
    if (used == room) {
      size_t *larger = (size_t *)realloc(index, 2 * room * sizeof *index);
      if (larger == NULL) die("%s: out of memory", path);
      index = larger;
      room *= 2;
    }
    index[used++] = (size_t)value;
  }
  if (ferror(file)) die("%s: cannot be read", path);
  fclose(file);
  if (used == 0) die("%s: no positions", path);
  *length = used;
  return index;
}

static void kind_uas_sequence(void) {
  dppair_uas u = read_uas();
  const char *path = required("indices");
  const double ratio = number_or("ratio", 1.0);
  double sensitivity;
  size_t bytes, *indices;
  void *w;
  no_other_keys();
  indices = read_indices(path, u.n, &u.steps);
  need(dppair_uas_workspace(&bytes, &u, ratio));
  w = malloc(bytes);
  if (w == NULL) die("out of memory for %lu bytes", (unsigned long)bytes);
  need(dppair_sensitivity_uas_sequence(&sensitivity, &u, indices, u.steps, ratio, w, bytes));
  put("sensitivity", sensitivity);
  free(w);
  free(indices);
}

static void kind_uas_quantile(void) {
  dppair_uas u = read_uas();
  const double gamma = number("gamma");
  double sensitivity, failure;
  size_t hits;
  u.steps = count("steps");
  no_other_keys();
  need(dppair_sensitivity_uas_quantile(&sensitivity, &failure, &hits, &u, gamma));
  put("sensitivity", sensitivity);
  put("failure", failure);
  put_count("hits", (double)hits);
}

/* Of a sum over pairs whose totals have norms of at most `unit`. */
static double over_pairs(dppair_levels levels, double unit, dppair_sampling sampling) {
  dppair_pair_unit pair;
  double s;
  memset(&pair, 0, sizeof pair);
  pair.levels = levels;
  pair.unit = unit;
  need(dppair_sensitivity(&s, &pair, &sampling));
  return s;
}

/* Of what a descent returns. */
static double of_descent(double move, const dppair_descent *descent) {
  double s;
  need(dppair_sensitivity_descent(&s, move, descent));
  return s;
}

/* The sensitivity of the mean pair gradient that the output-perturbation kinds start from. */
static double pair_move(void) {
  const size_t n = count("n");
  return over_pairs(DPPAIR_LEVELS_ANY, 2.0 * number("lipschitz"),
                    dppair_sampling_all(n, DPPAIR_REPLACE_ONE));
}

/* The product, which tiny factors must not make 0: what moves would be free. */
static double product(double a, double b, double c, double d) {
  const double value = a * b * c * d;
  if (!(value > 0.0) && a > 0.0 && b > 0.0 && c > 0.0 && d > 0.0) need(DPPAIR_ERR_DOMAIN);
  return value;
}

static double kind_rank_diff(void) {
  const double radius = number("radius"), slope = number("slope");
  const double labels = number("label-bound");
  return over_pairs(DPPAIR_LEVELS_REAL, product(8.0, radius, slope, labels),
                    dppair_sampling_all(count("n"), DPPAIR_REPLACE_ONE));
}

static double kind_rank_ind(void) {
  const double radius = number("radius"), slope = number("slope");
  return over_pairs(DPPAIR_LEVELS_TWO, product(2.0, radius, slope, 1.0),
                    dppair_sampling_all(count("n"), DPPAIR_REPLACE_ONE));
}

static double kind_metric(void) {
  const double radius = number("radius"), same = number("slope-same");
  const double opposite = number("slope-opposite");
  double s;
  need(dppair_sensitivity_metric(&s, radius, same, opposite, count("n"), DPPAIR_REPLACE_ONE));
  return s;
}

static double kind_pgd(void) {
  const double move = pair_move();
  dppair_descent d;
  memset(&d, 0, sizeof d);
  d.output = DPPAIR_LAST_ITERATE;
  d.alpha = number("alpha");
  d.smoothness = number("smoothness");
  d.eta = number("eta");
  d.steps = count_or("steps", 1);
  return of_descent(move, &d);
}

static double kind_pgd_average(void) {
  const double move = pair_move();
  dppair_descent d;
  memset(&d, 0, sizeof d);
  d.output = DPPAIR_MEAN_ITERATE;
  d.smoothness = number("smoothness");
  d.eta = number("eta");
  d.steps = count_or("steps", 1);
  return of_descent(move, &d);
}

static double kind_erm(void) {
  const double move = pair_move();
  dppair_descent d;
  memset(&d, 0, sizeof d);
  d.output = DPPAIR_MINIMISER;
  d.alpha = number("alpha");
  d.tolerance = number_or("tolerance", 0.0);
  return of_descent(move, &d);
}

static double kind_minibatch(void) {
  const dppair_sampling_kind sampling = read_sampling_kind();
  const double clip = number("clip");
  const size_t m = count("m");
  dppair_sampling s = dppair_sampling_poisson(m, m, DPPAIR_REPLACE_ONE); /* of any number of records */
  s.kind = sampling;
  return over_pairs(DPPAIR_LEVELS_ANY, (sampling == DPPAIR_MATCHING ? 1.0 : 2.0) * clip, s);
}

static double kind_record_clip(void) {
  const double record = number("record-clip"), pair = number("clip");
  double s;
  need(dppair_sensitivity_record_clip(&s, record, pair, count("n"), DPPAIR_REPLACE_ONE));
  return s;
}

static double kind_class_counts(void) {
  no_other_keys();
  die("dividing by n+ n- of private labels has no useful bound: with a single positive, replacing "
      "it changes every pair, so the sensitivity is 2C whatever n is; divide by the public n(n-1) "
      "instead (2C/n)");
  return 0.0;
}

/* Of users, owners, queries and groups. */

/* --adjacency, whose words are about the unit that the kind protects. */
static dppair_adjacency read_relation(int unit) {
  static const char *const words[] = {"replace-one", "zero-out", NULL};
  const int zeroed = optional("adjacency") != NULL && word("adjacency", words) == 1;
  return (dppair_adjacency)(unit + (zeroed ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE));
}

/* --pair-unit, --levels, --clip: what is known of the total gradient of an unordered pair. */
static dppair_pair_unit read_pair_unit(void) {
  static const char *const words[] = {"two", "general", "any", NULL};
  dppair_pair_unit pair;
  memset(&pair, 0, sizeof pair);
  pair.levels = DPPAIR_LEVELS_GENERAL;
  if (optional("levels") != NULL) pair.levels = (dppair_levels)(1 + word("levels", words));
  pair.clip = number_or("clip", 0.0);
  if (strcmp(required("pair-unit"), "inf") == 0)
    pair.unit = HUGE_VAL;
  else
    pair.unit = number("pair-unit");
  if (pair.unit >= HUGE_VAL && !(pair.clip > 0.0) && optional("block-clip") == NULL)
    die_usage("--pair-unit inf needs --clip: nothing else bounds the gradient of a pair");
  return pair;
}

/* How the records of a batch are drawn. */
static dppair_sampling read_batch(void) {
  const size_t n = count("n");
  dppair_sampling s = dppair_sampling_all(n, read_relation(DPPAIR_OF_RECORDS_));
  if (strcmp(required("sampling"), "none") == 0) return s;
  s.kind = read_sampling_kind();
  if (s.kind == DPPAIR_ALLOCATION)
    return dppair_sampling_allocation(n, count("batches"), count_or("per-epoch", 1), s.adjacency);
  s.m = count("m");
  if (s.kind == DPPAIR_MATCHING && s.m % 2 != 0)
    die_usage("--m counts records, which a matching takes two by two: it must be even");
  if (!dppair_sampling_is_random_(s.kind) && s.adjacency == DPPAIR_ZERO_OUT)
    die("of a batch of fixed size a null takes the place of another record: zero-out has no smaller "
        "value than replace-one");
  return s;
}

static double kind_batch(void) {
  dppair_pair_unit pair = read_pair_unit();
  dppair_sampling s;
  double found;
  if (optional("matched-over") != NULL) {
    if (!dppair_sampling_is_random_(read_sampling_kind()))
      die_usage("--matched-over is for batches of random size: poisson, allocation");
    s = dppair_sampling_poisson(2, 1, DPPAIR_REPLACE_ONE); /* any: the divisor alone counts */
    pair.matched = number("matched-over");
    if (!(pair.matched > 0.0)) need(DPPAIR_ERR_DOMAIN);
  } else {
    s = read_batch();
  }
  need(dppair_sensitivity(&found, &pair, &s));
  return found;
}

static double kind_user_pairs(void) {
  const dppair_pair_unit pair = read_pair_unit();
  const dppair_adjacency adjacency = read_relation(DPPAIR_OF_USERS_);
  const size_t n = count("n"), owned = count("records");
  dppair_sampling all = dppair_sampling_all(n, adjacency);
  double s;
  if (owned > n) die_usage("--records exceeds --n");
  if (owned == 0) need(DPPAIR_ERR_SIZE);
  all.owned = owned;
  need(dppair_sensitivity(&s, &pair, &all));
  return s;
}

static double kind_user_batch(void) {
  const dppair_pair_unit pair = read_pair_unit();
  const size_t n = count("n");
  dppair_sampling s = dppair_sampling_without_replacement(n, count("m"), DPPAIR_REPLACE_USER);
  double found;
  s.owned = count("records");
  if (s.owned == 0 || s.owned > n || s.m > n) die_usage("--records and --m lie in 1 to --n");
  if (n - s.owned < s.m)
    die("there is a proof only where the other persons' records fill a batch: n - k >= m");
  need(dppair_sensitivity(&found, &pair, &s));
  return found;
}

/* The users of user-weighted pairs: all of them, or how they are drawn. */
static dppair_sampling read_persons(void) {
  const size_t users = count("persons");
  const dppair_adjacency adjacency = read_relation(DPPAIR_OF_USERS_);
  dppair_sampling s = dppair_sampling_all(users, adjacency);
  if (optional("sampling") == NULL) return s;
  s.kind = read_sampling_kind();
  if (s.kind == DPPAIR_ALLOCATION)
    return dppair_sampling_allocation(users, count("batches"), count_or("per-epoch", 1),
                                      adjacency);
  s.m = count("m");
  if (s.kind == DPPAIR_WITHOUT_REPLACEMENT && adjacency == DPPAIR_ZERO_USER)
    die("without replacement a null is drawn in the place of another person: zero-out has no smaller "
        "value than replace-one");
  return s;
}

static double kind_user_weighted(void) {
  static const char *const words[] = {"joint", "separate", "separate-paid", NULL};
  dppair_pair_unit pair = read_pair_unit();
  const dppair_sampling users = read_persons();
  const int weights = optional("class-weights") != NULL ? word("class-weights", words) : 0;
  double s;
  pair.block = number_or("block-clip", 0.0);
  pair.classes = weights == 2;
  if (weights == 1)
    die("separate weights for a person's positives and negatives, each summing to 1, cost 2u/U: "
        "twice the constant of weights that sum to 1 over all records of a person; "
        "--class-weights separate-paid pays for them");
  if (weights == 2 && pair.levels != DPPAIR_LEVELS_TWO)
    die("separate weights for two classes are covered for two label levels only");
  need(dppair_sensitivity(&s, &pair, &users));
  return s;
}

static double kind_owners(void) {
  static const char *const words[] = {"public", "private", "greedy", NULL};
  const dppair_adjacency adjacency = read_relation(DPPAIR_OF_USERS_);
  const double clip = number("clip"), load = number("load");
  const int list = optional("list") != NULL ? word("list", words) : 0;
  double s;
  no_other_keys();
  if (list == 1)
    die("the list of items must be public (or paid for): a person with d partners, each with one "
        "further item with an outsider, has load 1, yet removing him moves those d further weights "
        "from 1/2 to 1");
  if (list == 2)
    die("greedy admission of at most B items per person has no bound: one deletion frees a slot and "
        "the change runs along an alternating path, on which every item flips");
  need(dppair_sensitivity_owners(&s, clip, load, DPPAIR_LIST_PUBLIC, adjacency));
  return s;
}

/* The comma-separated numbers of a key, one for each of `most` queries, or one for all; NULL when
 * it is not given. */
static double *read_list(const char *key, size_t most) {
  const char *text = optional(key);
  double *list;
  size_t used = 0, i;
  if (text == NULL) return NULL;
  list = (double *)malloc(most * sizeof *list);
  if (list == NULL) die("out of memory");
  for (;;) {
    char item[64], *end;
    const size_t length = strcspn(text, ",");
    if (length == 0 || length >= sizeof item || used == most)
      die_usage("--%s: one number for all queries, or one for each", key);
    memcpy(item, text, length);
    item[length] = '\0';
    errno = 0;
    list[used] = strtod(item, &end);
    if (*end != '\0' || errno != 0 || !(list[used] >= 0.0 && list[used] <= 1e300))
      die_usage("--%s: not a number: %s", key, item);
    used++;
    if (text[length] == '\0') break;
    text += length + 1;
  }
  if (used != 1 && used != most)
    die_usage("--%s: one number for all queries, or one for each", key);
  for (i = used; i < most; i++) list[i] = list[0];
  return list;
}

static size_t *read_sizes_of(const char *key, size_t most) {
  double *list = read_list(key, most);
  size_t *sizes, i;
  if (list == NULL) return NULL;
  sizes = (size_t *)malloc(most * sizeof *sizes);
  if (sizes == NULL) die("out of memory");
  for (i = 0; i < most; i++) {
    if (list[i] != floor(list[i]) || list[i] > 9007199254740992.0)
      die_usage("--%s: not a whole number", key);
    sizes[i] = (size_t)list[i];
  }
  free(list);
  return sizes;
}

static double kind_queries(void) {
  static const char *const units[] = {"record", "person", "query", NULL};
  static const char *const answers[] = {"no", "yes", NULL};
  const dppair_pair_unit pair = read_pair_unit();
  const size_t most = count("queries");
  const int unit = word("protect", units);
  dppair_queries q;
  size_t *sizes, *owned;
  double *weights, s;
  if (most < 1 || most > 10000000) die_usage("--queries lies in 1 to 10000000");
  memset(&q, 0, sizeof q);
  q.count = most;
  q.size = sizes = read_sizes_of("sizes", most);
  q.records = owned = unit == 1 ? read_sizes_of("records", most) : NULL;
  q.weight = weights = read_list("weights", most);
  q.clip = number_or("query-clip", 0.0);
  q.moving = unit == 0 && optional("moving") != NULL && word("moving", answers) == 1;
  if (q.size == NULL && unit == 1)
    die("with a person protected the query sizes are declared public (--sizes), and so are caps of a "
        "person's records in each query (--records)");
  if (q.size == NULL && unit == 0 && !q.moving)
    die("a record that stays in its query moves by the smallest size: sizes are public (--sizes); one "
        "that may change its query makes them private (--moving yes)");
  if (q.size == NULL && q.weight != NULL)
    die("with private sizes the mean over the queries of h_q is covered, not weights of one's own");
  if (q.size != NULL && q.moving)
    die("a record that changes its query changes two sizes: they are private then");
  if (q.weight != NULL && q.clip > 0.0)
    die("clipped queries are covered as their mean, not with weights of one's own");
  if (unit == 1 && q.records == NULL) required("records");
  need(dppair_sensitivity_queries(&s, &pair, &q, read_relation(16 * unit)));
  free(sizes);
  free(owned);
  free(weights);
  return s;
}

static double kind_groups(void) {
  static const char *const words[] = {"matching", "with-replacement", "poisson", NULL};
  static const char *const answers[] = {"no", "yes", NULL};
  const double clip = number("clip");
  const dppair_adjacency adjacency = read_relation(DPPAIR_OF_RECORDS_);
  const int dropped = optional("dropped") != NULL && word("dropped", answers) == 1;
  const int way = optional("sampling") != NULL ? word("sampling", words) : 0;
  const size_t n = count("n"), m = count("m");
  dppair_sampling s = dppair_sampling_poisson(n, m, adjacency);
  double found;
  if (way == 0) s = dppair_sampling_groups(n, m, count("group"), adjacency);
  if (way == 1) s = dppair_sampling_with_replacement(n, m, adjacency);
  if (way == 2 && adjacency == DPPAIR_ZERO_OUT && !dropped)
    die("a group whose member becomes null still gives a vector: zero-out needs groups that are dropped "
        "(--dropped yes), or the price of replace-one");
  need(dppair_sensitivity_groups(&found, clip, &s, dropped));
  return found;
}

static double kind_softmax(void) {
  const double clip = number("clip"), temperature = number("temperature");
  double s;
  need(dppair_sensitivity_softmax(&s, clip, temperature, count_or("batch", 0),
                                  read_relation(DPPAIR_OF_RECORDS_)));
  return s;
}

/* One pass over a stream; silent: as long as the buffer fills, unless --silent says otherwise. */
static double kind_stream(void) {
  static const char *const words[] = {"independent", "tree", "square-root", NULL};
  const dppair_pair_unit pair = read_pair_unit();
  const char *buffer = required("buffer");
  dppair_stream stream;
  size_t bytes;
  double s;
  void *work;
  memset(&stream, 0, sizeof stream);
  stream.steps = count("n");
  stream.buffer = strcmp(buffer, "all") == 0 ? SIZE_MAX : to_count("buffer", buffer);
  stream.silent = count_or("silent", stream.buffer < SIZE_MAX ? stream.buffer : 0);
  stream.noise = optional("noise") == NULL
                     ? DPPAIR_PREFIX_SQUARE_ROOT
                     : (dppair_prefix_noise)(DPPAIR_PREFIX_INDEPENDENT + word("noise", words));
  stream.adjacency = read_relation(DPPAIR_OF_RECORDS_);
  need(dppair_sensitivity_prefix_workspace(&bytes, &stream));
  work = malloc(bytes + 1);
  if (work == NULL) die("out of memory for %lu bytes", (unsigned long)bytes);
  need(dppair_sensitivity_prefix(&s, &pair, &stream, work, bytes));
  free(work);
  return s;
}

/* A row is all that there is to a kind beside its function, which reads the keys. */
typedef struct sensitivity_kind {
  const char *name, *synopsis, *formula; /* formula: for --explain, or NULL */
  double (*find)(void);
  void (*act)(void); /* in place of find: prints more than one number */
} sensitivity_kind;

static const sensitivity_kind kinds[] = {
    {"pair-mean", "--n --lipschitz",
     "4 G/n: 2(n-1) of the n(n-1) ordered pairs touch the replaced record, each moves <= 2G.",
     pair_move, NULL},
    {"rank-ind", "--n --radius --slope",
     "2 R s/n: the pair gradients of one partner lie in one set of diameter 2Rs.", kind_rank_ind,
     NULL},
    {"rank-diff", "--n --radius --slope --label-bound (the largest |y|)",
     "8 R s Y/n: the pair gradients of one partner lie in one set of diameter 8RsY.",
     kind_rank_diff, NULL},
    {"metric", "--n --radius --slope-same --slope-opposite",
     "2 V (s_same + s_opposite)/n, V = 4 R^2.", kind_metric, NULL},
    {"pgd", "--n --lipschitz --alpha --smoothness --eta --steps        (last iterate)",
     "4G/(alpha n) (1 - (1 - eta alpha)^T), eta <= 2/(L + alpha): half of Xue et al. 2021, Lemma "
     "1.",
     kind_pgd, NULL},
    {"pgd-average", "--n --lipschitz --smoothness --eta --steps               (mean of w_0..w_T)",
     "2 G eta T/n for the mean of w_0..w_T, eta <= 2/L.", kind_pgd_average, NULL},
    {"erm", "--n --lipschitz --alpha [--tolerance]",
     "4G/(alpha n) + 2 tolerance/alpha, by strong monotonicity of the gradient.", kind_erm, NULL},
    {"minibatch", "--sampling S --m M (records) --clip C",
     "3C/m (poisson, divided by m(|B|-1)), 4C/m (all pairs of m records, or m records matched); for "
     "ranking losses --kind batch says less.",
     kind_minibatch, NULL},
    {"batch",
     "--sampling S --n N --m M (records) --pair-unit U ... [--adjacency A]; allocation: --n N\n"
     "                 --batches T [--per-epoch K]; --sampling S --matched-over B: the batch of poisson\n"
     "                 or allocation put into pairs at random, their sum over B. What\n"
     "                 --noise-multiplier divides for ranking losses; U, C as in user-pairs",
     "Drawn by coins or allocated, over m (|B|-1): u/m for a linear margin (1.5 u/m else), clipped C/m "
     "for two levels; all pairs of m records: u/m for two levels, 2u/m else; matched: one pair is "
     "exchanged.",
     kind_batch, NULL},
    {"record-clip", "--n --record-clip --clip", "[2R + (n-1) min(2R, 2C/(n-1))]/n.",
     kind_record_clip, NULL},
    {"user-pairs",
     "--n --records K --pair-unit U [--clip C] [--levels two|general|any] [--adjacency A]\n"
     "                 a person's K records; U: the largest norm of both orders' gradients together,\n"
     "                 or inf; C: these totals are clipped to it. two: ranking losses of two label\n"
     "                 levels; general (the default): any loss of a linear margin; any: any loss.\n"
     "                 A: replace-one (the default) or zero-out, of the person",
     "u T(n,k)/(n(n-1)) for two levels, T = q(n-q) + floor(k^2/4), q = min(k, floor(n/2)); 2 u q(n-q)"
     "/(n(n-1)) for a linear margin; u k(2n-k-1)/(n(n-1)) for any loss.",
     kind_user_pairs, NULL},
    {"user-batch",
     "--n --m M --records K --pair-unit U ...  (M of n records, persons protected: what\n"
     "                 --noise-multiplier of without-replacement with --records K divides)",
     "u/m for two levels, 2u/m for a linear margin: one record of the batch; the law counts the rest.",
     kind_user_batch, NULL},
    {"user-weighted",
     "--persons P --pair-unit U [--levels ...] [--clip C] [--adjacency A]\n"
     "                 [--sampling S --m M (persons)] [--block-clip B (two persons' total)]\n"
     "                 [--class-weights joint|separate-paid]   weights of sum 1 for each person",
     "u/U for two levels, 2u/U else, zeroed u/U, however many records a person has; m for U where "
     "persons are drawn without replacement; drawn by coins u/m for a linear margin, else 1.5u/m.",
     kind_user_weighted, NULL},
    {"owners", "--clip C --load L [--list public] [--adjacency A]      (items with owners)",
     "C L zeroed, 2 C L replaced: L bounds the weights of one person's items on a public list.",
     kind_owners, NULL},
    {"queries",
     "--queries Q --protect record|person|query --pair-unit U [--sizes M,M,..]\n"
     "                 [--records K,K,..] [--weights W,W,..] [--clip C] [--query-clip C]\n"
     "                 [--moving no|yes] [--levels ...] [--adjacency A]   without --sizes: private",
     "Inside each query as user-pairs, times w_q or 1/(Q m(m-1)); private sizes: u/Q a query, "
     "4u/(3Q) a record that may change its query.",
     kind_queries, NULL},
    {"groups",
     "--n --m M (records) --group G --clip C [--dropped no|yes] [--adjacency A]\n"
     "                 [--sampling matching]; with-replacement, poisson: M groups, their sum",
     "2C/b of the mean of b = m/g groups, zeroed too; C of a sum of groups drawn by themselves.",
     kind_groups, NULL},
    {"softmax", "--clip B --temperature T [--batch M (0: any)] [--adjacency A]   (a sum)",
     "B (4(1-pmin) + 2(b-1) pmax) replaced, B (2(1-pmin) + 2(b-1) pmax) when a row and a column leave.",
     kind_softmax, NULL},
    {"stream",
     "--n N --buffer B|all --pair-unit U [--silent K] [--levels ...] [--clip C]\n"
     "                 [--noise square-root|tree|independent] [--adjacency A]   one pass, each\n"
     "                 record against the last B; K steps (B) at first release nothing",
     "max over i of |C v_i|, v_i = m (1, 1/b, 1/b, ..), m the move of a pair's total: one charge of "
     "this sensitivity over sigma pays for all releases; C the square root of the triangle of ones, "
     "the tree's blocks, or the identity.",
     kind_stream, NULL},
    {"class-counts", "(refused, with the reason)", NULL, kind_class_counts, NULL},
    {"uas-sequence",
     "--n --eta --lipschitz --diameter X|inf --indices FILE [--ratio R]\n"
     "                 [--structure general|ranking]   0-based positions, one per line",
     NULL, NULL, kind_uas_sequence},
    {"uas-quantile",
     "--n --steps --eta --lipschitz --diameter X|inf --gamma X [--structure ...]\n"
     "                                                     -> sensitivity, failure, hits",
     NULL, NULL, kind_uas_quantile}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void command_sensitivity(void) {
  const char *name = required("kind");
  double found;
  size_t k = 0;
  while (k < KINDS && strcmp(kinds[k].name, name) != 0) k++;
  if (k == KINDS) die_usage("--kind: unknown value: %s", name);
  if (kinds[k].act != NULL) {
    kinds[k].act();
    return;
  }
  found = kinds[k].find();
  no_other_keys();
  put("sensitivity", found);
  if (kinds[k].formula != NULL) explain(kinds[k].formula);
}

static void command_uas(void) {
  dppair_uas u = read_uas();
  const double epsilon = number("epsilon"), delta = number("delta");
  double sigma;
  u.steps = count("steps");
  no_other_keys();
  need(dppair_uas_sigma(&sigma, &u, epsilon, delta));
  put("sigma", sigma);
  explain("delta <= sum over N of Pr[Bin(T, 1/n) = N] delta_G(epsilon, sensitivity(N)/sigma).");
}

/* ---- Papers ---------------------------------------------------------------------------------- */

/* The results by number: their names and the formulas that the papers print. */
static const struct {
  const char *name, *formula;
} papers[] = {
#define ROW(id, name, formula) {name, formula},
    DPPAIR_PAPER_TABLE(ROW)
#undef ROW
};
enum { PAPERS = sizeof papers / sizeof *papers };

static void command_paper(void) {
  static const char *const noises[] = {"gaussian", "pure", NULL};
  dppair_paper p;
  dppair_paper_verdict v;
  const char *name = required("result");
  int i;
  memset(&p, 0, sizeof p);
  for (i = 0; i < PAPERS; i++)
    if (strcmp(name, papers[i].name) == 0) break;
  if (i == PAPERS) die_usage("--result: unknown value: %s", name);
  p.result = (dppair_paper_result)i;
  p.n = count("n");
  p.lipschitz = number("lipschitz");
  p.epsilon = number("epsilon");
  p.pure = optional("noise") != NULL && word("noise", noises) == 1;
  if (p.pure || p.result == DPPAIR_NIEWANG2017_PROP1)
    p.delta = number_or("delta", 0.0);
  else
    p.delta = number("delta");
  p.steps = count_or("steps", 1);
  if (p.result == DPPAIR_XUE2021_ALG1) p.alpha = number("alpha");
  if (p.result == DPPAIR_XUE2021_ALG3 || p.result == DPPAIR_YANG2021_THEOREM4)
    p.eta = number("eta");
  if (p.result == DPPAIR_NIEWANG2017_PROP1) {
    p.lambda = number("lambda");
    p.kappa = number("kappa");
  }
  no_other_keys();
  need(dppair_paper_check(&v, &p));
  put("noise_printed", v.noise_printed);
  put("noise_needed", v.noise_needed);
  put_count("sufficient", (double)v.sufficient);
  put("true_epsilon", v.true_epsilon);
  put("true_delta", v.true_delta);
  explain("Printed:");
  explain(papers[i].formula);
}

/* ---- Main ------------------------------------------------------------------------------------ */

static void print_usage(FILE *file) {
  int i;
  size_t k;
  fputs(usage, file);
  fputs(usage_mechanisms, file);
  fputs("kinds of sensitivity (--kind)\n", file);
  for (k = 0; k < KINDS; k++) fprintf(file, "  %-14s %s\n", kinds[k].name, kinds[k].synopsis);
  fputs("\nresults of papers (--result)\n", file);
  for (i = 0; i < PAPERS; i++) fprintf(file, "  %s\n", papers[i].name);
  fputs("\nExit status: 0 ok; 1 the work failed: no proved answer, a file; 2 wrong use: the command\n"
        "line.\n",
        file);
}

typedef struct command {
  const char *name;
  void (*act)(void);
} command;

static const command *find_command(const command *list, const char *name) {
  for (; list->name != NULL; list++)
    if (strcmp(list->name, name) == 0) return list;
  return NULL;
}

int main(int argc, char **argv) {
  static const command commands[] = {{"epsilon", command_epsilon},
                                     {"delta", command_delta},
                                     {"attack", command_attack},
                                     {"calibrate", command_calibrate},
                                     {"rdp", command_rdp},
                                     {"gaussian-sigma", command_gaussian_sigma},
                                     {"gaussian-epsilon", command_gaussian_epsilon},
                                     {"gaussian-delta", command_gaussian_delta},
                                     {"last-iterate", command_last_iterate},
                                     {"sensitivity", command_sensitivity},
                                     {"uas", command_uas},
                                     {"paper", command_paper},
                                     {NULL, NULL}};
  const command *asked;
  int i;
  for (i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      print_usage(stdout);
      if (fflush(stdout) == 0) return 0;
      fprintf(stderr, "budget: %s\n", strerror(errno));
      return EXIT_FAILED;
    }
  }
  if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
    puts("budget (dppair) " DPPAIR_VERSION_STRING);
    return 0;
  }
  calculator_open("budget", argc, argv);
  if (argc < 2) die_usage("a command is missing");
  asked = find_command(commands, argv[1]);
  if (asked == NULL) die_usage("unknown command: %s", argv[1]);
  if (asked->act != command_epsilon && asked->act != command_delta &&
      asked->act != command_attack && asked->act != command_calibrate &&
      (groups() > 1 || wants_statement()))
    die_usage("%s: --and and --statement have no effect here", argv[1]);
  asked->act();
  print_results();
  return 0;
}
