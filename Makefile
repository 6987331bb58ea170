# SPDX-License-Identifier: MIT
# dppair is header-only: nothing here has to be built to use it. This file builds the programs in
# examples/, runs the tests and the benchmarks, and installs the headers.
#
#   make            the programs, into build/          make demo     train a private ranking model
#   make test       the tests                          make bench    the speed tables
#   make test-long  what takes longer: optimised, by clang, under the sanitizers
#   make fresh      the README's two commands in a bare Debian, made by debootstrap (as root)
#   make shells     the scripts under other shells, awks and locales: mawk to busybox, LC_ALL=de_DE.UTF-8
#   make quick ONLY=engine TEST=bound    in seconds: the tests with this in their file's path and name
#   make headers    the four headers, the modules, dppair_declare.h and clib.json, out of the chapters in src/
#   make bench USER_LOSS=my.h   a loss of one's own on every tier; bench/compare: two measurements or revisions
#   make bench-test     the benchmarks' own tests on every tier (make test: on one)
#   make compile-cost   seconds and bytes of small programs, beside a budget; UPDATE=1 makes these the budget
#   make install    headers, pkg-config, CMake files   make lint     warnings, static analysis, format
#   make install-programs    the programs, their manual pages, completion for bash and zsh; make man
#   make dist       tarball, single file, checksums        make deb      a Debian package
#   make library    libdppair.so and .a, to be used with declarations alone; make install-library
#   make docs       the manual, with Doxygen           make experiments     the papers' tables, curves
#   make pairs-table    do pairs pay against single records? docs/when_pairs_pay.md; three minutes
#   make frontier   searches for what exceeds a proved constant, FRONTIER=20000 tries
#   make attack     10000 random accounts against an oracle of its own
#   make attack-evaluation   private evaluation on all neighbours of up to 8 records
#   make audit      every method and program on neighbours, by replay
#   make canaries   lower bounds on epsilon by statistics; make audit-long: from more runs
#   make evaluation-table   how often private intervals cover, cell by cell
#   make stream-test   training from files in passes: as in memory, killed and gone on with, faults
#   make coverage   branches of the headers that the tests take; fails below 98 of 100
#   make freestanding   without a C library: symbols, text, stack and bits of each compiler
#   make faults     every allocation, read, write, sync and signal of the programs fails, one at a time
#   make soak       training killed and gone on with at random, SOAK_SECONDS=600; memory at 10^6 records
#   make matrix     the same bits under every compiler and processor that is installed
#   make mutate     do the tests notice a changed line? MUTATE=noise for one group: tests/mutate/mutate.py
#   make claims     the figures of the README, the guide and the tutorial against what the programs print
#   make secrets    what releases leave on the stack, in registers, in workspaces: tiers, gcc and clang
#   make exhaust    the noise on all inputs, by proofs and solvers; EXHAUST=256: every 256th row only
#   make sites-test    three sites that do not show their records, against one process
#   make mpi        the programs of several ranks, where MPI is installed; make mpi-test
#   make problems   the examples of examples/problems/, a file each
#   make contrastive-picture    an embedding of shipped data, private and not: docs/contrastive.md
#   make threads    gradients on 1, 2 and 4 threads: equal bits, and how much sooner; make threads-test
#   make scale-table   private gradients over 10^9 generated records, and over ranks: docs/scale.md

CC       ?= cc
CFLAGS   ?= -O2
PREFIX   ?= /usr/local
BUILD    ?= build
PYTHON   ?= python3

# as many jobs as processors, unless the caller says otherwise
ifeq ($(findstring j,$(firstword -$(MAKEFLAGS)))$(INNER),)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 1)
endif

