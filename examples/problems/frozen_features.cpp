// SPDX-License-Identifier: MIT
// frozen_features - C++: ranks patients by a head on the features of a frozen network.
//
//     c++ -O1 -I. examples/problems/frozen_features.cpp -lm && ./a.out     from the top folder
//
// A Plan owns a release: its destructor wipes the keys, whichever way a scope is left. A status
// other than OK becomes an exception, and what the call should have filled is zero by then: no
// gradient without noise gets out through a catch.
//
// public      how many records there are, typical values, the frozen network, steps and rate
// neighbours  one training record is replaced; (epsilon, delta) = (4, 1e-4) for both heads together
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#define DPPAIR_NAME smooth // an instance for each loss, side by side
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME kinked
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <vector>

typedef std::vector<double> numbers;
static const std::size_t ALL = 768, TRAIN = 512, COLUMNS = 8, UNITS = 16, STEPS = 4;
static const double delta = 1e-4;
static const double centre[COLUMNS] = {4, 120, 70, 20, 80, 32, 0.5, 33}; // typical: declared
static const double scale[COLUMNS] = {3, 30, 15, 15, 100, 7, 0.3, 12};

static void check(dppair_status s) {
  if (s != DPPAIR_OK) throw std::runtime_error(dppair_status_string(s));
}

// The next `count` records as rows of features within norm 1, positives first. The frozen network:
// a layer of tanh whose weights no record has touched. Points into itself: no copies.
struct Block {
  Block(std::ifstream &file, std::size_t count) : x(count * UNITS), factor(count) {
    std::size_t up = 0, down = count;
    double y, value;
    for (char comma; up < down && file >> y;) {
      double *row = &x[(y > 0.0 ? up++ : --down) * UNITS], a[UNITS] = {0};
      for (std::size_t k = 0; k < COLUMNS && file >> comma >> value; k++)
        for (std::size_t h = 0; h < UNITS; h++)
          a[h] += std::sin(double((h + k) * (h + k) * h)) * (value - centre[k]) / scale[k];
      for (std::size_t h = 0; h < UNITS; h++) row[h] = std::tanh(a[h]) / std::sqrt(double(UNITS));
    }
    if (!file) throw std::runtime_error("no examples/data/pima.csv");
    check(dppair_rows_clip_f64(&rows, factor.data(), x.data(), count, UNITS, UNITS, 1.0));
    rows.positives = up;
  }
  Block(Block &&) = delete;
  numbers x, factor;
  dppair_rows_f64 rows;
};

// What is paid for, until the end of the scope. A release is known by its address: no copies.
struct Plan {
  Plan(dppair_accountant &account, double epsilon_at_end, const dppair_release_keys *keys) {
    dppair_plan plan = dppair_plan(); // what is not asked for is 0
    plan.sampling = dppair_sampling_all(TRAIN, DPPAIR_REPLACE_ONE);
    plan.epsilon = epsilon_at_end, plan.delta = delta, plan.steps = STEPS;
    check(dppair_release_open(&release, &account, &plan, keys)); // after an error it is all zero
  }
  ~Plan() { dppair_release_close(&release); }
  Plan(Plan &&) = delete;
  dppair_release release;
};

struct Loss { // and what the template of the headers generated for it
  const char *name;
  decltype(&smooth_release) release;
  decltype(&smooth_gradient) gradient;
};
static const Loss losses[2] = {{"logistic", smooth_release, smooth_gradient},
                               {"hinge", kinked_release, kinked_gradient}};

// g: released; without a plan as it is, NOT PRIVATE.
static void gradient(numbers &g, const Loss &loss, const Block &b, const numbers &w, Plan *plan) {
  std::vector<char> work(64 * TRAIN); // wiped by a release
  dppair_options options = dppair_options();
  options.work = work.data(), options.bytes = work.size();
  if (plan) return check(loss.release(g.data(), &plan->release, &b.rows, w.data(), &options));
  check(loss.gradient(g.data(), &b.rows, w.data(), &options));
  for (double &one : g) one /= double(TRAIN * (TRAIN - 1));
}

static numbers train(const Loss &loss, const Block &b, Plan *plan) {
  numbers w(UNITS), g(UNITS);
  for (std::size_t t = 0; t < (plan ? STEPS : 20 * STEPS); t++) {
    gradient(g, loss, b, w, plan);
    for (std::size_t k = 0; k < UNITS; k++) w[k] -= 10.0 * g[k];
  }
  return w;
}

// One release more than was paid for: refused, and nothing is left in g.
static void one_too_many(const Loss &loss, const Block &b, Plan &plan) {
  numbers g(UNITS, 1.0);
  try {
    gradient(g, loss, b, numbers(UNITS), &plan);
  } catch (const std::runtime_error &e) { std::printf("one release more: %s\n", e.what()); }
  if (g != numbers(UNITS)) throw std::logic_error("something is left of a refused release");
}

static double auc(const numbers &w, const Block &b) {
  const std::size_t n = b.factor.size(), up = b.rows.positives;
  numbers score(n), room(8 * n);
  double value, *s = score.data();
  check(dppair_scores_f64(s, &b.rows, w.data()));
  check(dppair_auc_not_private_f64(&value, s, up, s + up, n - up, room.data(), 64 * n));
  return value;
}

int main(int argc, char **argv) try {
  uint8_t key[32] = {0}, nonce[DPPAIR_NONCE_SIZE] = {0};
  const dppair_release_keys replay = {key, nonce}, *keys = nullptr; // those of the system
  if (argc == 3 && !std::strcmp(argv[1], "--seed"))
    key[0] = uint8_t(std::atoi(argv[2])), keys = &replay,
    std::printf("simulation, seed %d: noise that can be had again. NOT PRIVATE\n", key[0]);
  else if (argc > 1)
    return std::fputs("usage: frozen_features [--seed 0..255]\n", stderr), 2;
  std::ifstream file("examples/data/pima.csv");
  file.ignore(1000, '\n'); // a header; then label,eight numbers
  const Block learned(file, TRAIN), test(file, ALL - TRAIN);
  dppair_accountant account;
  dppair_interval epsilon;
  check(dppair_accountant_init(&account));
  std::printf("AUC of the others (evaluated without noise, so itself not private):\n");
  std::printf("no data                      %.3f\n", auc(numbers(UNITS), test));
  for (int i = 0; i < 2; i++) {
    const Loss &loss = losses[i]; // below: the account ends at 2, then at 4
    Plan plan(account, 2.0 + 2.0 * i, keys);
    std::printf("private, %-19s %.3f\n", loss.name, auc(train(loss, learned, &plan), test));
    one_too_many(loss, learned, plan);
    std::printf("not private, %-15s %.3f\n", loss.name, auc(train(loss, learned, nullptr), test));
  }
  check(dppair_accountant_epsilon(&epsilon, &account, delta, nullptr));
  return std::printf("epsilon of both              %.10g\n", epsilon.upper) < 0 || std::fflush(stdout) != 0;
} catch (const std::exception &e) {
  return std::fprintf(stderr, "frozen_features: %s\n", e.what()), 1;
}
