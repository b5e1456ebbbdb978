/*
 * terminal_mode.h - the terminal on standard input without its line discipline, for a while.
 *
 * Whatever ends or stops the program meanwhile, a signal or Ctrl-Z, finds the terminal as it was.
 * There is one terminal: the state is the process's. Needs interrupt_install before.
 */
#pragma once

#include <stdbool.h>

/* From now on keys come one by one and are not shown. False when standard input is no terminal. */
bool terminal_mode_enter(void);

/* As it was before terminal_mode_enter; nothing when it is so already. */
void terminal_mode_leave(void);

enum { TERMINAL_CONTINUED = -2, TERMINAL_END = -1 };

/*
 * Wait for a byte typed. TERMINAL_CONTINUED: none yet, but the program was stopped and goes on, and
 * what it showed may be gone. TERMINAL_END: no more will come.
 */
int terminal_mode_read(void);
