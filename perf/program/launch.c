/*
 * launch.c - see launch.h.
 */
#include "launch.h"
#include "base/macros.h"
#include "base/program/child.h"
#include "base/program/interrupt.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include "perf/traffic/memory_watch.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The names in the folder are of one length, and so are these two variables. */
#define PRELOAD_NAME  "malloc.so"
#define OTHER_NAME    "others.so"
#define VARIABLE      "LD_PRELOAD"
#define VARIABLE_NONE "PW_PRELOAD"

#ifndef PW_LIBDIR
#define PW_LIBDIR "lib"
#endif

/* The folder ----------------------------------------------------------------------------------- */

/* The path of a library of this project, beside the program, built or installed. False: missing. */
static bool find_library(const char *name, char *path, size_t size)
{
    static const char *const folders[] = {"../lib", "../" PW_LIBDIR};
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash == NULL) {
        return false;
    }
    *slash = '\0';
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        const int used = snprintf(path, size, "%s/%s/pointer-wars/%s", self, folders[i], name);
        if (used > 0 && (size_t)used < size && access(path, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* Link a library of this project into the folder. */
static bool link_library(const struct launch *launch, const char *library, const char *name)
{
    char path[PATH_MAX];
    char link[sizeof(launch->folder) + 32];
    snprintf(link, sizeof(link), "%s/%s", launch->folder, name);
    return find_library(library, path, sizeof(path)) && symlink(path, link) == 0;
}

/* True if this system lets a program run without random addresses. */
static bool can_fix_addresses(void)
{
    const int before = personality(0xffffffff);
    const bool done = before != -1 &&
                      personality((unsigned long)before | ADDR_NO_RANDOMIZE) != -1 &&
                      (personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0;
    if (before != -1) {
        personality((unsigned long)before);
    }
    return done;
}

static struct program_control *map_control(const char *folder)
{
    char path[PATH_MAX];
    snprintf(path, sizeof(path), "%s/control", folder);
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    void *mapped = MAP_FAILED;
    if (file >= 0 && posix_fallocate(file, 0, sizeof(struct program_control)) == 0) {
        mapped =
            mmap(NULL, sizeof(struct program_control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (file >= 0) {
        close(file);
    }
    return mapped != MAP_FAILED ? mapped : NULL;
}

bool launch_open(struct launch *launch, struct command_error *error)
{
    const char *place = getenv("TMPDIR");
    /* the loader takes a blank or a colon for the end of a library's name */
    if (place == NULL || place[0] != '/' || strpbrk(place, " :\t\n") != NULL ||
        strlen(place) > 150) {
        place = "/tmp";
    }
    snprintf(launch->folder, sizeof(launch->folder), "%s/allocbench-XXXXXX", place);
    launch->control = NULL;
    if (mkdtemp(launch->folder) == NULL) {
        return command_fail(error, "no folder can be made in %.100s: %s; TMPDIR names another",
                            place, strerror(errno));
    }
    launch->control = map_control(launch->folder);
    if (launch->control == NULL) {
        command_fail(error, "%.100s: there is no room for a file: %s", launch->folder,
                     strerror(errno));
        launch_close(launch);
        return false;
    }
    if (!link_library(launch, PRELOAD_LIBRARY, PRELOAD_NAME)) {
        launch_close(launch);
        return command_fail(error, "the library to preload, " PRELOAD_LIBRARY ", is not installed");
    }
    launch->fixes_addresses = can_fix_addresses();
    return true;
}

void launch_close(struct launch *launch)
{
    DIR *folder = opendir(launch->folder);
    struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.') {
            unlinkat(dirfd(folder), entry->d_name, 0);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    rmdir(launch->folder);
    if (launch->control != NULL) {
        munmap(launch->control, sizeof(*launch->control));
        launch->control = NULL;
    }
}

void launch_choose(struct launch *launch, const char *only)
{
    struct program_control *control = launch->control;
    snprintf(control->only.name, sizeof(control->only.name), "%s", only != NULL ? only : "");
    control->only.number = 0;
}

bool launch_set_other(struct launch *launch, const char *path)
{
    char link[sizeof(launch->folder) + 32];
    snprintf(link, sizeof(link), "%s/%s", launch->folder, OTHER_NAME);
    unlink(link);
    return symlink(path, link) == 0;
}

/* A run ---------------------------------------------------------------------------------------- */

/* In the child: point a standard stream to a file. */
static bool redirect(const char *path, int flags, int to)
{
    const int file = open(path, flags, S_IRUSR | S_IWUSR);
    if (file < 0 || (file != to && dup2(file, to) != to)) {
        return false;
    }
    return file == to || close(file) == 0;
}

/* In the child: the environment of a run. */
static void set_environment(const struct launch *launch, enum launch_kind kind)
{
    static const char *const names[] = {PRELOAD_NAME, PRELOAD_NAME, OTHER_NAME};
    char value[PATH_MAX];
    const char *users = getenv(VARIABLE);
    const bool watches = launch->control->mode == PROGRAM_WATCH;
    const bool is_plain = kind == LAUNCH_PLAIN && !watches;
    int used = snprintf(value, sizeof(value), "%s/%s", launch->folder, names[kind]);
    if (watches && kind == LAUNCH_OTHER) { /* that one's malloc serves, being the first */
        used += snprintf(value + used, sizeof(value) - (size_t)used, ":%s/%s", launch->folder,
                         PRELOAD_NAME);
    }
    if (!is_plain && users != NULL && *users != '\0') {
        snprintf(value + used, sizeof(value) - (size_t)used, ":%s", users);
    }
    setenv(is_plain ? VARIABLE_NONE : VARIABLE, value, 1);
}

/* The child: become the command. */
__attribute__((noreturn)) static void become(const struct launch *launch, enum launch_kind kind)
{
    static const int own[] = {SIGINT, SIGTERM, SIGXFSZ, SIGBUS};
    char output[sizeof(launch->folder) + 32];
    char messages[sizeof(launch->folder) + 32];
    const int created = O_WRONLY | O_CREAT | O_TRUNC;
    for (size_t i = 0; i < COUNT_OF(own); i++) {
        signal(own[i], SIG_DFL);
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    snprintf(output, sizeof(output), "%s/output", launch->folder);
    snprintf(messages, sizeof(messages), "%s/messages", launch->folder);
    if (launch->fixes_addresses) {
        personality((unsigned long)personality(0xffffffff) | ADDR_NO_RANDOMIZE);
    }
    set_environment(launch, kind);
    launch->control->command = getpid();
    if (launch->inherits ||
        (redirect(launch->input != NULL ? launch->input : "/dev/null", O_RDONLY, STDIN_FILENO) &&
         redirect(output, created, STDOUT_FILENO) && redirect(messages, created, STDERR_FILENO))) {
        execvp(launch->command[0], launch->command);
    }
    launch->control->exec_error = errno;
    _exit(127);
}

/* Signals to a command that has the caller's streams. The caller stays, however often they come: it
 * has to keep what was recorded, and to delete the folder. */
static volatile pid_t signalled;
static volatile sig_atomic_t came;

static void pass_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    came = number;
    if (signalled > 0 && info->si_code != SI_KERNEL) { /* the terminal's reach the command, too */
        kill(signalled, number);
    }
}

static void pass_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_sigaction = pass_signal,
                               .sa_flags = (int)(SA_RESTART | SA_SIGINFO)};
    struct sigaction before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &action, NULL);
        }
    }
}

/* Anonymous memory of the chosen process; NaN: it is not running, or the system does not say. */
static double memory_of_chosen(const struct program_control *control, double *resident)
{
    const int process = control->process;
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", process);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const double bytes = memory_bytes(file, resident);
    if (file >= 0) {
        close(file);
    }
    return bytes;
}

/* Read the memory of a running child until it ends; twice as rarely each time the room is full. */
static void watch_memory(const struct program_control *control, pid_t child, uint64_t start_ns,
                         struct launch_memory *memory)
{
    siginfo_t info = {.si_pid = 0};
    memory->count = 0;
    while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT | WNOHANG) == 0 &&
           info.si_pid == 0 && *interrupt_flag() == 0) {
        double resident;
        const double bytes = memory_of_chosen(control, &resident);
        if (memory->count == LAUNCH_TIMES) {
            for (size_t i = 0; i < LAUNCH_TIMES / 2; i++) {
                memory->seconds[i] = memory->seconds[2 * i];
                memory->bytes[i] = memory->bytes[2 * i];
                memory->resident[i] = memory->resident[2 * i];
            }
            memory->count = LAUNCH_TIMES / 2;
            memory->interval_s *= 2;
        }
        if (bytes > 0) { /* not NaN */
            memory->seconds[memory->count] = (double)(clock_now_ns() - start_ns) / 1e9;
            memory->resident[memory->count] = resident;
            memory->bytes[memory->count++] = bytes;
        }
        const struct timespec pause = {
            .tv_sec = (time_t)memory->interval_s,
            .tv_nsec = (long)((memory->interval_s - (double)(time_t)memory->interval_s) * 1e9)};
        nanosleep(&pause, NULL);
    }
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* False with error set: the command's output has filled the folder's file system. */
static bool has_room(const struct launch *launch, struct command_error *error)
{
    struct statvfs status;
    return launch->inherits || statvfs(launch->folder, &status) != 0 || status.f_bavail > 0 ||
           command_fail(error,
                        "%.200s: there is no room for what the command prints; TMPDIR names "
                        "another folder",
                        launch->folder);
}

