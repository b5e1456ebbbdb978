/*
 * topdown.c - see topdown.h. The tables, the plan of their events, and the formulas.
 *
 * A formula has numbers, + - * / ( ), the names of its model's events, which mean the event per
 * base, and "slots", the slots per base. It is read again for every value, outside of what is
 * measured.
 * Codes and formulas: the kernel's tools/perf/pmu-events (arch/x86/amdzen4 and amdzen5, and for
 * Arm arch/arm64/sbsa.json; arm/neoverse-n2-v2 for the erratum of the Neoverse N2, which counts one
 * stall per cycle too many) and tools/perf/Documentation/topdown.txt (Intel); AMD PPR for family
 * 19h, model 11h, and family 1Ah; Intel SDM 3B, "Performance Metrics". There is no level 2 of Ice
 * Lake, because it needs more events than fit its counters.
 */
#include "topdown.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tables ---------------------------------------------------------------------------------- */

#define SHARES_MAX 14

struct model_event {
    const char *name;  /* in formulas */
    const char *event; /* the vendor's name */
    uint64_t code;
    unsigned level;
    unsigned group;
};

struct model_share {
    int words;           /* RETIRING, ... */
    const char *formula; /* NULL: the sum of level 1 */
    unsigned level;      /* 0: the end of the shares */
};

struct topdown_model {
    struct model_event base;
    double slots; /* per base; 0: the host says */
    struct model_event events[TOPDOWN_EVENTS_MAX];
    struct model_share shares[SHARES_MAX];
};

enum {
    RETIRING,
    BAD,
    FRONT,
    BACK,
    SMT,
    SUM,
    LIGHT,
    HEAVY,
    MISPREDICTS,
    CLEARS,
    LATENCY,
    BANDWIDTH,
    MEMORY,
    CORE,
};

static const struct topdown_words words[] = {
    [RETIRING] = {"topdown_retiring", "retiring", "retiring"},
    [BAD] = {"topdown_bad_speculation", "bad speculation", "bad spec"},
    [FRONT] = {"topdown_frontend_bound", "front-end bound", "front"},
    [BACK] = {"topdown_backend_bound", "back-end bound", "back"},
    [SMT] = {"topdown_smt_contention", "other hardware thread", "SMT"},
    [SUM] = {"topdown_sum", "sum of these shares", ""},
    [LIGHT] = {"topdown_light_operations", "retiring: light operations", ""},
    [HEAVY] = {"topdown_heavy_operations", "retiring: heavy operations", ""},
    [MISPREDICTS] = {"topdown_branch_mispredicts", "bad speculation: mispredicted branches", ""},
    [CLEARS] = {"topdown_machine_clears", "bad speculation: pipeline restarts", ""},
    [LATENCY] = {"topdown_fetch_latency", "front-end bound: latency", ""},
    [BANDWIDTH] = {"topdown_fetch_bandwidth", "front-end bound: bandwidth", ""},
    [MEMORY] = {"topdown_memory_bound", "back-end bound: memory", ""},
    [CORE] = {"topdown_core_bound", "back-end bound: core", ""},
};

static const struct topdown_model intel = {
    .base = {"slots", "slots", 0x0400, 1, 0},
    .slots = 1,
    .events = {{"retiring", "topdown-retiring", 0x8000, 1, 0},
               {"bad", "topdown-bad-spec", 0x8100, 1, 0},
               {"front", "topdown-fe-bound", 0x8200, 1, 0},
               {"back", "topdown-be-bound", 0x8300, 1, 0},
               {"heavy", "topdown-heavy-ops", 0x8400, 2, 0},
               {"mispredicts", "topdown-br-mispredict", 0x8500, 2, 0},
               {"latency", "topdown-fetch-lat", 0x8600, 2, 0},
               {"memory", "topdown-mem-bound", 0x8700, 2, 0}},
    .shares = {{RETIRING, "retiring", 1},
               {BAD, "bad", 1},
               {FRONT, "front", 1},
               {BACK, "back", 1},
               {SUM, NULL, 1},
               {LIGHT, "retiring - heavy", 2},
               {HEAVY, "heavy", 2},
               {MISPREDICTS, "mispredicts", 2},
               {CLEARS, "bad - mispredicts", 2},
               {LATENCY, "latency", 2},
               {BANDWIDTH, "front - latency", 2},
               {MEMORY, "memory", 2},
               {CORE, "back - memory", 2}},
};

