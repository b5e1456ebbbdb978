/*
 * trial.h - a measurement made in a fresh process; samples.h sums several up.
 *
 * Each trial runs in a child of its own, so that no measurement inherits the heap that another left
 * behind; what was loaded before (the graph) is shared. Trials of different subjects are meant to
 * be interleaved, and their medians compared.
 */
#ifndef PW_TRIAL_H
#define PW_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

#define TRIAL_VALUES_MAX 4096

/* What a trial measures: fill values (count of them, preset to 0). False: the trial failed. */
typedef bool (*trial_body)(void *context, double *values, size_t count);

/*
 * Run a body in a child process and bring its values back. count: at most TRIAL_VALUES_MAX.
 * False when the child could not be made, crashed, or its body returned false.
 */
bool trial_run(trial_body body, void *context, double *values, size_t count);

#endif
