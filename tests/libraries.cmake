# libraries.cmake - the suites of base, alloc, liblist and libqueue, which any machine can build.
pw_test(base/test_base pw_base)
pw_test(base/test_number pw_base)
pw_test(base/test_late_library pw_base Threads::Threads)
pw_test_threads(test_late_library)
pw_test(base/test_report pw_report)
pw_test(base/test_compare pw_report)
pw_test(base/test_program_parts pw_program_parts)

# The list and the queue.
pw_test(liblist/test_linked_list linked_list)
pw_test(libqueue/test_queue queue)
pw_test(libqueue/test_queue_more queue)
pw_test(liblist/test_threads queue Threads::Threads)
target_sources(test_threads PRIVATE liblist/thread_patterns.c)
pw_test_threads(test_threads)
add_executable(threads_long liblist/threads_long.c liblist/thread_patterns.c)
target_link_libraries(threads_long PRIVATE pw_options pw_base queue linked_list Threads::Threads)
set_target_properties(threads_long PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)

# The allocators.
pw_test(alloc/test_specification linked_list)
pw_test(alloc/test_pool linked_list)
pw_test(alloc/test_slab linked_list)
pw_test(alloc/test_slab_fronts linked_list)
pw_test(alloc/test_slab_large linked_list)
pw_test(alloc/test_node_allocator pw_contract)
pw_test_threads(test_node_allocator)
pw_test(alloc/test_thread_fronts linked_list Threads::Threads)
pw_test_threads(test_thread_fronts)
pw_test(alloc/test_fault queue)
pw_test(alloc/test_refusing_malloc queue)
pw_test(alloc/test_region_allocators linked_list)
pw_test(alloc/test_block_heap linked_list)
pw_test(alloc/test_record_replay linked_list)
pw_test(alloc/test_place_table pw_places)
# A suite compiles plug-ins: for the system that it runs on.
set(PLUGIN_COMPILER ${CMAKE_C_COMPILER})
if(CMAKE_SYSROOT)
  string(APPEND PLUGIN_COMPILER " --sysroot='${CMAKE_SYSROOT}'")
endif()
if(PW_STATIC) # see CALLER in heap_fixture.h
  target_compile_definitions(test_block_heap PRIVATE PW_STATIC)
endif()
pw_test(alloc/test_foreign_allocators linked_list)
target_compile_definitions(test_foreign_allocators PRIVATE
  PLUGIN_COMPILER="${PLUGIN_COMPILER}"
  PLUGIN_INCLUDE="${PROJECT_BINARY_DIR}/include"
  PLUGIN_EXAMPLE="${PROJECT_SOURCE_DIR}/alloc/foreign/example/lifo.c")
