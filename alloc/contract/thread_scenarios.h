/*
 * thread_scenarios.h - the scenarios of many threads, for a heap that says it is thread-safe. Any
 * other one is opened and closed.
 */
#pragma once

struct contract;

/* Each thread has a front of its own. */
void contract_owners(struct contract *contract);

/* Fronts go from thread to thread, with their blocks. */
void contract_hand_over(struct contract *contract);

/* Threads end, and leave fronts and blocks to the next. */
void contract_exits(struct contract *contract);

/* Every block is released by another thread than took it. */
void contract_storm(struct contract *contract);
