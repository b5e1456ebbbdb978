# target.cmake - which machines get the programs, which some of them, and which the libraries of
# list and queue alone.
set(only OFF)
if(CMAKE_SYSTEM_NAME AND NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(only ON)
endif()
option(PW_LIBRARIES_ONLY "Build the list and the queue alone: they need a C compiler and no more" ${only})
set(programs "the programs need Linux")
if(only AND NOT PW_LIBRARIES_ONLY)
  message(FATAL_ERROR "PW_LIBRARIES_ONLY=OFF cannot be had here: ${programs}")
elseif(only)
  message(STATUS "Only the libraries linked_list and queue are built: ${programs}")
endif()
set(PW_LEFT_OUT "")
if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND NOT PW_LIBRARIES_ONLY)
  set(PW_LEFT_OUT EXCLUDE_FROM_ALL) # as add_subdirectory takes it
  message(STATUS "perf and wikipedia are left out: they need 64 bits")
endif()
