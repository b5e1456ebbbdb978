# late_library.cmake - libraries of others that are opened when they are first needed: base/late_library.h.
#
# They are linked as usual in a static build; under MemorySanitizer, which sees what is linked only; and
# where the library is there as an archive only.
set(PW_LATE ON)
if(PW_STATIC OR PW_SANITIZE STREQUAL "memory")
  set(PW_LATE OFF)
endif()

# pw_late_library(TARGET NAME FILE...): TARGET uses the library in the first FILE. The macro PW_NAME is its
# SONAME; the property PW_LATE_FILES of TARGET has the file, for debian.cmake.
function(pw_late_library target name file)
  set(dynamic "")
  if(PW_LATE)
    execute_process(COMMAND ${CMAKE_READELF} -d ${file} OUTPUT_VARIABLE dynamic ERROR_QUIET)
  endif()
  if(dynamic MATCHES "\\(SONAME\\)[^\n[]*\\[([^]\n]+)\\]")
    target_compile_definitions(${target} PRIVATE PW_LATE_LIBRARIES PW_${name}="${CMAKE_MATCH_1}")
    set_property(TARGET ${target} APPEND PROPERTY PW_LATE_FILES ${file})
  else()
    target_link_libraries(${target} PRIVATE ${file} ${ARGN})
  endif()
endfunction()
