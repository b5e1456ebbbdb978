/*
 * plugin.c - the allocator "plugin": a third party's, from a shared object with one exported table.
 *
 * 1. plugin:./mine.so opens the file and looks for the symbol NODE_ALLOCATOR_PLUGIN names, a const
 *    struct node_allocator_type; its abi must be the one this program was built with.
 * 2. Its options are given as with=NAME=VALUE;NAME=VALUE.
 * 3. The state comes from the memory source; every operation is handed on, the front included. The
 *    instance is its inner allocator, although it is not a wrapper in a specification.
 * Cost: one more call if there is no front.
 */
#include "alloc/allocators.h"
#include "alloc/option_values.h"
#include "alloc/refuse.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_FILE, OPTION_WITH };

/* One block from the source: the options' values, and the state after them. */
struct room {
    struct node_specification values;
    _Alignas(64) unsigned char state[];
};

struct plugin {
    struct node_allocator base;
    void *handle;
    void *room_block; /* the source's block, for a struct room at 64 */
};

static const struct node_option options[] = {
    [OPTION_FILE] = {"file", NODE_OPTION_LIBRARY, "", NULL, 0, 0,
                     "shared object that exports the table"},
    [OPTION_WITH] = {"with", NODE_OPTION_TEXT, "", NULL, 0, 0,
                     "its options, separated by semicolons"},
    {.name = NULL},
};

/* A function that every table must have and this one lacks, or NULL. */
static const char *missing_from(const struct node_allocator_type *table)
{
    return table->name == NULL              ? "name"
           : table->summary == NULL         ? "summary"
           : table->allocate == NULL        ? "function allocate"
           : table->release == NULL         ? "function release"
           : table->bytes_per_block == NULL ? "function bytes_per_block"
                                            : NULL;
}

/* True if a table can be used; NULL cannot. */
static bool is_usable(const struct node_allocator_type *table, const char *path,
                      struct node_allocator_error *error)
{
    if (table == NULL) {
        return refuse(error, "plugin: %s exports no " NODE_ALLOCATOR_PLUGIN_SYMBOL, path);
    }
    if (table->abi != NODE_ALLOCATOR_ABI) {
        return refuse(error,
                      "plugin: %s was built for version %u of node_allocator.h, this program has "
                      "%d",
                      path, table->abi, NODE_ALLOCATOR_ABI);
    }
    const char *missing = missing_from(table);
    if (missing != NULL) {
        return refuse(error, "plugin: the table of %s has no %s; every table must", path, missing);
    }
    if (table->instance_bytes < sizeof(struct node_allocator)) {
        return refuse(error,
                      "plugin: the instance_bytes of %s are %zu; its state begins with a struct "
                      "node_allocator of %zu",
                      path, table->instance_bytes, sizeof(struct node_allocator));
    }
    const struct node_front_type *fronts = table->fronts;
    if (fronts != NULL && (fronts->open == NULL || fronts->take == NULL || fronts->give == NULL ||
                           fronts->give_chain == NULL || fronts->close == NULL)) {
        return refuse(
            error, "plugin: %s has fronts, but not all of open, take, give, give_chain and close",
            path);
    }
    return (table->flags & NODE_ALLOCATOR_WRAPS) == 0 ||
           refuse(error, "plugin: %s is a wrapper, and a plugin cannot be one", path);
}

/* Take the room and open the instance in it. False: the room was given back. */
static bool open_instance(struct plugin *plugin, const struct node_allocator_type *table,
                          const char *with, struct node_allocator_error *error)
{
    size_t bytes = sizeof(struct room) + table->instance_bytes;
    if (table->instance_bytes <= SIZE_MAX / 2) {
        plugin->room_block = plugin->base.source->allocate(bytes + 64);
    }
    if (plugin->room_block == NULL) {
        return refuse(error, "plugin: out of memory for its state");
    }
    struct room *room = (struct room *)(((uintptr_t)plugin->room_block + 63) & ~(uintptr_t)63);
    memset(room, 0, bytes);
    struct node_allocator *instance = (struct node_allocator *)(void *)room->state;
    instance->type = table;
    instance->source = plugin->base.source;
    if (!option_values_of(table, with, &room->values, error) ||
        (table->create != NULL && !table->create(instance, room->values.levels[0].values, error))) {
        plugin->base.source->release(plugin->room_block);
        return false;
    }
    plugin->base.inner = instance;
    return true;
}

