/*
 * team.h - some threads that do the same piece of work together, again and again.
 *
 * The caller is one of them. Between pieces of work the others spin for a moment, because the next
 * level of a search comes soon, and then sleep.
 */
#pragma once

#include <stdbool.h>

struct team;

/* What a member does; index counts the members from 0, the caller. */
typedef void team_work(void *argument, unsigned index);

/* A team of that many threads, the caller's included; NULL with errno set when the system has no
 * thread. size >= 1. */
struct team *team_create(unsigned size);

/* End the threads. NULL is fine. */
void team_destroy(struct team *team);

/*
 * Let every member do the work, and return when all have; what they wrote is visible then. NULL is
 * a team of the caller alone.
 */
void team_run(struct team *team, team_work *work, void *argument);

/* True if work of some microseconds is worth dividing: each member has a processor, and in the last
 * work no member kept the caller waiting as if another program had its processor. */
bool team_is_quick(const struct team *team);
