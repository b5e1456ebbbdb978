/*
 * event_library.h - the few calls of libpfm4, so that only one file includes its headers. It is
 * opened with the first of them. Built without it, every answer is no.
 */
#pragma once

#include "pmu.h"

/* NULL if libpfm4 can be used; else why not: not built in, not installed. */
const char *event_library_problem(void);

/* The code of a libpfm4 event name. False with a reason if it knows no such name. */
bool event_library_find(const char *name, struct pmu_code *code, char *why, size_t why_size);

typedef void event_visit(void *context, const char *name);

/* Call visit for every event name of this processor. */
void event_library_names(event_visit *visit, void *context);

/* True if libpfm4 is built in and knows this processor. */
bool event_library_ready(void);

/* Its version, such as 0x4000d for 4.13; 0 if it cannot be used. */
unsigned event_library_version(void);
