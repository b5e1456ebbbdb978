/*
 * event_library.h - the few things asked of libpfm4, so that one file alone includes its headers.
 * Built without it, every question is answered with no.
 */
#ifndef PW_EVENT_LIBRARY_H
#define PW_EVENT_LIBRARY_H

#include "pmu.h"

/* The code of a libpfm4 event name. False with a reason when it knows no such name. */
bool event_library_find(const char *name, struct pmu_code *code, char *why, size_t why_size);

/* Call visit for every event name of the processor at hand until it returns false. */
void event_library_names(bool (*visit)(void *context, const char *name), void *context);

/* Whether libpfm4 is built in and found a processor it knows; its version in *version if not NULL
 * (0 when not built in). */
bool event_library_ready(unsigned *version);

#endif
