/*
 * test_graph_memory.c - how much memory is available, on systems made up here.
 */
#include "base/system_file.h"
#include "tests/support/suite.h"
#include <stdio.h>
#include <string.h>

static const char *memory_info, *group_limit,
    *group_usage;   /* what the files have; NULL: no such file */
static bool is_old; /* control groups of version 1 */

static bool fake_line(const char *root, const char *path, char *line, size_t size)
{
    const char *text = NULL;
    (void)root;
    if (strcmp(path, is_old ? "/sys/fs/cgroup/memory/memory.limit_in_bytes"
                            : "/sys/fs/cgroup/memory.max") == 0) {
        text = group_limit;
    } else if (strcmp(path, is_old ? "/sys/fs/cgroup/memory/memory.usage_in_bytes"
                                   : "/sys/fs/cgroup/memory.current") == 0) {
        text = group_usage;
    }
    return text != NULL && snprintf(line, size, "%s", text) >= 0;
}

static bool fake_value(const char *root, const char *path, const char *key, char *value,
                       size_t size)
{
    (void)root;
    return memory_info != NULL && strcmp(path, "/proc/meminfo") == 0 &&
           strcmp(key, "MemAvailable") == 0 && snprintf(value, size, "%s", memory_info) >= 0;
}

#define system_file_line  fake_line
#define system_file_value fake_value
#include "data/graph/graph_memory.c"

START_TEST(a_container_may_have_less_memory_than_its_machine)
{
    static const struct {
        const char *meminfo, *limit, *usage;
        uint64_t available;
    } systems[] = {
        {"1000 kB", NULL, NULL, 1024000},
        {"1000 kB", "max", "5000", 1024000},
        {"1000 kB", "50000", "20000", 30000}, /* the container has less */
        {"1000 kB", "50000", "60000", 0},
        {"1000 kB", "50000", NULL, 50000},
        {"1000 kB", "9000000", "1000000", 1024000}, /* and here the machine */
        {NULL, "50000", "20000", 30000},
        {NULL, NULL, NULL, MEMORY_MAX},
        {"99999999999999999 kB", NULL, NULL, MEMORY_MAX},
    };
    for (size_t i = 0; i < sizeof(systems) / sizeof(systems[0]); i++) {
        for (int old = 0; old < 2; old++) {
            is_old = old == 1;
            memory_info = systems[i].meminfo;
            group_limit = systems[i].limit;
            group_usage = systems[i].usage;
            ck_assert_msg(memory_available() == systems[i].available, "%zu, %d: %llu", i, old,
                          (unsigned long long)memory_available());
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_container_may_have_less_memory_than_its_machine, NULL};
    return suite_run("graph memory", NULL, NULL, tests);
}