HEADERS  := dppair.h dppair_losses.h dppair_noise.h dppair_accountant.h
MODULES_ALL := $(wildcard modules/*.h)
HEADERS  := $(wildcard $(HEADERS)) $(MODULES_ALL)
DECLARED := dppair_declare.h
STRICT   := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla
CSTD     := -std=c99
LDLIBS   := -lm
EMPTY    :=
SPACE    := $(EMPTY) $(EMPTY)

MAINS    := $(patsubst %.c,$(BUILD)/%.o,$(wildcard examples/programs/*.c examples/papers/*.c))
TABLES   := $(BUILD)/examples/papers/tables.o
ALONE    := $(BUILD)/examples/papers/pairs_pay.o # a program by itself, of the headers only
MAINS    := $(filter-out $(TABLES) $(ALONE),$(MAINS))
PROGRAMS := $(patsubst %.o,$(BUILD)/%,$(notdir $(MAINS)))
support   = $(patsubst %,$(BUILD)/examples/programs/support/%.o,$(1))
methods   = $(patsubst %,$(BUILD)/examples/programs/methods/%.o,$(1))
SUPPORT  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard examples/programs/support/*.c examples/programs/methods/*.c))
EXAMPLE_HEADERS := $(wildcard examples/programs/*/*.h examples/papers/*.h)

.PHONY: headers all demo experiments experiments-quick test test-long quick clean lint fuzz install uninstall single bench
.PHONY: audit audit-build audit-long canaries attack attack-evaluation evaluation-table matrix test-stats bench-json bench-svg bench-peers bench-programs bench-auto roofline roofline-svg docs secrets
.PHONY: fuzz-brief fuzz-keep fuzz-long
.PHONY: freestanding
all: $(PROGRAMS)

.SECONDARY: $(SUPPORT) $(MAINS)   # else make deletes the objects after linking

# One line for all of them, where something has to be compiled; V=1 shows the commands.
WHAT   := the programs
HUSHED := $(findstring s,$(firstword -$(MAKEFLAGS)))
hush = $(if $(V),,$(if $(HUSHED),,$(eval HUSHED := 1)$(info compiling $(WHAT) ... (V=1 shows the commands)))@)

# The four headers and the modules are written in src/, in chapters, and committed as this makes them, with what
# they declare and with a packager's list of them. Whoever only uses them never needs it.
headers:
	sh src/headers.sh
	@sh packaging/declarations.sh > $(DECLARED).new
	@if cmp -s $(DECLARED).new $(DECLARED); then rm $(DECLARED).new; else mv $(DECLARED).new $(DECLARED); fi
	@sh packaging/clib.sh > clib.json.new
	@if cmp -s clib.json.new clib.json; then rm clib.json.new; else mv clib.json.new clib.json; fi

# Parts shared by the programs: reading data, splits, reports, pictures, and the methods themselves.
PROGRAM_CC = $(CC) $(FIRST) $(CSTD) $(CFLAGS) $(STRICT) -D_POSIX_C_SOURCE=200809L -I. -Imodules -Iexamples -Iexamples/programs
$(BUILD)/examples/%.o: examples/%.c $(HEADERS) $(EXAMPLE_HEADERS)
	@mkdir -p $(@D)
	$(hush)$(PROGRAM_CC) -c $< -o $@

# Reading the four headers is half of the work for most of these files. So gcc and clang read them once,
# and keep what they understood, each for itself; any other compiler reads the headers as ever.
ONCE    := $(BUILD)/examples/once-$(subst /,-,$(subst $(SPACE),-,$(strip $(CC)))).h
READERS := $(MAINS) $(TABLES) $(filter $(call methods,%),$(SUPPORT)) \
           $(call support,apply checkpoint convert embedding evaluation program release simulation solver stream template) \
           $(patsubst %,$(BUILD)/tests/audit/%.o,methods own_proof canaries_methods canaries_papers canaries_one_run)
$(ONCE): examples/programs/methods/method.h $(HEADERS) $(EXAMPLE_HEADERS)
	@mkdir -p $(@D)
	$(hush)rm -f $@.gch && echo '#include "methods/method.h"' > $@
	$(hush)$(PROGRAM_CC) -x c-header $@ -o $@.part 2>/dev/null && mv $@.part $@.gch || rm -f $@.part
$(READERS): FIRST = -include $(ONCE)
$(ONCE): FIRST =
$(READERS): $(ONCE)

# What is compiled in: each line becomes one string.
$(BUILD)/%.inc: examples/data/%
	@mkdir -p $(@D)
	$(hush)sed 's/.*/"&\\n",/' $< > $@
EMBEDDED := $(patsubst examples/data/%,$(BUILD)/%.inc,$(wildcard examples/data/*))
$(call support,embedded): examples/programs/support/embedded.c $(EMBEDDED)
	@mkdir -p $(@D)
	$(hush)$(PROGRAM_CC) -I$(BUILD) -c $< -o $@

# What a program needs besides its own file: the calculator, methods for metrics, tables of trials, the
# theorems, scores in a file, or a choice of the rest; all the others need all of it.
CALCULATOR := $(call support,calculator)
METRICS    := $(call methods,contrast maps_metric measures metric_descent near_identity)
BOUNDS     := $(call support,laws utility_bounds)
SCORES     := $(call support,scores)
APPLY      := $(call support,apply)
EMBEDDING  := $(call support,embedding)
OTHERS     := $(CALCULATOR) $(METRICS) $(BOUNDS) $(SCORES) $(APPLY) $(EMBEDDING)
$(foreach main,$(MAINS),$(eval $(BUILD)/$(basename $(notdir $(main))): $(main)))
$(BUILD)/budget: $(CALCULATOR) $(call support,draft svg)
$(BUILD)/bounds: $(BOUNDS)
$(BUILD)/private_metric: $(METRICS)
$(BUILD)/private_auc: $(APPLY)
$(BUILD)/run_experiments: $(METRICS) $(TABLES)
$(BUILD)/utility_curves: $(METRICS)
$(BUILD)/private_evaluation: $(SCORES) $(call support,data draft embedded evaluation maps program report svg text)
$(BUILD)/contrastive: $(EMBEDDING) $(call support,data draft embedded maps program report sha256 svg text) $(call methods,mechanisms)
$(BUILD)/influence: $(call support,data draft embedded maps report svg text)
$(filter-out $(BUILD)/budget $(BUILD)/contrastive $(BUILD)/influence $(BUILD)/private_evaluation,$(PROGRAMS)): $(filter-out $(OTHERS),$(SUPPORT))
$(PROGRAMS):
	@mkdir -p $(@D)
	$(hush)$(CC) $(CFLAGS) $^ $(LDLIBS) -o $@

# Compiled to be there soon: plain C, -O0, in a folder of its own. `make` compiles every tier.
PLAIN_C    := -DDPPAIR_NO_FORCE_INLINE -DDPPAIR_MAX_TIER=0
DEMO_FLAGS := -O0 $(PLAIN_C)
demo:
	+@$(MAKE) --no-print-directory INNER=1 BUILD=$(BUILD)/demo CFLAGS="$(DEMO_FLAGS) -w" \
	  WHAT="private_auc: about 10 s on two processors" $(BUILD)/demo/private_auc
	@$(BUILD)/demo/private_auc --demo --svg $(BUILD)/demo/auc_over_epsilon.svg

# Examples near people's problems: each is one file, compiled by the command that its head prints.
PROBLEMS := $(patsubst examples/%,$(BUILD)/%,$(basename $(wildcard examples/problems/*.c examples/problems/*.cpp)))
.PHONY: problems
problems: $(PROBLEMS)
$(BUILD)/problems/%: examples/problems/%.c $(HEADERS)
	@mkdir -p $(@D)
	$(hush)$(CC) -O1 $(PROBLEM_FLAGS) -I. -Imodules $< $(LDLIBS) -o $@
$(BUILD)/problems/%: examples/problems/%.cpp $(HEADERS)
	@mkdir -p $(@D)
	$(hush)$(CXX) -O1 $(PROBLEM_FLAGS) -I. -Imodules $< $(LDLIBS) -o $@

# The audit: methods and programs once more, compiled so that they tell tests/audit/replay.c what they
# draw, charge and release; in plain C, in a folder of their own. $(BUILD)/audit --help says more.
AUDITED     := $(filter private_% mlp_ranking,$(notdir $(PROGRAMS)))
AUDITING     = $(BUILD)/auditing
AUDIT_FLAGS := -O1 $(PLAIN_C) -DDPPAIR_NO_SIMDE -include tests/audit/hook.h
AUDIT_LIB    = $(BUILD)/tests/audit/libaudit.a
AUDITORS     = $(patsubst %.c,$(BUILD)/%.o,$(filter-out %/replay.c %/fits.c %/own_proof.c,$(wildcard tests/audit/*.c)))
audit: audit-build
	@AUDIT=$(BUILD)/audit CC="$(CC)" sh tests/checks/replay.sh >$(AUDITING)/readme.txt & \
	  code=0; $(BUILD)/audit || code=1; wait $$! || code=1; cat $(AUDITING)/readme.txt; exit $$code
canaries: audit-build
	@$(BUILD)/audit --canaries --quick
audit-long: audit-build
	@$(BUILD)/audit --canaries
canaries audit-long: DRIVERS = $(BUILD)/audit $(BUILD)/audit-canaries
DRIVERS      = $(BUILD)/audit
audit-build:
	+@$(MAKE) --no-print-directory INNER=1 BUILD=$(AUDITING) CFLAGS="$(AUDIT_FLAGS)" AUDIT_EXES="$(DRIVERS)" \
	  LDLIBS="$(AUDITING)/tests/audit/libaudit.a -Wl,--wrap=spend_last,--wrap=spend_unseen -lm" \
	  $(patsubst %,$(AUDITING)/%,$(AUDITED)) $(DRIVERS)
$(BUILD)/tests/audit/%.o: tests/audit/%.c $(HEADERS) $(EXAMPLE_HEADERS) $(wildcard tests/audit/*.h)
	@mkdir -p $(@D)
	$(hush)$(PROGRAM_CC) -Itests/audit -Itests/support -DAUDIT_ROOT='"$(CURDIR)"' -c $< -o $@
# Millions of runs: optimised, and noise by every tier.
$(BUILD)/tests/audit/canaries_plans.o: override CFLAGS = $(AUDIT_FLAGS:-O1=-O2)
$(BUILD)/tests/audit/canaries_noise.o: override CFLAGS = -O2 -include tests/audit/hook.h
# Fast enough as it is.
$(BUILD)/tests/audit/faults.o: override CFLAGS = $(AUDIT_FLAGS:-O1=-O0)
$(AUDIT_LIB): $(BUILD)/tests/audit/replay.o $(BUILD)/tests/audit/fits.o $(BUILD)/tests/audit/own_proof.o
	@rm -f $@ && $(AR) rc $@ $^
ifdef AUDIT_EXES
$(PROGRAMS): | $(AUDIT_LIB)
CANARIES    := $(filter $(BUILD)/tests/audit/canaries%,$(AUDITORS))
$(filter %-canaries,$(AUDIT_EXES)): $(CANARIES)
$(AUDIT_EXES): $(filter-out $(CANARIES),$(AUDITORS)) $(filter-out $(CALCULATOR),$(SUPPORT)) $(AUDIT_LIB)
	$(hush)$(CC) $(CFLAGS) $(filter %.o,$^) $(LDLIBS) -o $@
endif

# Tables and curves into $(BUILD)/experiments/, resumable; DATA holds the larger sets, if anything.
DATA ?= $(wildcard ../shared/data)
experiments: $(BUILD)/run_experiments
	$(BUILD)/run_experiments $(QUICK) $(if $(DATA),--data $(DATA)) --out $(BUILD)/experiments
experiments-quick: QUICK := --quick
experiments-quick: experiments

# Pairs beside single records: docs/when_pairs_pay.md.
.PHONY: pairs-table
$(BUILD)/pairs_pay: examples/papers/pairs_pay.c $(HEADERS)
	@mkdir -p $(@D)
	$(hush)$(PROGRAM_CC) $< $(LDLIBS) -o $@
pairs-table: $(BUILD)/pairs_pay
	@$(BUILD)/pairs_pay

# An embedding of shipped sequences, private and not, as a table and a picture: docs/contrastive.md.
.PHONY: contrastive-picture
contrastive-picture: $(BUILD)/contrastive $(BUILD)/splice.csv
	$(BUILD)/contrastive $(BUILD)/splice.csv --splits 20 --picture $(BUILD)/contrastive.svg
$(BUILD)/splice.csv: examples/data/splice.awk examples/data/splice.txt
	@mkdir -p $(@D)
	$(hush)awk -v ranges=1 -f $< </dev/null > $(BUILD)/splice.ranges && awk -f $^ > $@

test: all
	sh tests/run.sh test
test-long: all
	sh tests/run.sh long
quick:
	@sh tests/run.sh quick

# A machine that has nothing but what the README says, and other shells, awks and locales than this
# one's; ROWS=word: those of one kind.
.PHONY: fresh shells
fresh:
	@BUILD=$(BUILD) sh tests/fresh.sh
shells: all
	@BUILD=$(BUILD) ROWS="$(ROWS)" sh tests/shells.sh

# Training from a file that is read again in each pass; KILLS=1000 kills it more often.
.PHONY: stream-test
stream-test: $(BUILD)/private_auc
	BUILD=$(BUILD) sh tests/checks/stream.sh

# What fails in the programs, at every site: compiled so that they tell what they add noise to, which is
# then looked for in memory and files. ONLY=word, KIND=word, STRIDE=N take a part.
FAULTING    = $(BUILD)/faulting
FAULTED    := private_auc private_metric private_evaluation budget influence contrastive utility_curves
FAULT_FLAGS := -O1 $(PLAIN_C) -DDPPAIR_NO_SIMDE -include tests/faults/hook.h
.PHONY: faults soak
faults:
	@CC="$(CC)" sh tests/faults/hook.sh $(abspath $(FAULTING))
	+@$(MAKE) --no-print-directory INNER=1 BUILD=$(FAULTING) CFLAGS="$(FAULT_FLAGS)" \
	  LDLIBS="$(abspath $(FAULTING))/hook.so -lm" $(patsubst %,$(FAULTING)/%,$(FAULTED))
	@CC="$(CC)" FAULTS_PROGRAMS=$(abspath $(FAULTING)) sh tests/faults/faults.sh $(abspath $(FAULTING))

# Random jobs that are killed and gone on with, whose models are those of runs that nobody stopped; and
# the memory that training takes from 10^4 to 10^6 records, and over 10^4 steps.
SOAK_SECONDS ?= 600
soak: $(BUILD)/private_auc
	@BUILD=$(BUILD) SOAK_SECONDS=$(SOAK_SECONDS) SEED=$(SEED) sh tests/faults/soak.sh

# Constants under search: adversaries in small universes, many more of them than in make test.
FRONTIER ?= 20000
.PHONY: frontier
frontier:
	@FRONTIER=$(FRONTIER) ONLY=accountant/iterates sh tests/run.sh quick
	@FRONTIER=$(FRONTIER) ONLY=accountant/owners sh tests/run.sh quick
	@FRONTIER=$(FRONTIER) ONLY=pairs/weighted sh tests/run.sh quick
	@FRONTIER=$(FRONTIER) ONLY=modules/top sh tests/run.sh quick
	@FRONTIER=$(FRONTIER) ONLY=release/pointwise sh tests/run.sh quick
	@FRONTIER=$(FRONTIER) ONLY=modules/contrast sh tests/run.sh quick
	@FRONTIER=$(FRONTIER) ONLY=modules/allocation sh tests/run.sh quick
	@FRONTIER=$(FRONTIER) ONLY=modules/shares/skellam sh tests/run.sh quick
	@FRONTIER=$(FRONTIER) ONLY=losses/constants sh tests/run.sh quick
	@FRONTIER=$(FRONTIER) ONLY=accountant/closed_forms sh tests/run.sh quick
	@FRONTIER=$(FRONTIER) ONLY=accountant/steps sh tests/run.sh quick
	@FRONTIER=$(FRONTIER) ONLY=tiles/gradients sh tests/run.sh quick
	@CC="$(CC)" BUILD="$(BUILD)" sh tests/frontier/allocation.sh
	@CC="$(CC)" BUILD="$(BUILD)" sh tests/frontier/contrast.sh

# Random accounts against an oracle that shares no code with the library; make test has the
# first 25. SEED: where the random numbers begin.
ATTACK_CASES ?= 10000
SEED ?= 1
attack:
	@mkdir -p $(BUILD)
	$(CC) $(CSTD) $(CFLAGS) $(STRICT) -DATTACK_CASES=$(ATTACK_CASES) -DRANDOM_SEED=$(SEED) -I. -Imodules -Itests/support \
	  tests/headers/accountant/random_accounts.c -o $(BUILD)/attack_accounts -lcmocka $(LDLIBS)
	$(BUILD)/attack_accounts

# Branches of the four headers and the modules that tests/headers/ and tests/modules/ take: a table by folder of src/, and what is missing
# with COVER=missing. Only what has changed runs again.
.PHONY: coverage
coverage:
	@BUILD="$(BUILD)" $(PYTHON) tests/coverage/coverage.py

# Private evaluation on all neighbours of up to 8 records, and by search among more: some minutes.
attack-evaluation:
	@mkdir -p $(BUILD)
	$(CC) $(CSTD) $(CFLAGS) $(STRICT) -DEVALUATION_LONG -I. -Imodules -Itests/support \
	  tests/modules/evaluation/neighbours.c -o $(BUILD)/attack_evaluation -lcmocka $(LDLIBS)
	$(BUILD)/attack_evaluation

# Coverage and width of private intervals over thousands of simulated test sets a cell, each figure with
# its difference from the expected one; goes on where it stopped. FULL=--full: other laws and measures.
EVALUATION_JOBS ?= $(shell nproc 2>/dev/null || echo 1)
$(BUILD)/evaluation_table: tests/evaluation/table.c $(wildcard tests/evaluation/*.h) tests/support/random.h $(HEADERS)
	@mkdir -p $(@D) && rm -f $@.txt # what another program has found
	$(CC) $(CSTD) $(CFLAGS) $(STRICT) -I. -Imodules -Itests/support $< $(LDLIBS) -o $@
evaluation-table: $(BUILD)/evaluation_table
	$(BUILD)/evaluation_table $(BUILD)/evaluation_table.txt --jobs $(EVALUATION_JOBS) $(FULL)

# Benchmarks: every bench/bench_*.c, compiled as a user would (no -march), against plain C loops that
# get every flag, and against the libraries that happen to be installed.
HASH     := \#
has       = $(shell printf '$(HASH)include <$(1)>\nint main(void) { return 0; }\n' | \
              $(CC) -x c - $(2) -o /dev/null >/dev/null 2>&1 && echo $(3))
BENCHES  := $(patsubst bench/%.c,$(BUILD)/%,$(wildcard bench/bench_*.c))
PEERS     = $(call has,cblas.h,-lopenblas,-DBENCH_OPENBLAS) $(call has,sodium.h,-lsodium,-DBENCH_SODIUM) \
            $(call has,openssl/evp.h,-lcrypto,-DBENCH_OPENSSL)
PEER_LIBS = $(call has,cblas.h,-lopenblas,-lopenblas) $(call has,sodium.h,-lsodium,-lsodium) \
            $(call has,openssl/evp.h,-lcrypto,-lcrypto)

X86       = $(findstring x86_64,$(shell $(CC) -dumpmachine))
LOOP_FLAGS = -O3 -march=native -ffast-math $(if $(X86),-mprefer-vector-width=512)
BENCH_LINK = $(BUILD)/loops.o $(PEER_LIBS) $(if $(X86),-lmvec) $(LDLIBS)

$(BUILD)/loops.o: bench/loops.c bench/loops.h
	@mkdir -p $(@D)
	$(CC) -std=gnu99 $(LOOP_FLAGS) -c $< -o $@

$(BUILD)/bench_%: bench/bench_%.c bench/bench.h bench/json.h $(BUILD)/loops.o $(HEADERS)
	$(CC) -std=gnu99 $(CFLAGS) -I. -Imodules -Ibench $(PEERS) $< $(BENCH_LINK) -o $@
$(BUILD)/curve $(BUILD)/roofline $(BUILD)/phases: $(BUILD)/%: bench/%.c bench/bench.h bench/json.h $(BUILD)/loops.o $(HEADERS)
	$(CC) -std=gnu99 $(CFLAGS) -I. -Imodules -Ibench $< $(BENCH_LINK) -o $@

# The benchmarks' own tests with every tier, both compilers, real programs and revisions.
.PHONY: bench-test
bench-test:
	LONG=1 sh tests/checks/bench.sh

# Time over the number of records, as a picture; each kernel's share of the machine's limits.
bench-svg: $(BUILD)/curve
	$(BUILD)/curve > $(BUILD)/curve.txt
	gnuplot -e "table='$(BUILD)/curve.txt'; out='$(BUILD)/bench.svg'" bench/curve.gp
bench-peers:
	CC="$(CC)" $(PYTHON) bench/peers.py
	CC="$(CC)" $(PYTHON) bench/peers_contrast.py
roofline: $(BUILD)/roofline
	$(BUILD)/roofline
roofline-svg: $(BUILD)/roofline
	$(BUILD)/roofline --points > $(BUILD)/roofline.txt
	gnuplot -e "table='$(BUILD)/roofline.txt'; out='bench/roofline.svg'" bench/roofline.gp
# Where the time of a fit by auto goes: a million records of fifty columns.
bench-auto: $(BUILD)/phases
	$(BUILD)/phases
bench-programs: $(BENCHES)
# ONLY=word runs the rows whose names contain it; USER_LOSS=my.h times a loss of one's own instead.
ifdef USER_LOSS
export USER_LOSS USER_LOSS_NAME
bench: $(HEADERS)
	@CC="$(CC)" CFLAGS="$(CFLAGS)" BUILD="$(abspath $(BUILD))" LOOP_FLAGS="$(filter-out -ffast-math,$(LOOP_FLAGS))" \
	  BENCH_LIBS="$(if $(X86),-lmvec)" sh bench/user_loss.sh $(USER_LOSS_ARGS)
else
bench: $(BENCHES)
	@for b in $(BENCHES); do $$b $(if $(ONLY),--only "$(ONLY)") || exit 1; done
endif
# What it costs to compile with the headers: small programs, beside those of other libraries. ONLY=word takes
# the rows with this word; CC, CXX, PEER_FLAGS for where the others are; UPDATE=1 writes bench/compile/budget.
.PHONY: compile-cost
compile-cost: $(HEADERS)
	@CC="$(CC)" CXX="$(CXX)" PEER_FLAGS="$(PEER_FLAGS)" ONLY="$(ONLY)" sh bench/compile_cost.sh $(if $(UPDATE),update)
bench-json: $(BENCHES)
	@for b in $(BENCHES); do $$b --json || exit 1; done

# Installation: the four headers, all modules and what they declare in one folder, and two small descriptions of them.
VERSION  := $(shell sed -n 's/.*DPPAIR_VERSION_STRING "\(.*\)".*/\1/p' dppair.h)
INCLUDE   = $(DESTDIR)$(PREFIX)/include
PKGCONFIG = $(DESTDIR)$(PREFIX)/lib/pkgconfig
CMAKE_DIR = $(DESTDIR)$(PREFIX)/lib/cmake/dppair
WINDOWS   = $(findstring mingw,$(shell $(CC) -dumpmachine))
LIBS      = $(if $(WINDOWS),-lbcrypt,-lm)
FILL      = sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@LIBS@|$(LIBS)|' -e 's|@MAJOR@|$(firstword $(subst ., ,$(VERSION)))|'

install:
	install -d $(INCLUDE) $(PKGCONFIG) $(CMAKE_DIR)
	install -m 644 $(HEADERS) $(DECLARED) $(INCLUDE)
	$(FILL) packaging/dppair.pc.in > $(PKGCONFIG)/dppair.pc
	$(FILL) packaging/dppairConfig.cmake.in > $(CMAKE_DIR)/dppairConfig.cmake
	$(FILL) packaging/dppairConfigVersion.cmake.in > $(CMAKE_DIR)/dppairConfigVersion.cmake

uninstall:
	rm -f $(addprefix $(INCLUDE)/,$(notdir $(HEADERS)) $(DECLARED) dppair_library.h) $(PKGCONFIG)/dppair.pc
	rm -f $(PKGCONFIG)/dppair-library.pc $(addprefix $(LIBDIR)/,libdppair.a libdppair.so $(SHARED))
	rm -rf $(CMAKE_DIR)

# The same functions, compiled once: build/library/ has the libraries and what a program includes of them. A
# public function is external and any other static, so no private name leaves an object. INSTANCES: losses of
# dppair_losses.h and of modules with _f64 or _f32; each takes 15 s and 0.7 MB. ELF: every version has a
# soname of its own.
INSTANCES ?= logistic_f64 logistic_f32 hinge_f64 hinge_f32
LIBDIR    = $(DESTDIR)$(PREFIX)/lib
SHARED   := libdppair.so.$(VERSION)
LIBRARY  := $(BUILD)/library
SOURCES  := $(LIBRARY)/$(subst $(SPACE),+,$(strip $(INSTANCES)))
PARTS    := $(patsubst %,$(LIBRARY)/%.o,dppair $(INSTANCES))
LIBRARY_CC = $(CC) $(CSTD) $(CFLAGS) -fPIC -fno-semantic-interposition -I. -Imodules -I$(LIBRARY)
.PHONY: library install-library
library: $(LIBRARY)/$(SHARED) $(LIBRARY)/libdppair.a
$(SOURCES): $(HEADERS) $(DECLARED) packaging/library.sh
	@mkdir -p $(@D)
	sh packaging/library.sh $(LIBRARY) $(INSTANCES) && touch $@
$(PARTS:.o=.c): $(SOURCES) ;
$(PARTS): %.o: %.c $(HEADERS)
	$(LIBRARY_CC) -D_GNU_SOURCE -c $< -o $@
$(LIBRARY)/libdppair.a: $(PARTS) $(SOURCES)
	rm -f $@ && $(AR) rc $@ $(PARTS)
$(LIBRARY)/$(SHARED): $(PARTS) $(SOURCES)
	$(CC) $(CFLAGS) -shared -Wl,-soname,$(SHARED) -Wl,-z,now -Wl,-z,defs -Wl,-Bsymbolic-functions $(PARTS) $(LDLIBS) -o $@
	ln -sf $(SHARED) $(LIBRARY)/libdppair.so

install-library: library install
	install -m 644 $(LIBRARY)/dppair_library.h $(INCLUDE)
	install -m 644 $(LIBRARY)/libdppair.a $(LIBDIR)
	install -m 755 $(LIBRARY)/$(SHARED) $(LIBDIR)
	ln -sf $(SHARED) $(LIBDIR)/libdppair.so
	$(FILL) packaging/dppair-library.pc.in > $(PKGCONFIG)/dppair-library.pc

# The programs, and manual pages and completion, which are made from what --help says.
NAMES     := $(sort $(notdir $(PROGRAMS)))
BIN        = $(DESTDIR)$(PREFIX)/bin
MAN        = $(DESTDIR)$(PREFIX)/share/man/man1
BASH_DIR   = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_DIR    = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
.PHONY: man install-programs uninstall-programs
man: $(PROGRAMS)
	@sh packaging/programs/pages.sh $(BUILD) $(BUILD) $(NAMES)
	@echo "$(BUILD)/man, $(BUILD)/completion"
install-programs: man
	install -d $(BIN) $(MAN) $(BASH_DIR) $(ZSH_DIR)
	install $(addprefix $(BUILD)/,$(NAMES)) $(BIN)
	install -m 644 $(patsubst %,$(BUILD)/man/%.1,$(NAMES)) $(MAN)
	install -m 644 $(addprefix $(BUILD)/completion/bash/,$(NAMES)) $(BASH_DIR)
	install -m 644 $(addprefix $(BUILD)/completion/zsh/_,$(NAMES)) $(ZSH_DIR)
uninstall-programs:
	rm -f $(addprefix $(BIN)/,$(NAMES)) $(patsubst %,$(MAN)/%.1,$(NAMES)) $(addprefix $(BASH_DIR)/,$(NAMES)) \
	  $(addprefix $(ZSH_DIR)/_,$(NAMES))

# The four headers as one file, build/dppair_all.h, with the modules that MODULES="contrast evaluation" names;
# "all" for all.
MODULES  ?=
.PHONY: $(BUILD)/dppair_all.h # MODULES may have changed
single: $(BUILD)/dppair_all.h
$(BUILD)/dppair_all.h: $(HEADERS) packaging/single.sh
	@mkdir -p $(@D)
	sh packaging/single.sh $(MODULES) > $@

# What a release consists of; a Debian source package and libdppair-dev.
.PHONY: dist deb
dist:
	sh packaging/dist.sh $(BUILD)/dist
deb:
	sh packaging/deb.sh $(BUILD)/deb

# Coverage-guided fuzzing of readers of text, and of functions with any arguments (clang with
# libFuzzer): FUZZ_SECONDS each, an hour for fuzz-long; FUZZ="ledger noise" runs these alone.
# fuzz-brief compiles fast, and does the same each time, for tests; fuzz-keep writes what was found to
# tests/fuzz/corpus/.
FUZZ_SECONDS ?= 60
fuzz: $(EMBEDDED)
	BUILD=$(BUILD) sh tests/fuzz/fuzz.sh $(FUZZ_SECONDS)
fuzz-brief: $(EMBEDDED)
	BUILD=$(BUILD) FUZZ_SCALAR=1 FUZZ_FLAGS="-O0 -DFUZZ_FEW" sh tests/fuzz/fuzz.sh brief
fuzz-keep:
	BUILD=$(BUILD) sh tests/fuzz/fuzz.sh keep
fuzz-long:
	+$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=3600

# Mutants of the chapters that no test notices; a run that was stopped goes on.
.PHONY: mutate
mutate:
	BUILD=$(BUILD) MUTATE="$(MUTATE)" $(PYTHON) tests/mutate/mutate.py

# The figures of the README, the guide and the tutorial, against what the programs print.
.PHONY: claims
claims: $(BUILD)/private_auc $(BUILD)/utility_curves $(BUILD)/budget $(BUILD)/pairs_pay
	@CC="$(CC)" BUILD="$(BUILD)" DATA="$(firstword $(DATA))" sh tests/checks/claims.sh

# Every warning of a strict host, line lengths, and the static analysers that are installed.
lint:
	sh tests/lint.sh

# The manual: the chapters through Doxygen, with the tables of losses that the program computes.
$(BUILD)/loss_tables: packaging/loss_tables.c tests/support/attack.h $(HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(CFLAGS) $(STRICT) -I. -Imodules -Itests/support $< $(LDLIBS) -o $@
docs: $(BUILD)/loss_tables
	@mkdir -p $(BUILD)/docs
	$(BUILD)/loss_tables > $(BUILD)/docs/losses.md
	sh packaging/docs.sh $(BUILD)/docs
	@echo "$(BUILD)/docs/html/index.html"

# Both searches of tests/headers/, as users compile, on each tier; where clang is installed by it, too.
secrets:
	@mkdir -p $(BUILD)
	@for compiler in gcc clang; do command -v $$compiler >/dev/null 2>&1 || continue; \
	  for tier in 0 1 2 3; do for test in noise release; do \
	    echo "$$compiler -O2, tier $$tier: $$test" && \
	    $$compiler -std=gnu99 -O2 -w -DDPPAIR_MAX_TIER=$$tier -I. -Imodules -Itests/support tests/headers/$$test/stack.c \
	      -o $(BUILD)/secrets -lcmocka -lm -Wl,-z,now || exit 1; \
	    $(BUILD)/secrets >$(BUILD)/secrets.txt 2>&1; code=$$?; \
	    grep -a -e pieces -e 'PASSED.*[1-9] test' $(BUILD)/secrets.txt; test $$code = 0 || exit 1; \
	  done; done; done

# The same bits, or a refusal, everywhere; MATRIX=word runs the rows that contain it.
matrix:
	sh tests/matrix/matrix.sh

# What the noise rests on, on all inputs, by proofs and by solvers: tests/exhaust/.
.PHONY: exhaust
exhaust:
	@CC="$(CC)" BUILD="$(BUILD)" sh tests/exhaust/exhaust.sh

# Without a C library: what an object leaves undefined, its text, stack and bits.
freestanding:
	BUILD=$(BUILD) sh tests/freestanding/freestanding.sh

# Statistics of the noise over SAMPLES numbers a law, and the long version of its exactness tests.
SAMPLES ?= 1e10
test-stats:
	@mkdir -p $(BUILD)
	$(CC) $(CSTD) $(CFLAGS) -I. -Imodules tests/checks/noise_stats.c $(LDLIBS) -o $(BUILD)/stats_noise
	$(BUILD)/stats_noise $(SAMPLES)
	DPPAIR_TEST_LONG=1 ONLY=noise/attack sh tests/run.sh test
	$(CC) $(CSTD) $(CFLAGS) -DDPPAIR_MAX_TIER=1 -I. -Imodules -Itests/support tests/headers/noise/attack.c \
	  -lcmocka -lquadmath $(LDLIBS) -o $(BUILD)/attack_simd128
	DPPAIR_TEST_LONG=1 $(BUILD)/attack_simd128
	TIER=1 sh tests/checks/noise_timing.sh

# Programs of several ranks (examples/distributed), by the compiler that MPICC wraps: CC.
MPICC    ?= mpicc
DISTRIBUTED := $(patsubst examples/distributed/%.c,$(BUILD)/%,$(wildcard examples/distributed/mpi_*.c))
MPI_CC    = OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(MPICC)
TEAM     := $(BUILD)/examples/distributed/team.o
.PHONY: mpi mpi-test scale-table
mpi: $(if $(shell command -v $(MPICC)),$(DISTRIBUTED),no-mpi)
no-mpi:
	@echo "$(MPICC) is not installed: no programs for several ranks"
$(BUILD)/examples/distributed/%.o: examples/distributed/%.c $(wildcard examples/distributed/*.h) $(HEADERS) $(EXAMPLE_HEADERS)
	@mkdir -p $(@D)
	$(hush)$(MPI_CC) $(CSTD) $(CFLAGS) $(STRICT) -D_POSIX_C_SOURCE=200809L -I. -Imodules -Iexamples -Iexamples/programs -c $< -o $@
$(DISTRIBUTED): $(BUILD)/%: $(BUILD)/examples/distributed/%.o $(TEAM) $(SUPPORT)
	$(hush)$(MPI_CC) $(CFLAGS) $^ $(LDLIBS) -o $@
mpi-test: mpi $(BUILD)/private_auc
	BUILD=$(BUILD) LONG=1 sh tests/checks/mpi.sh

# Sites that do not show their records: three processes, masked shares.
SITES    := $(BUILD)/examples/distributed/site.o $(BUILD)/examples/distributed/sites.o
$(SITES): $(BUILD)/examples/distributed/%.o: examples/distributed/%.c examples/distributed/site.h $(HEADERS)
	@mkdir -p $(@D)
	$(hush)$(PROGRAM_CC) -c $< -o $@
$(BUILD)/sites: $(SITES)
	$(hush)$(CC) $(CFLAGS) $^ $(LDLIBS) -o $@
.PHONY: sites-test
sites-test: $(BUILD)/sites
	SITES=$(BUILD)/sites sh tests/checks/sites.sh

# Time over the number of records and of ranks: SCALE_RECORDS of one private gradient.
SCALE_RECORDS ?= 1000000000
SCALE_CC  = -std=gnu99 $(CFLAGS) -I. -Imodules -Ibench -Iexamples
$(BUILD)/scale_rows.o: bench/scale_rows.c bench/scale_rows.h
	@mkdir -p $(@D)
	$(CC) -std=gnu99 -O3 -march=native -c $< -o $@
$(BUILD)/scale: bench/scale.c $(BUILD)/scale_rows.o $(HEADERS)
	$(CC) $(SCALE_CC) $< $(BUILD)/scale_rows.o $(LDLIBS) -o $@
$(BUILD)/scale_mpi: bench/scale.c $(BUILD)/scale_rows.o $(TEAM) $(HEADERS)
	$(MPI_CC) $(SCALE_CC) -DSCALE_MPI $< $(BUILD)/scale_rows.o $(TEAM) $(LDLIBS) -o $@
scale-table: $(BUILD)/scale $(if $(shell command -v $(MPICC)),$(BUILD)/scale_mpi)
	BUILD=$(BUILD) RECORDS=$(SCALE_RECORDS) sh bench/scale.sh

# Gradients on several threads, by OpenMP where the compiler has it and by POSIX threads.
OPENMP    = $(shell echo 'int main(void) { return 0; }' | $(CC) -fopenmp -x c - -o /dev/null 2>/dev/null && echo -fopenmp)
$(BUILD)/threads: examples/threads/threads.c examples/threads/pool.h $(HEADERS)
	@mkdir -p $(@D)
	$(hush)$(PROGRAM_CC) $(OPENMP) $< $(LDLIBS) -pthread -o $@
.PHONY: threads threads-test
threads: $(BUILD)/threads
	$(BUILD)/threads
threads-test:
	sh tests/checks/threads.sh

clean:
	rm -rf $(BUILD)
