/*
 * counters.c - groups of events: opened, started, stopped, read, and turned into readings; and the
 * calls of the kernel for that, perf_event_open and others.
 *
 * A group starts and stops with its leader. The members stay enabled, but the kernel counts them,
 * and their time, only while the leader is enabled. PERF_IOC_FLAG_GROUP would set up the
 * processor's counters once per member: 9.3 us instead of 2.5 for a start and a stop of six events.
 */
#include "counters.h"
#include "base/pw_assert.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel ---------------------------------------------------------------------------------- */

static int kernel_open(const struct pmu_code *code, int leader)
{
    struct perf_event_attr attr = {
        .size = sizeof(attr),
        .type = code->type,
        .config = code->config,
        .config1 = code->config1,
        .config2 = code->config2,
        .disabled = leader < 0, /* members follow their leader */
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .read_format =
            PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
    };
    long descriptor =
        syscall(SYS_perf_event_open, &attr, 0, -1, leader, (unsigned long)PERF_FLAG_FD_CLOEXEC);
    return descriptor >= 0 ? (int)descriptor : -errno;
}

static int kernel_start(int leader)
{
    return ioctl(leader, PERF_EVENT_IOC_ENABLE, 0) == 0 ? 0 : -errno;
}

static int kernel_stop(int leader)
{
    return ioctl(leader, PERF_EVENT_IOC_DISABLE, 0) == 0 ? 0 : -errno;
}

static int kernel_read(int leader, uint64_t *words, size_t word_count)
{
    ssize_t bytes = read(leader, words, word_count * sizeof(*words));
    return bytes >= 0 ? (int)((size_t)bytes / sizeof(*words)) : -errno;
}

static void kernel_close(int descriptor)
{
    close(descriptor);
}

const struct pmu pmu_kernel = {
    .open = kernel_open,
    .start = kernel_start,
    .stop = kernel_stop,
    .read = kernel_read,
    .close = kernel_close,
};

/* A plan, opened ------------------------------------------------------------------------------ */

/* Each event is in a group, and each open one counted in its group. */
static bool is_sound(const struct counters *counters)
{
    size_t open[COUNTER_GROUPS_MAX] = {0};
    bool sound = counters->group_count <= COUNTER_GROUPS_MAX;
    for (size_t i = 0; sound && i < counters->event_count; i++) {
        const struct counter_event *event = &counters->events[i];
        sound = event->group < counters->group_count &&
                (event->descriptor < 0 || event->status == COUNTER_EXACT);
        open[sound ? event->group : 0] += event->descriptor >= 0;
    }
    for (size_t i = 0; sound && i < counters->group_count; i++) {
        sound = counters->groups[i].open_count == open[i] &&
                (counters->groups[i].leader >= 0) == (open[i] > 0);
    }
    return sound;
}

/* A region with as many instructions makes an event that stays at 0 implausible. Where they are not
 * counted, one per nanosecond is assumed. */
#define PLAUSIBLE_INSTRUCTIONS 1e6

static const char why_not_started[] = "it was not started";
static const char why_absent[] = "this processor does not seem to have it: it stays at 0";
static const char why_doubtful[] =
    "it stayed at 0, over too few instructions to know if this processor has it";
static const char why_lost[] = "the counter was lost: the kernel gave no value for it";

void counters_plan(struct counters *counters, const struct pmu *pmu, const struct pmu_host *host)
{
    memset(counters, 0, sizeof(*counters));
    counters->pmu = pmu;
    counters->host = *host;
}

size_t counters_add_group(struct counters *counters)
{
    counters->full = counters->full || counters->group_count == COUNTER_GROUPS_MAX;
    if (!counters->full) {
        counters->groups[counters->group_count++] = (struct counter_group){
            .leader = -1,
            .selected = true,
            .failure = why_not_started,
        };
    }
    return counters->group_count - 1;
}

