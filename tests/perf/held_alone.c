/*
 * held_alone.c - what the C library's malloc holds for the requests of an experiment, counted by a
 * program of its own: held_alone purge REQUESTS | held_alone ROUNDS DISTRIBUTION.
 *
 * It shares the random numbers with allocbench, and nothing else: its own loop, its own count. Held
 * are the dirty pages of the heap and of nameless mappings (/proc/self/smaps), looked at again and
 * again. It prints the most alive and the most held, in KiB.
 */
#include "perf/traffic/prng.h"
#include "perf/traffic/size_source.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RING 1000
#define STEP 100
#define MOST (200 * STEP)
#define LIVE 65536

static char text[1 << 20];
static uint32_t sizes[MOST];
static unsigned char *blocks[LIVE];
static size_t bytes[LIVE];
static unsigned long live_peak, held_peak;

/* KiB of the pages of the heap and of nameless mappings that were written to. */
static unsigned long held_kib(void)
{
    int file = open("/proc/self/smaps", O_RDONLY);
    size_t used = 0;
    ssize_t got;
    while (file >= 0 && (got = read(file, text + used, sizeof(text) - 1 - used)) > 0) {
        used += (size_t)got;
    }
    close(file);
    text[used] = '\0';
    unsigned long sum = 0;
    int counts = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        unsigned long inode = 0;
        unsigned long kib = 0;
        char name[64] = "";
        int found = sscanf(line, "%*x-%*x %*s %*x %*s %lu %63s", &inode, name);
        if (found >= 1) {
            counts = found == 1 || strcmp(name, "[heap]") == 0;
        } else if (counts && sscanf(line, "Private_Dirty: %lu", &kib) == 1) {
            sum += kib;
        }
    }
    return sum;
}

static void look(unsigned long before, unsigned long live)
{
    unsigned long held = held_kib() - before;
    live_peak = live > live_peak ? live : live_peak;
    held_peak = held > held_peak ? held : held_peak;
}

static void ring(size_t rounds, const char *name)
{
    int kind = 0;
    while (strcmp(size_distribution_names[kind], name) != 0) {
        kind++;
    }
    size_source_fill((enum size_distribution)kind, 1, sizes, rounds * STEP);
    unsigned long before = held_kib();
    unsigned long live = 0;
    for (size_t i = 0; i < rounds * STEP; i++) {
        if (i >= RING && i % STEP == 0) {
            for (size_t k = i; k < i + STEP; k++) {
                free(blocks[k % RING]);
                live -= sizes[k - RING];
            }
        }
        blocks[i % RING] = malloc(sizes[i]);
        memset(blocks[i % RING], 1, sizes[i]);
        live += sizes[i];
        if ((i + 1) % STEP == 0) {
            look(before, live);
        }
    }
}

static void purge(size_t requests)
{
    struct prng prng;
    prng_start(&prng, 1);
    unsigned long before = held_kib();
    unsigned long live = 0;
    size_t count = 0;
    size_t next = 256;
    for (size_t i = 0; i < requests; i++) {
        bytes[count] = 1 + prng_below(&prng, 512);
        blocks[count] = malloc(bytes[count]);
        blocks[count][0] = 1;
        live += bytes[count++];
        if (--next == 0) {
            look(before, live);
            for (size_t freed = (size_t)((double)count * 0.4); freed > 0; freed--) {
                size_t index = prng_below(&prng, (uint32_t)count);
                free(blocks[index]);
                live -= bytes[index];
                blocks[index] = blocks[--count];
                bytes[index] = bytes[count];
            }
            next = 129 + prng_below(&prng, 256);
        }
    }
}

int main(int argc, char **argv)
{
    memset(blocks, 1, sizeof(blocks)); /* so that its pages are held from the start */
    memset(bytes, 1, sizeof(bytes));
    memset(text, 1, sizeof(text));
    memset(sizes, 1, sizeof(sizes));
    if (argc != 3) {
        return 2;
    }
    if (strcmp(argv[1], "purge") == 0) {
        purge(strtoul(argv[2], NULL, 10));
    } else {
        ring(strtoul(argv[1], NULL, 10), argv[2]);
    }
    char line[64];
    int length = snprintf(line, sizeof(line), "%lu %lu\n", (live_peak + 512) / 1024, held_peak);
    return write(STDOUT_FILENO, line, (size_t)length) == length ? 0 : 1;
}
