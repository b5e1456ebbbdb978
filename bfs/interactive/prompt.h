/*
 * prompt.h - the conversation on a terminal: it asks for two names, and answers in words.
 */
#pragma once

#include "conversation.h"

/* Ask until the input ends or a signal asks the program to end. The terminal has its mode
 * (terminal_mode.h). False when out of memory. */
bool prompt_run(struct conversation *talk);