size_t counters_add_event(struct counters *counters, size_t group, const struct event *event,
                          enum event_role role)
{
    pw_assert(group < counters->group_count && role <= EVENT_NO_ROLE);
    counters->full = counters->full || counters->event_count == COUNTER_EVENTS_MAX;
    if (!counters->full) {
        counters->events[counters->event_count++] =
            (struct counter_event){.event = *event, .role = role, .group = group, .descriptor = -1};
    }
    return counters->event_count - 1;
}

size_t counters_add_missing(struct counters *counters, size_t group, enum event_role role,
                            enum counter_status status, const char *why)
{
    struct event event = {.stage = EVENT_STAGE_UNKNOWN};
    pw_assert(status > COUNTER_SIMULATED); /* else it would have a value */
    snprintf(event.name, sizeof(event.name), "%s", event_role_name(role));
    size_t index = counters_add_event(counters, group, &event, role);
    if (!counters->full) {
        snprintf(counters->events[index].why, COUNTER_WHY_BYTES, "%s", why);
        counters->events[index].status = status;
    }
    return index;
}

const char *counters_refusal(const struct pmu_host *host, int error, enum counter_status *status)
{
    *status = COUNTER_NOT_SUPPORTED;
    switch (error) {
    case EACCES:
    case EPERM:
        *status = COUNTER_NO_PERMISSION;
        return "the kernel refuses them to this process";
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        return host->has_pmu      ? "this processor has no such counter"
               : host->is_virtual ? "this virtual machine has no performance counters"
                                  : "the kernel drives no performance counters of this processor";
    case ENOSYS:
        return "this kernel has no perf events";
    case EMFILE:
    case ENFILE:
        *status = COUNTER_NOT_COUNTED;
        return "too many open files";
    case EBUSY:
        *status = COUNTER_NOT_COUNTED;
        return "another user of the counters holds it";
    default:
        return "the kernel does not know this event";
    }
}

/* Write the reason why an event could not be opened. */
static void explain(const struct pmu_host *host, struct counter_event *event, int error)
{
    const char *why = counters_refusal(host, error, &event->status);
    if (event->status == COUNTER_NO_PERMISSION) {
        snprintf(event->why, sizeof(event->why),
                 "the kernel refuses it to this process (kernel.perf_event_paranoid is %d)",
                 host->perf_event_paranoid);
    } else {
        snprintf(event->why, sizeof(event->why), "%s", why);
    }
}

/* True if an event that a group refused can be opened alone: then the group is too large. */
static bool opens_alone(struct counters *counters, const struct counter_event *event)
{
    const struct pmu *pmu = counters->pmu;
    int descriptor = pmu->open(&event->event.code, -1);
    if (descriptor >= 0) {
        pmu->close(descriptor);
    }
    return descriptor >= 0;
}

bool counters_open(struct counters *counters)
{
    const struct pmu *pmu = counters->pmu;
    pw_assert(!counters->full && counters_open_count(counters) == 0);
    for (size_t i = 0; i < counters->event_count; i++) {
        struct counter_event *event = &counters->events[i];
        struct counter_group *group = &counters->groups[event->group];
        if (event->status != COUNTER_EXACT) {
            continue;
        }
        int descriptor = pmu->open(&event->event.code, group->leader);
        if (descriptor >= 0) {
            event->descriptor = descriptor;
            group->leader = group->leader < 0 ? descriptor : group->leader;
            group->open_count++;
        } else if (group->leader >= 0 && (descriptor == -EINVAL || descriptor == -ENOSPC) &&
                   opens_alone(counters, event)) {
            counters_close(counters);
            return false;
        } else {
            explain(&counters->host, event, -descriptor);
        }
    }
    pw_assert(is_sound(counters));
    return true;
}

