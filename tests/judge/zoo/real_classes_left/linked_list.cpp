#include "linked_list.hpp"

bool LinkedList::insert_end(unsigned int)
{
    count++;
    return true;
}

std::size_t LinkedList::size() const
{
    return count;
}
