# SPDX-License-Identifier: MIT
# dppair is header-only: nothing here has to be built to use it. This file builds the programs in
# examples/, runs the tests and the benchmarks, and installs the four headers.
#
#   make            the programs, into build/          make demo     train a private ranking model
#   make test       every test, gcc and clang          make bench    the speed tables
#   make install    headers, pkg-config, CMake files   make lint     warnings, static analysis, format

CC       ?= cc
CFLAGS   ?= -O2
PREFIX   ?= /usr/local
BUILD    ?= build

HEADERS  := dppair.h dppair_losses.h dppair_noise.h dppair_accountant.h
HEADERS  := $(wildcard $(HEADERS))
STRICT   := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla
CSTD     := -std=c99
LDLIBS   := -lm

PROGRAMS := $(patsubst examples/%.c,$(BUILD)/%,$(wildcard examples/*.c))
SUPPORT  := $(patsubst examples/%.c,$(BUILD)/examples/%.o,$(wildcard examples/support/*.c examples/methods/*.c))
EXAMPLE_HEADERS := $(wildcard examples/*.h examples/support/*.h examples/methods/*.h)

.PHONY: all demo test clean lint
all: $(PROGRAMS)

# Parts shared by the programs: reading data, splits, reports, pictures, and the methods themselves.
$(BUILD)/examples/%.o: examples/%.c $(HEADERS) $(EXAMPLE_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(CFLAGS) $(STRICT) -I. -Iexamples -c $< -o $@

# The data set that is compiled in: each line becomes one string.
$(BUILD)/%.inc: examples/data/%
	@mkdir -p $(@D)
	sed 's/.*/"&\\n",/' $< > $@
$(BUILD)/examples/support/embedded.o: examples/support/embedded.c $(BUILD)/pima.csv.inc $(BUILD)/pima.ranges.inc
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(CFLAGS) $(STRICT) -I. -Iexamples -I$(BUILD) -c $< -o $@

$(BUILD)/%: examples/%.c $(SUPPORT) $(HEADERS) $(EXAMPLE_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(CFLAGS) $(STRICT) -I. -Iexamples $< $(SUPPORT) $(LDLIBS) -o $@

demo: $(BUILD)/private_auc
	$(BUILD)/private_auc

test: all
	sh tests/run.sh

clean:
	rm -rf $(BUILD)