/* AMD's bits 8 to 11 of an event are bits 32 to 35 of its code. */
#define AMD(event, umask)                                                                          \
    (((event)&UINT64_C(0xff)) | ((event)&UINT64_C(0xf00)) << 24 | UINT64_C(umask) << 8)
#define AT_LEAST(per_cycle) ((uint64_t)(per_cycle) << 24)

#define ZEN(width, resyncs_event, resyncs_code)                                                    \
    {                                                                                              \
        .base = {"cycles", "LS_NOT_HALTED_CYC", AMD(0x076, 0), 1, 0}, .slots = (width),            \
        .events = {{"dispatched", "DE_SRC_OP_DISP:ALL", AMD(0x0aa, 0x07), 1, 0},                   \
                   {"retired", "EX_RET_OPS", AMD(0x0c1, 0), 1, 0},                                 \
                   {"no_ops", "DE_NO_DISPATCH_PER_SLOT:NO_OPS_FROM_FRONTEND", AMD(0x1a0, 0x01), 1, \
                    0},                                                                            \
                   {"stalls", "DE_NO_DISPATCH_PER_SLOT:BACKEND_STALLS", AMD(0x1a0, 0x1e), 1, 0},   \
                   {"smt", "DE_NO_DISPATCH_PER_SLOT:SMT_CONTENTION", AMD(0x1a0, 0x60), 1, 0},      \
                   {"starved", "DE_NO_DISPATCH_PER_SLOT:NO_OPS_FROM_FRONTEND:c=" #width,           \
                    AMD(0x1a0, 0x01) | AT_LEAST(width), 2, 1},                                     \
                   {"mispredicts", "EX_RET_BRN_MISP", AMD(0x0c3, 0), 2, 1},                        \
                   {"resyncs", resyncs_event, resyncs_code, 2, 1},                                 \
                   {"waits", "EX_NO_RETIRE:NOT_COMPLETE", AMD(0x0d6, 0x02), 2, 2},                 \
                   {"load_waits", "EX_NO_RETIRE:LOAD_NOT_COMPLETE", AMD(0x0d6, 0xa2), 2, 2},       \
                   {"microcode", "EX_RET_UCODE_OPS", AMD(0x1c2, 0), 2, 2}},                        \
        .shares = {                                                                                \
            {RETIRING, "retired / slots", 1},                                                      \
            {BAD, "(dispatched - retired) / slots", 1},                                            \
            {FRONT, "no_ops / slots", 1},                                                          \
            {BACK, "stalls / slots", 1},                                                           \
            {SMT, "smt / slots", 1},                                                               \
            {SUM, NULL, 1},                                                                        \
            {LIGHT, "(retired - microcode) / slots", 2},                                           \
            {HEAVY, "microcode / slots", 2},                                                       \
            {MISPREDICTS,                                                                          \
             "(dispatched - retired) / slots * mispredicts / (mispredicts + resyncs)", 2},         \
            {CLEARS, "(dispatched - retired) / slots * resyncs / (mispredicts + resyncs)", 2},     \
            {LATENCY, "starved", 2},                                                               \
            {BANDWIDTH, "no_ops / slots - starved", 2},                                            \
            {MEMORY, "stalls / slots * load_waits / waits", 2},                                    \
            {CORE, "stalls / slots * (1 - load_waits / waits)", 2},                                \
        },                                                                                         \
    }

static const struct topdown_model zen4 = ZEN(6, "RESYNCS_OR_NC_REDIRECTS", AMD(0x096, 0));
static const struct topdown_model zen5 = ZEN(8, "BP_REDIRECTS:RESYNC", AMD(0x09f, 0x01));

/* surplus: what the events of stalls count too much per cycle. Arm's tables have no level 2. */
#define ARM(surplus)                                                                               \
    {                                                                                              \
        .base = {"cycles", "CPU_CYCLES", 0x11, 1, 0},                                              \
        .events = {{"retired", "OP_RETIRED", 0x3a, 1, 0},                                          \
                   {"begun", "OP_SPEC", 0x3b, 1, 0},                                               \
                   {"stalls", "STALL_SLOT", 0x3f, 1, 0},                                           \
                   {"front", "STALL_SLOT_FRONTEND", 0x3e, 1, 0},                                   \
                   {"back", "STALL_SLOT_BACKEND", 0x3d, 1, 0}},                                    \
        .shares = {                                                                                \
            {RETIRING, "retired / begun * (1 - (stalls - " surplus ") / slots)", 1},               \
            {BAD, "(1 - retired / begun) * (1 - (stalls - " surplus ") / slots)", 1},              \
            {FRONT, "(front - " surplus ") / slots", 1},                                           \
            {BACK, "back / slots", 1},                                                             \
            {SUM, NULL, 1},                                                                        \
        },                                                                                         \
    }

