/*
 * thread_scenario.h - the scenario of many threads, for a heap that says it is thread-safe. Any
 * other one is opened and closed.
 */
#pragma once

struct contract;

/* Each thread has a front of its own, and releases blocks that other threads took. */
void contract_threads(struct contract *contract);
