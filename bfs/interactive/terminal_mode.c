/*
 * terminal_mode.c - switch the terminal, and back from the handlers of the signals.
 *
 * 1. A signal that asks the program to end first gives the terminal back (interrupt_before).
 * 2. SIGTSTP gives it back, then stops the program the default way; SIGCONT takes it again.
 * Ctrl-\ is switched off, because no handler runs before it ends the program. After SIGKILL and
 * SIGSTOP the terminal stays as it was while typing.
 */
#include "terminal_mode.h"
#include "base/program/interrupt.h"
#include <errno.h>
#include <signal.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

static struct termios usual;
static struct termios typing;
static volatile sig_atomic_t is_entered;
static volatile sig_atomic_t was_continued;
static struct sigaction stop_before;
static struct sigaction continue_before;

static bool set(const struct termios *mode, int when)
{
    int failed;
    do {
        failed = tcsetattr(STDIN_FILENO, when, mode);
    } while (failed && errno == EINTR);
    return !failed;
}

/* From a handler, for good: the terminal is not taken again. */
static void give_back(void)
{
    if (is_entered) {
        is_entered = 0;
        set(&usual, TCSANOW);
    }
}

static void catch (int signal_number, void (*handler)(int), struct sigaction *before)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, before);
}

static void resume(int signal_number)
{
    int error_number = errno;
    (void)signal_number;
    if (is_entered) {
        set(&typing, TCSANOW);
    }
    was_continued = 1;
    errno = error_number;
}

static void stop(int signal_number)
{
    int error_number = errno;
    sigset_t stops;
    sigset_t blocked;
    set(&usual, TCSANOW);
    sigemptyset(&stops);
    sigaddset(&stops, signal_number);
    catch (signal_number, SIG_DFL, NULL);
    raise(signal_number);
    pthread_sigmask(SIG_UNBLOCK, &stops, &blocked); /* stopped here, until SIGCONT */
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    catch (signal_number, stop, NULL);
    resume(SIGCONT); /* a program that nobody could continue was not stopped */
    errno = error_number;
}

bool terminal_mode_enter(void)
{
    if (tcgetattr(STDIN_FILENO, &usual) != 0) {
        return false;
    }
    typing = usual;
    typing.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
    typing.c_cc[VMIN] = 1;
    typing.c_cc[VTIME] = 0;
    typing.c_cc[VQUIT] = _POSIX_VDISABLE;
    is_entered = 1;
    interrupt_before(give_back);
    catch (SIGCONT, resume, &continue_before);
    catch (SIGTSTP, stop, &stop_before);
    if (stop_before.sa_handler == SIG_IGN) { /* whoever started the program wants no stops */
        sigaction(SIGTSTP, &stop_before, NULL);
    }
    if (!set(&typing, TCSADRAIN)) {
        terminal_mode_leave();
        return false;
    }
    return true;
}

void terminal_mode_leave(void)
{
    if (is_entered) {
        sigaction(SIGTSTP, &stop_before, NULL);
        set(&usual, TCSADRAIN);
        is_entered = 0;
        sigaction(SIGCONT, &continue_before, NULL);
        interrupt_before(NULL);
    }
}

int terminal_mode_read(void)
{
    unsigned char byte;
    int result = TERMINAL_CONTINUED;
    sigset_t stops;
    sigset_t unblocked;
    fd_set inputs;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTSTP);
    sigaddset(&stops, SIGCONT);
    pthread_sigmask(SIG_BLOCK, &stops, &unblocked); /* they come while it waits, never before */
    while (!was_continued) {
        FD_ZERO(&inputs);
        FD_SET(STDIN_FILENO, &inputs);
        int ready = pselect(STDIN_FILENO + 1, &inputs, NULL, NULL, NULL, &unblocked);
        if (ready > 0 || errno != EINTR) {
            result = ready > 0 && read(STDIN_FILENO, &byte, 1) == 1 ? byte : TERMINAL_END;
            break;
        }
    }
    if (result == TERMINAL_CONTINUED) {
        was_continued = 0;
    }
    pthread_sigmask(SIG_SETMASK, &unblocked, NULL);
    return result;
}
