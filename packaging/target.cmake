# target.cmake - refuses a machine for which the program is not made, in one line.
set(is_small FALSE)
if(CMAKE_SIZEOF_VOID_P AND NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(is_small TRUE)
endif()
if(is_small OR CMAKE_C_BYTE_ORDER STREQUAL "BIG_ENDIAN")
  message(FATAL_ERROR
    "Pointer Wars needs a 64-bit, little-endian target: its graphs and snapshots are made for one")
endif()
