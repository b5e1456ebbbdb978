/*
 * event_library.h - the few things asked of libpfm4, so that one file alone includes its headers.
 * Built without it, every question is answered with no.
 */
#pragma once

#include "pmu.h"

/* The code of a libpfm4 event name. False with a reason when it knows no such name. */
bool event_library_find(const char *name, struct pmu_code *code, char *why, size_t why_size);

typedef void event_visit(void *context, const char *name);

/* Call visit for every event name of the processor at hand. */
void event_library_names(event_visit *visit, void *context);

/* Whether libpfm4 is built in and knows the processor at hand. */
bool event_library_ready(void);

/* Its version, such as 0x4000d for 4.13; 0 when it is not built in. */
unsigned event_library_version(void);
