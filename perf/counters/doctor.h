/*
 * doctor.h - what a machine offers to somebody who measures: findings, each with a sentence of
 * advice.
 */
#pragma once

#include "counter_offers.h"
#include "pmu.h"
#include <stdio.h>

/*
 * Write the findings. pmu: asked for a counter. root: below which /proc and /sys lie ("" for this
 * machine). What belongs to the running process (clock, tools) is always this machine's. offers:
 * what the advice may point to.
 */
void doctor_write(FILE *out, const struct pmu *pmu, const char *root,
                  const struct counter_offers *offers);