void counters_close(struct counters *counters)
{
    /* Close members before their leader, so that none is left to lead itself. */
    for (size_t i = counters->event_count; i-- > 0;) {
        struct counter_event *event = &counters->events[i];
        if (event->descriptor >= 0) {
            counters->pmu->close(event->descriptor);
            event->descriptor = -1;
        }
    }
    for (size_t i = 0; i < counters->group_count; i++) {
        counters->groups[i].leader = -1;
        counters->groups[i].is_read = false;
        counters->groups[i].open_count = 0;
    }
    pw_assert(counters_open_count(counters) == 0 && is_sound(counters));
}

size_t counters_open_count(const struct counters *counters)
{
    size_t count = 0;
    for (size_t i = 0; i < counters->event_count; i++) {
        count += counters->events[i].descriptor >= 0;
    }
    return count;
}

void counters_select(struct counters *counters, size_t group)
{
    pw_assert(group == SIZE_MAX || group < counters->group_count);
    for (size_t i = 0; i < counters->group_count; i++) {
        counters->groups[i].selected = group == SIZE_MAX || group == i;
    }
}

/* A region ------------------------------------------------------------------------------------ */

/* Read a group; false if it did not give a value for each of its events. */
static bool read_group(struct counters *counters, const struct counter_group *group,
                       uint64_t words[PMU_GROUP_HEADER + COUNTER_EVENTS_MAX])
{
    size_t wanted = PMU_GROUP_HEADER + group->open_count;
    pw_assert(group->leader >= 0 && group->open_count > 0);
    int count = counters->pmu->read(group->leader, words, PMU_GROUP_HEADER + COUNTER_EVENTS_MAX);
    return count >= 0 && (size_t)count >= wanted && words[PMU_GROUP_EVENTS] == group->open_count;
}

void counters_begin(struct counters *counters)
{
    const struct pmu *pmu = counters->pmu;
    pw_assert(is_sound(counters));
    for (size_t i = 0; i < counters->group_count; i++) {
        struct counter_group *group = &counters->groups[i];
        group->failure = why_not_started;
        if (group->leader >= 0 && group->selected) {
            group->is_read = group->is_read || read_group(counters, group, group->before);
            group->failure = group->is_read ? NULL : why_lost;
        }
    }
    /* Started last and in a loop of its own, so that little of this is counted. */
    for (size_t i = 0; i < counters->group_count; i++) {
        struct counter_group *group = &counters->groups[i];
        if (group->failure == NULL && pmu->start(group->leader) != 0) {
            group->failure = "the counter could not be started";
        }
    }
}

/* The reading of one event from the words of its group before and after. */
static struct counter_reading difference(const uint64_t *before, const uint64_t *after, size_t slot)
{
    struct counter_reading reading = {.status = COUNTER_NOT_COUNTED};
    uint64_t count = after[PMU_GROUP_HEADER + slot] - before[PMU_GROUP_HEADER + slot];
    uint64_t enabled = after[PMU_GROUP_ENABLED_NS] - before[PMU_GROUP_ENABLED_NS];
    uint64_t running = after[PMU_GROUP_RUNNING_NS] - before[PMU_GROUP_RUNNING_NS];
    pw_assert(slot < COUNTER_EVENTS_MAX);
    if (after[PMU_GROUP_HEADER + slot] < before[PMU_GROUP_HEADER + slot]) {
        reading.why = "the counter went backwards (it wrapped or was reset)";
    } else if (after[PMU_GROUP_ENABLED_NS] < before[PMU_GROUP_ENABLED_NS] ||
               after[PMU_GROUP_RUNNING_NS] < before[PMU_GROUP_RUNNING_NS] || running > enabled) {
        reading.why = "the kernel's times for it make no sense";
    } else if (running == 0) {
        reading.why = "it never got a counter of the processor in this region";
        reading.time_enabled_ns = reading.time_skipped_ns = enabled;
    } else {
        reading.status = running == enabled ? COUNTER_EXACT : COUNTER_SCALED;
        reading.running = (double)running / (double)enabled;
        reading.value = (double)count * ((double)enabled / (double)running);
        reading.time_enabled_ns = enabled;
        reading.time_running_ns = running;
        pw_assert(reading.running > 0 && reading.running <= 1);
    }
    return reading;
}

