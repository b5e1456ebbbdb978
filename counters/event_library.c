/*
 * event_library.c - libpfm4: the names that processor manuals give their events.
 */
#include "event_library.h"
#include <stdio.h>

#ifdef PW_HAVE_LIBPFM

#include "base/late_library.h"
#include <perfmon/pfmlib_perf_event.h>
#include <string.h>

/* What is called of libpfm4, which is opened with the first question. */
#define PFM_CALLS(X)                                                                               \
    X(pfm_get_event_info)                                                                          \
    X(pfm_get_event_next)                                                                          \
    X(pfm_get_os_event_encoding)                                                                   \
    X(pfm_get_pmu_info)                                                                            \
    X(pfm_get_version)                                                                             \
    X(pfm_initialize)                                                                              \
    X(pfm_strerror)
LATE_CALLS(library, lib, PFM_CALLS, PW_LIBPFM);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256] = ""; /* why it is of no use */

static void initialise(void)
{
    if (late_library_open(&library, problem, sizeof(problem))) {
        int result = lib.pfm_initialize();
        if (result != PFM_SUCCESS) {
            snprintf(problem, sizeof(problem), "%s", lib.pfm_strerror(result));
        }
    }
}

const char *event_library_problem(void)
{
    pthread_once(&once, initialise);
    return problem[0] != '\0' ? problem : NULL;
}

bool event_library_find(const char *name, struct pmu_code *code, char *why, size_t why_size)
{
    struct perf_event_attr attr = {0};
    pfm_perf_encode_arg_t argument = {.attr = &attr, .size = sizeof(argument)};
    const char *error = event_library_problem();
    if (error == NULL) {
        int result = lib.pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT, &argument);
        error = result != PFM_SUCCESS ? lib.pfm_strerror(result) : NULL;
    }
    if (error != NULL) {
        snprintf(why, why_size, "libpfm4: %s", error);
        return false;
    }
    *code = (struct pmu_code){attr.type, attr.config, attr.config1, attr.config2};
    return true;
}

/* The next processor among libpfm4's PMUs, from *at on; false at the end. For libpfm4 the kernel's
 * generic events and raw codes are PMUs, too, but not processors. */
static bool next_processor(int *at, pfm_pmu_info_t *info)
{
    while (event_library_problem() == NULL && *at < PFM_PMU_MAX) {
        *info = (pfm_pmu_info_t){.size = sizeof(*info)};
        if (lib.pfm_get_pmu_info((pfm_pmu_t)(*at)++, info) == PFM_SUCCESS && info->is_present &&
            info->type == PFM_PMU_TYPE_CORE && strncmp(info->name, "perf", 4) != 0 &&
            strcmp(info->name, "ix86arch") != 0) {
            return true;
        }
    }
    return false;
}

void event_library_names(event_visit *visit, void *context)
{
    pfm_pmu_info_t pmu;
    for (int at = 0; next_processor(&at, &pmu);) {
        for (int event = pmu.first_event; event != -1; event = lib.pfm_get_event_next(event)) {
            pfm_event_info_t info = {.size = sizeof(info)};
            if (lib.pfm_get_event_info(event, PFM_OS_PERF_EVENT, &info) == PFM_SUCCESS) {
                visit(context, info.name);
            }
        }
    }
}

bool event_library_ready(void)
{
    pfm_pmu_info_t pmu;
    int at = 0;
    return next_processor(&at, &pmu);
}

unsigned event_library_version(void)
{
    return event_library_problem() == NULL ? (unsigned)lib.pfm_get_version() : 0;
}

#else

const char *event_library_problem(void)
{
    return "not built in";
}

bool event_library_find(const char *name, struct pmu_code *code, char *why, size_t why_size)
{
    (void)name;
    (void)code;
    snprintf(why, why_size, "built without libpfm4");
    return false;
}

void event_library_names(event_visit *visit, void *context)
{
    (void)visit;
    (void)context;
}

bool event_library_ready(void)
{
    return false;
}

unsigned event_library_version(void)
{
    return 0;
}

#endif
