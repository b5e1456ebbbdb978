// The queue of good_cpp: the C file is C++ as well, but for one cast.
#include "queue.h"

#include <cstdlib>

static void *(*get)(size_t) = std::malloc;
static void (*give)(void *) = std::free;

extern "C" {

queue *queue_create()
{
    queue *made = static_cast<queue *>(get(sizeof(queue)));
    if (made != nullptr && (made->ll = linked_list_create()) == nullptr) {
        give(made);
        return nullptr;
    }
    return made;
}

bool queue_delete(queue *q)
{
    if (q == nullptr) {
        return false;
    }
    linked_list_delete(q->ll);
    give(q);
    return true;
}

bool queue_push(queue *q, unsigned data)
{
    return q != nullptr && linked_list_insert_end(q->ll, data);
}

bool queue_next(queue *q, unsigned *data)
{
    if (q == nullptr || q->ll->head == nullptr) {
        return false;
    }
    *data = q->ll->head->data;
    return true;
}

bool queue_pop(queue *q, unsigned *data)
{
    return queue_next(q, data) && linked_list_remove(q->ll, 0);
}

bool queue_has_next(queue *q)
{
    return q != nullptr && q->ll->head != nullptr;
}

size_t queue_size(queue *q)
{
    return q == nullptr ? SIZE_MAX : linked_list_size(q->ll);
}

bool queue_register_malloc(void *(*function)(size_t))
{
    get = function == nullptr ? get : function;
    return linked_list_register_malloc(function);
}

bool queue_register_free(void (*function)(void *))
{
    give = function == nullptr ? give : function;
    return linked_list_register_free(function);
}
}