static const struct topdown_model arm = ARM("0");
static const struct topdown_model arm_n2 = ARM("1");

/* The shares that other processors would have. */
static const struct topdown_model none = {
    .base = {"slots", "slots", 0, 1, 0},
    .slots = 1,
    .shares = {{RETIRING, "slots", 1},
               {BAD, "slots", 1},
               {FRONT, "slots", 1},
               {BACK, "slots", 1},
               {SUM, NULL, 1}},
};

static const struct topdown_model *const models[PMU_TOPDOWN_COUNT] = {
    [PMU_TOPDOWN_NONE] = &none,          [PMU_TOPDOWN_INTEL] = &intel, [PMU_TOPDOWN_ZEN4] = &zen4,
    [PMU_TOPDOWN_INTEL_LEVEL2] = &intel, [PMU_TOPDOWN_ZEN5] = &zen5,   [PMU_TOPDOWN_ARM] = &arm,
    [PMU_TOPDOWN_ARM_N2] = &arm_n2,
};

/* The plan ------------------------------------------------------------------------------------ */

/* is_base: cycles or slots, which are never 0; of all others the sum of the shares is the check. */
static unsigned char add_event(struct counters *counters, size_t group,
                               const struct model_event *from, bool is_base)
{
    struct event event = {.code = {.type = PERF_TYPE_RAW, .config = from->code},
                          .may_be_zero = !is_base};
    const struct pmu_host *host = &counters->host;
    snprintf(event.name, sizeof(event.name), "%s", from->event);
    size_t index = counters_add_event(counters, group, &event, EVENT_NO_ROLE);
    pw_assert(index < COUNTER_EVENTS_MAX);
    if (!counters->full && host->topdown == PMU_TOPDOWN_NONE) {
        struct counter_event *missing = &counters->events[index];
        missing->status = COUNTER_NOT_SUPPORTED;
        snprintf(
            missing->why, sizeof(missing->why), "%s",
            host->has_pmu && host->topdown_lacks != NULL
                ? host->topdown_lacks
                : counters_refusal(host, host->has_pmu ? EOPNOTSUPP : ENODEV, &missing->status));
    }
    return (unsigned char)index;
}

size_t topdown_plan(struct topdown_share *share, struct counters *counters, unsigned level,
                    bool pairs)
{
    const struct topdown_model *model = models[counters->host.topdown];
    size_t group = 0, base = 0, count = 0;
    level = counters->host.topdown == PMU_TOPDOWN_INTEL ? 1 : level;
    pw_assert(counters->host.topdown < PMU_TOPDOWN_COUNT && (level == 1 || level == 2));
    *share = (struct topdown_share){
        .model = model, .slots = model->slots > 0 ? model->slots : counters->host.slots};
    for (size_t i = 0; i < TOPDOWN_EVENTS_MAX; i++) {
        const struct model_event *event = &model->events[i];
        if (i == 0 || (event->name != NULL && event->level <= level &&
                       (pairs || event->group != model->events[i - 1].group))) {
            group = counters_add_group(counters);
            base = add_event(counters, group, &model->base, true);
        }
        share->bases[i] = (unsigned char)base;
        share->events[i] = (unsigned char)(event->name != NULL && event->level <= level
                                               ? add_event(counters, group, event, false)
                                               : base);
    }
    while (count < SHARES_MAX && model->shares[count].level != 0 &&
           model->shares[count].level <= level) {
        count++;
    }
    return count;
}

/* The formulas -------------------------------------------------------------------------------- */

struct formula {
    const char *at; /* the rest that is to be read */
    const struct topdown_share *share;
    const struct counter_reading *readings;
    struct counter_reading result; /* as good as the worst reading so far */
};

static double read_sum(struct formula *formula);

static void skip_blanks(struct formula *formula)
{
    formula->at += strspn(formula->at, " ");
}

/* Lower the result to a reading that it needs. */
static void use(struct counter_reading *result, const struct counter_reading *reading)
{
    double running = result->running < reading->running ? result->running : reading->running;
    if (counter_has_value(result) && reading->status > result->status) {
        *result = *reading;
    }
    result->running = running;
}