bool launch_run(struct launch *launch, enum launch_kind kind, enum program_mode mode,
                struct launch_memory *memory, struct launch_outcome *outcome,
                struct command_error *error)
{
    struct program_control *control = launch->control;
    struct rusage usage;
    pw_assert(control != NULL && launch->command[0] != NULL);
    control->watches = memory != NULL;
    control->mode = memory != NULL && kind != LAUNCH_PRELOAD ? PROGRAM_WATCH : mode;
    control->memory = (struct program_memory){0};
    control->process = 0;
    control->answered = 0;
    control->loaded = control->meant = control->chosen = control->started = 0;
    control->exec_error = control->place_error = 0;
    control->binds_deep = 0;
    memset(&control->difference, 0, sizeof(control->difference));
    if (launch->inherits) {
        pass_signals();
    }
    const uint64_t start_ns = clock_now_ns();
    const pid_t child = fork();
    if (child == 0) {
        become(launch, kind);
    }
    if (child < 0) {
        return command_fail(error, "no process can be started: %s", strerror(errno));
    }
    if (launch->inherits) {
        signalled = child;
        if (came != 0) { /* before it was known */
            kill(child, came);
        }
    } else {
        child_watch(child);
    }
    if (memory != NULL && memory->interval_s > 0) {
        watch_memory(control, child, start_ns, memory);
    }
    outcome->status = child_wait(child, &usage);
    signalled = 0;
    launch->resident_most = (uint64_t)usage.ru_maxrss * 1024;
    outcome->elapsed_s = (double)(clock_now_ns() - start_ns) / 1e9;
    outcome->processor_s = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    if (memory != NULL) {
        memory->end = control->memory;
    }
    if (control->exec_error != 0) {
        const bool is_input = launch->input != NULL && access(launch->input, R_OK) != 0;
        return command_fail(error, "%.200s: cannot be %s: %s",
                            is_input ? launch->input : launch->command[0],
                            is_input ? "opened" : "started", strerror(control->exec_error));
    }
    return has_room(launch, error);
}

const char *launch_bad_end(const struct launch_outcome *outcome, char text[100])
{
    if (!WIFSIGNALED(outcome->status)) {
        return NULL;
    }
    const int number = WTERMSIG(outcome->status);
    snprintf(text, 100, "the command was ended by signal %d (%s)", number, strsignal(number));
    return text;
}