static bool plugin_create(struct node_allocator *self, const struct node_option_value *values,
                          struct node_allocator_error *error)
{
    struct plugin *plugin = (struct plugin *)self;
    const char *path = values[OPTION_FILE].text;
    if (path[0] == '\0') {
        return refuse(error, "plugin: which file is missing, as in plugin:./mine.so");
    }
    errno = 0;
    plugin->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (plugin->handle == NULL && strchr(path, '/') == NULL && access(path, F_OK) == 0) {
        return refuse(error,
                      "plugin: %.200s is here, but a name without a slash is looked for among the "
                      "system's libraries; write plugin:./%.200s",
                      path, path);
    }
    if (plugin->handle == NULL) {
        const char *why = errno == ENOMEM ? NULL : dlerror(); /* unreliable without memory */
        return refuse(error, "plugin: %.300s", why != NULL ? why : "out of memory");
    }
    const struct node_allocator_type *table = dlsym(plugin->handle, NODE_ALLOCATOR_PLUGIN_SYMBOL);
    if (!is_usable(table, path, error) ||
        !open_instance(plugin, table, values[OPTION_WITH].text, error)) {
        dlclose(plugin->handle);
        return false;
    }
    return true;
}

static void *plugin_allocate(struct node_allocator *self, size_t size)
{
    return node_allocator_allocate(self->inner, size);
}

static bool plugin_open_front(struct node_allocator *self, struct node_front *front, size_t size)
{
    return node_allocator_open_front(self->inner, front, size);
}

static void *plugin_take(struct node_allocator *self, struct node_front *front)
{
    return self->inner->type->fronts->take(self->inner, front);
}

static void plugin_give(struct node_allocator *self, struct node_front *front, void *block)
{
    self->inner->type->fronts->give(self->inner, front, block);
}

static void plugin_give_chain(struct node_allocator *self, struct node_front *front, void *head,
                              void *tail, size_t count)
{
    self->inner->type->fronts->give_chain(self->inner, front, head, tail, count);
}

static void plugin_close_front(struct node_allocator *self, struct node_front *front)
{
    self->inner->type->fronts->close(self->inner, front);
}

static const struct node_front_type plugin_fronts = {plugin_open_front, plugin_take, plugin_give,
                                                     plugin_give_chain, plugin_close_front};

static void plugin_statistics(const struct node_allocator *self,
                              struct node_allocator_statistics *out)
{
    const struct node_allocator *instance = self->inner;
    node_allocator_statistics(instance, out);
    if (out->note[0] == '\0') {
        snprintf(out->note, sizeof(out->note), "%.40s: %.100s", instance->type->name,
                 instance->type->summary);
    }
}

static void plugin_destroy(struct node_allocator *self)
{
    struct plugin *plugin = (struct plugin *)self;
    if (self->inner->type->destroy != NULL) {
        self->inner->type->destroy(self->inner);
    }
    self->inner = NULL; /* closed */
    self->source->release(plugin->room_block);
    dlclose(plugin->handle);
}

const struct node_allocator_type plugin_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "plugin",
    .summary = "an allocator from a shared object: plugin:./mine.so",
    .flags = NODE_ALLOCATOR_NEEDS_FILE | NODE_ALLOCATOR_FOREIGN,
    .instance_bytes = sizeof(struct plugin),
    .options = options,
    .create = plugin_create,
    .allocate = plugin_allocate,
    .release = node_allocator_release_inside,
    .release_chain = node_allocator_release_chain_inside,
    .fronts = &plugin_fronts,
    .statistics = plugin_statistics,
    .destroy = plugin_destroy,
};
