// The challenge's C++ edition: a class.
#pragma once
#include <cstddef>

class LinkedList {
public:
    bool insert_end(unsigned int data);
    std::size_t size() const;

private:
    std::size_t count = 0;
};
