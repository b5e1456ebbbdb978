# target.cmake - which machines get the programs, and which the libraries of list and queue alone.
set(only OFF)
if((CMAKE_SIZEOF_VOID_P AND NOT CMAKE_SIZEOF_VOID_P EQUAL 8) OR
   CMAKE_C_BYTE_ORDER STREQUAL "BIG_ENDIAN" OR
   (CMAKE_SYSTEM_NAME AND NOT CMAKE_SYSTEM_NAME STREQUAL "Linux"))
  set(only ON)
endif()
option(PW_LIBRARIES_ONLY "Build the list and the queue alone: they need a C compiler and no more" ${only})
set(programs "the programs need a 64-bit, little-endian Linux: their graphs and snapshots are made for one")
if(only AND NOT PW_LIBRARIES_ONLY)
  message(FATAL_ERROR "PW_LIBRARIES_ONLY=OFF cannot be had here: ${programs}")
elseif(only)
  message(STATUS "Only the libraries linked_list and queue are built: ${programs}")
endif()