static void read_events(struct counters *counters, size_t group_index,
                        struct counter_reading *readings)
{
    struct counter_group *group = &counters->groups[group_index];
    uint64_t after[PMU_GROUP_HEADER + COUNTER_EVENTS_MAX] = {0};
    size_t slot = 0;
    group->is_read = group->failure == NULL && read_group(counters, group, after);
    if (group->failure == NULL && !group->is_read) {
        group->failure = why_lost;
    }
    for (size_t i = 0; i < counters->event_count; i++) {
        const struct counter_event *event = &counters->events[i];
        if (event->group != group_index) {
            continue;
        }
        if (event->descriptor < 0) {
            readings[i] = (struct counter_reading){.status = event->status, .why = event->why};
        } else if (group->failure != NULL) {
            readings[i] =
                (struct counter_reading){.status = COUNTER_NOT_COUNTED, .why = group->failure};
        } else {
            readings[i] = difference(group->before, after, slot++);
        }
    }
    pw_assert(slot == (group->failure == NULL ? group->open_count : 0));
    memcpy(group->before, after, sizeof(after)); /* its counts stay until it is started again */
}

/* True if an event counts instructions. */
static bool is_instructions(const struct counter_event *event)
{
    const struct pmu_code *code = &event->event.code;
    return event->role == EVENT_INSTRUCTIONS ||
           (code->type == PERF_TYPE_HARDWARE && code->config == PERF_COUNT_HW_INSTRUCTIONS);
}

/* Take back the zeros of events that have never counted anything. */
static void doubt_zeros(struct counters *counters, struct counter_reading *readings)
{
    double instructions = 0;
    for (size_t i = 0; i < counters->event_count; i++) {
        if (is_instructions(&counters->events[i]) && counter_has_value(&readings[i])) {
            instructions = readings[i].value;
        }
    }
    for (size_t i = 0; i < counters->event_count; i++) {
        struct counter_event *event = &counters->events[i];
        struct counter_reading *reading = &readings[i];
        if (!counters->groups[event->group].selected || !counter_has_value(reading)) {
            continue;
        }
        event->has_counted = event->has_counted || reading->value > 0;
        if (!event->has_counted) {
            event->instructions_at_zero +=
                instructions > 0 ? instructions : (double)reading->time_running_ns;
            reading->status = COUNTER_STAYED_ZERO;
            reading->why =
                event->instructions_at_zero < PLAUSIBLE_INSTRUCTIONS ? why_doubtful : why_absent;
        }
        pw_assert(event->has_counted == counter_has_value(reading));
    }
}

void counters_end(struct counters *counters, struct counter_reading *readings)
{
    const struct pmu *pmu = counters->pmu;
    pw_assert(is_sound(counters));
    for (size_t i = counters->group_count; i-- > 0;) {
        struct counter_group *group = &counters->groups[i];
        if (group->failure == NULL && pmu->stop(group->leader) != 0) {
            group->failure = why_lost;
        }
    }
    for (size_t i = 0; i < counters->group_count; i++) {
        if (counters->groups[i].selected) {
            read_events(counters, i, readings);
        }
    }
    doubt_zeros(counters, readings);
}

void counters_preset(const struct counters *counters, struct counter_reading *readings)
{
    pw_assert(is_sound(counters));
    for (size_t i = 0; i < counters->event_count; i++) {
        const struct counter_event *event = &counters->events[i];
        readings[i] =
            event->status == COUNTER_EXACT
                ? (struct counter_reading){.status = COUNTER_NOT_COUNTED,
                                           .why =
                                               "not counted yet: its group has a pass of its own"}
                : (struct counter_reading){.status = event->status, .why = event->why};
    }
}
