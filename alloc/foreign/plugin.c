/*
 * plugin.c - the allocator "plugin": a third party's, from a shared object with one exported table.
 *
 * 1. plugin:./mine.so opens the file and looks for the symbol NODE_ALLOCATOR_PLUGIN names, a const
 *    struct node_allocator_type; its abi must be the one this program was built with.
 * 2. Its options are given as with=NAME=VALUE;NAME=VALUE.
 * 3. The state comes from the memory source; every operation is handed on, the front too.
 * Cost: one more call where there is no front.
 */
#include "alloc/allocators.h"
#include "alloc/option_values.h"
#include "alloc/refuse.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { OPTION_FILE, OPTION_WITH };

/* What is taken from the source: the options' values, and behind them the state. */
struct room {
    struct node_specification values;
    _Alignas(64) unsigned char state[];
};

struct plugin {
    struct node_allocator base;
    void *handle;
    struct room *room;
    void *room_block;                /* what the source gave, for room at 64 */
    struct node_allocator *instance; /* in room */
};

static const struct node_option options[] = {
    [OPTION_FILE] = {"file", NODE_OPTION_TEXT, "", NULL, 0, 0,
                     "shared object that exports the table"},
    [OPTION_WITH] = {"with", NODE_OPTION_TEXT, "", NULL, 0, 0,
                     "its options, separated by semicolons"},
    {.name = NULL},
};

static struct node_allocator *instance_of(const struct node_allocator *self)
{
    return ((const struct plugin *)self)->instance;
}

/* The table of an open shared object, or NULL with the error set. */
static const struct node_allocator_type *find_table(void *handle, const char *path,
                                                    struct node_allocator_error *error)
{
    const struct node_allocator_type *found = dlsym(handle, NODE_ALLOCATOR_PLUGIN_SYMBOL);
    const char *wrong = NULL;
    if (found == NULL) {
        wrong = "exports no " NODE_ALLOCATOR_PLUGIN_SYMBOL;
    } else if (found->abi != NODE_ALLOCATOR_ABI) {
        refuse(error,
               "plugin: %s was built for version %u of node_allocator.h, this program has %d", path,
               found->abi, NODE_ALLOCATOR_ABI);
        return NULL;
    } else if (found->name == NULL || found->summary == NULL || found->allocate == NULL ||
               found->release == NULL || found->bytes_per_block == NULL ||
               found->instance_bytes < sizeof(struct node_allocator)) {
        wrong = "leaves out something that every table must have";
    } else if (found->flags & NODE_ALLOCATOR_WRAPS) {
        wrong = "is a wrapper, and a plugin cannot be one";
    }
    if (wrong != NULL) {
        refuse(error, "plugin: %s %s", path, wrong);
        return NULL;
    }
    return found;
}

/* Take the room and open the instance in it. False: the room is given back. */
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
    plugin->room = (struct room *)(((uintptr_t)plugin->room_block + 63) & ~(uintptr_t)63);
    memset(plugin->room, 0, bytes);
    struct node_allocator *instance = (struct node_allocator *)(void *)plugin->room->state;
    instance->type = table;
    instance->source = plugin->base.source;
    if (!option_values_of(table, with, &plugin->room->values, error) ||
        (table->create != NULL &&
         !table->create(instance, plugin->room->values.levels[0].values, error))) {
        plugin->base.source->release(plugin->room_block);
        return false;
    }
    plugin->instance = instance;
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
    plugin->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (plugin->handle == NULL) {
        return refuse(error, "plugin: %.300s", dlerror());
    }
    const struct node_allocator_type *table = find_table(plugin->handle, path, error);
    if (table == NULL || !open_instance(plugin, table, values[OPTION_WITH].text, error)) {
        dlclose(plugin->handle);
        return false;
    }
    return true;
}

static void *plugin_allocate(struct node_allocator *self, size_t size)
{
    return node_allocator_allocate(instance_of(self), size);
}

static void plugin_release(struct node_allocator *self, void *block, size_t size)
{
    node_allocator_release(instance_of(self), block, size);
}

static void plugin_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                                 size_t size)
{
    node_allocator_release_chain(instance_of(self), head, tail, count, size);
}

static struct node_front *plugin_front(struct node_allocator *self, size_t size)
{
    return node_allocator_front(instance_of(self), size);
}

static void plugin_page_done(struct node_allocator *self, struct node_front *front, void *page)
{
    struct node_allocator *instance = instance_of(self);
    instance->type->page_done(instance, front, page);
}

static void plugin_trim(struct node_allocator *self)
{
    node_allocator_trim(instance_of(self));
}

static void plugin_statistics(const struct node_allocator *self,
                              struct node_allocator_statistics *out)
{
    const struct node_allocator *instance = instance_of(self);
    node_allocator_statistics(instance, out);
    if (out->note[0] == '\0') {
        snprintf(out->note, sizeof(out->note), "%.40s: %.100s", instance->type->name,
                 instance->type->summary);
    }
}

static bool plugin_check(const struct node_allocator *self, char *message, size_t message_size)
{
    return node_allocator_check(instance_of(self), message, message_size);
}

static double plugin_bytes_per_block(const struct node_allocator *self, size_t size)
{
    return node_allocator_bytes_per_block(instance_of(self), size);
}

static bool plugin_region(const struct node_allocator *self, void **base, size_t *bytes)
{
    return node_allocator_region(instance_of(self), base, bytes);
}

static void plugin_report(const struct node_allocator *self, const struct node_report *to)
{
    node_allocator_report(instance_of(self), to);
}

static void plugin_destroy(struct node_allocator *self)
{
    struct plugin *plugin = (struct plugin *)self;
    if (plugin->instance->type->destroy != NULL) {
        plugin->instance->type->destroy(plugin->instance);
    }
    self->source->release(plugin->room_block);
    dlclose(plugin->handle);
}

const struct node_allocator_type plugin_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "plugin",
    .summary = "a third party's, from a shared object: plugin:./mine.so",
    .flags = NODE_ALLOCATOR_NEEDS_FILE,
    .instance_bytes = sizeof(struct plugin),
    .options = options,
    .bytes_per_block = plugin_bytes_per_block,
    .create = plugin_create,
    .allocate = plugin_allocate,
    .release = plugin_release,
    .release_chain = plugin_release_chain,
    .front = plugin_front,
    .page_done = plugin_page_done,
    .trim = plugin_trim,
    .statistics = plugin_statistics,
    .check = plugin_check,
    .destroy = plugin_destroy,
    .region = plugin_region,
    .report = plugin_report,
};
