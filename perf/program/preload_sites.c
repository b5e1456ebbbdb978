/*
 * preload_sites.c - who asked: the callers of a request, found by the compiler's unwinder.
 *
 * 1. A site is a few return addresses. They are hashed, and the hash is the site: two sites of the
 *    same hash, one pair in 2^64, would be taken for one.
 * 2. Its text is made once, from the loader's tables; function and line are looked up by the reader
 *    of the recording, with addr2line.
 * Cost: 1.5 us per request of jq (five_minutes.md). A walk along frame pointers would cost less,
 * but most programs and libraries are compiled without them, and there it reads any memory.
 */
#include "preload.h"
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unwind.h>

#define SITES_ROOM 16384 /* a power of two; three quarters of it are used at most */

/* The sites of the recording, by hash. Read without a lock: a hash is written once, and only
 * sites_clear, in a child of a fork, takes it away. */
static struct {
    _Atomic uint64_t hash;
    uint32_t number;
} sites[SITES_ROOM];
static uint32_t site_count;

static uint64_t own_base; /* of this library */

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *to)
{
    struct call_site *site = to;
    const uintptr_t address = _Unwind_GetIP(context);
    if (address == 0 || site->frame_count == site->frames_max) {
        return _URC_END_OF_STACK;
    }
    /* code lies before data, so this library's functions are those */
    if (address - own_base >= (uintptr_t)&own - own_base) {
        site->frames[site->frame_count++] = address;
    }
    return _URC_NO_REASON;
}

size_t frame_write(uintptr_t frame, char text[PROGRAM_FRAME_SIZE])
{
    Dl_info place;
    struct link_map *map = NULL;
    if (dladdr1((void *)(frame - 1), &place, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL) {
        return (size_t)snprintf(text, PROGRAM_FRAME_SIZE, "%#zx", (size_t)frame);
    }
    return (size_t)snprintf(text, PROGRAM_FRAME_SIZE, "%.220s+%#zx%s%.50s", place.dli_fname,
                            (size_t)(frame - map->l_addr), place.dli_sname != NULL ? " in " : "",
                            place.dli_sname != NULL ? place.dli_sname : "");
}

/* The place of a hash, or the free one where it belongs. */
static size_t place_of(uint64_t hash)
{
    size_t at = (size_t)hash & (SITES_ROOM - 1);
    while (sites[at].hash != 0 && sites[at].hash != hash) {
        at = (at + 1) & (SITES_ROOM - 1);
    }
    return at;
}

void site_find(struct call_site *site, uint32_t frames)
{
    Dl_info self;
    if (own_base == 0 && dladdr(&own, &self) != 0) {
        own_base = (uintptr_t)self.dli_fbase;
    }
    site->hash = 0;
    site->frame_count = 0;
    site->frames_max = frames;
    site->text_bytes = 0;
    _Unwind_Backtrace(add_frame, site);
    const uint32_t count = site->frame_count < SITE_FRAMES ? site->frame_count : SITE_FRAMES;
    for (uint32_t i = 0; i < count; i++) {
        site->hash = (site->hash ^ site->frames[i]) * UINT64_C(0x9e3779b97f4a7c15);
        site->hash ^= site->hash >> 29;
    }
    if (site->hash == 0 || sites[place_of(site->hash)].hash != 0) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        char frame[PROGRAM_FRAME_SIZE];
        const size_t length = frame_write(site->frames[i], frame);
        memcpy(site->text + site->text_bytes, " < ", 3);
        site->text_bytes += i > 0 ? 3 : 0;
        memcpy(site->text + site->text_bytes, frame, length);
        site->text_bytes += length;
    }
}

uint32_t site_number(uint64_t hash, bool *is_new)
{
    const size_t at = place_of(hash);
    *is_new = sites[at].hash == 0;
    if (*is_new && site_count == SITES_ROOM / 4 * 3) {
        *is_new = false;
        return 0;
    }
    if (*is_new) {
        sites[at].number = ++site_count;
        sites[at].hash = hash;
    }
    return sites[at].number;
}

void sites_clear(void)
{
    if (site_count > 0) {
        memset(sites, 0, sizeof(sites));
        site_count = 0;
    }
}
