/*
 * doctor.h - whether the processor's counters work here, why not, and what to do: findings, each
 * with a sentence of advice.
 */
#pragma once

#include "counter_offers.h"
#include "pmu.h"
#include <stdio.h>

/*
 * Write the findings. pmu: used to try a counter. root: /proc and /sys lie below it ("" for this
 * machine). offers: the program's options that the advice may name.
 */
void doctor_write(FILE *out, const struct pmu *pmu, const char *root,
                  const struct counter_offers *offers);