static double quotient(struct formula *formula, double a, double b)
{
    static const struct counter_reading nothing = {.status = COUNTER_NOT_COUNTED,
                                                   .why = "there was nothing to divide by"};
    if (b > 0) {
        return a / b;
    }
    if (counter_has_value(&formula->result)) {
        formula->result = nothing;
    }
    return 0;
}

/* An event per base, or the slots per base. */
static double read_name(struct formula *formula)
{
    const struct topdown_share *share = formula->share;
    size_t length = strspn(formula->at, "abcdefghijklmnopqrstuvwxyz_");
    const char *name = formula->at;
    formula->at += length;
    pw_assert(length > 0);
    for (size_t i = 0; i < TOPDOWN_EVENTS_MAX; i++) {
        const char *known = share->model->events[i].name;
        if (known != NULL && strlen(known) == length && strncmp(known, name, length) == 0) {
            const struct counter_reading *event = &formula->readings[share->events[i]];
            const struct counter_reading *base = &formula->readings[share->bases[i]];
            use(&formula->result, base);
            use(&formula->result, event);
            return quotient(formula, event->value, base->value);
        }
    }
    pw_assert(strncmp(name, "slots", length) == 0);
    use(&formula->result, &formula->readings[share->bases[0]]);
    return share->slots;
}

static double read_factor(struct formula *formula)
{
    double value;
    skip_blanks(formula);
    if (*formula->at == '(') {
        formula->at++;
        value = read_sum(formula);
        pw_assert(*formula->at == ')');
        formula->at++;
    } else if (isdigit((unsigned char)*formula->at)) {
        char *end;
        value = strtod(formula->at, &end);
        formula->at = end;
    } else {
        value = read_name(formula);
    }
    skip_blanks(formula);
    return value;
}

static double read_product(struct formula *formula)
{
    double value = read_factor(formula);
    while (*formula->at == '*' || *formula->at == '/') {
        char sign = *formula->at++;
        double next = read_factor(formula);
        value = sign == '*' ? value * next : quotient(formula, value, next);
    }
    return value;
}

static double read_sum(struct formula *formula)
{
    double value = read_product(formula);
    while (*formula->at == '+' || *formula->at == '-') {
        char sign = *formula->at++;
        double next = read_product(formula);
        value += sign == '+' ? next : -next;
    }
    return value;
}

struct topdown_words topdown_words(const struct topdown_share *share)
{
    pw_assert(share->index < SHARES_MAX);
    return words[share->model->shares[share->index].words];
}

bool topdown_is_sum(const struct topdown_share *share)
{
    pw_assert(share->index < SHARES_MAX);
    return share->model->shares[share->index].formula == NULL;
}

struct counter_reading topdown_value(const struct topdown_share *share,
                                     const struct counter_reading *readings)
{
    struct counter_reading sum = {.status = COUNTER_EXACT, .running = 1};
    struct topdown_share part = *share;
    if (topdown_is_sum(share)) { /* after the shares that it adds */
        for (part.index = 0; part.index < share->index; part.index++) {
            struct counter_reading value = topdown_value(&part, readings);
            use(&sum, &value);
            sum.value += counter_has_value(&sum) ? value.value : 0;
        }
        return sum;
    }
    struct formula formula = {share->model->shares[share->index].formula, share, readings, sum};
    double value = read_sum(&formula);
    pw_assert(*formula.at == '\0');
    formula.result.value = counter_has_value(&formula.result) && value > 0 ? value : 0;
    return formula.result;
}

const char *topdown_note(const struct topdown_share *sum, const struct counter_reading *readings,
                         const char *passes, char *out, size_t out_size)
{
    struct counter_reading value = topdown_value(sum, readings);
    bool is_off = value.value < 0.95 || value.value > 1.05;
    pw_assert(topdown_is_sum(sum));
    out[0] = '\0';
    if (!counter_has_value(&value)) {
        return out;
    }
    if (value.running < TOPDOWN_CERTAIN_FROM) {
        snprintf(out, out_size,
                 "top-down: the shares add to %.1f %%, but are uncertain: they were counted %.0f "
                 "%% of the time; count fewer events at a time (%s)",
                 100 * value.value, 100 * value.running, passes);
    } else {
        snprintf(out, out_size, "top-down: the shares add to %.1f %%%s", 100 * value.value,
                 is_off ? ", not to 100 %, so at least one of them is wrong" : "");
    }
    return out;
}
