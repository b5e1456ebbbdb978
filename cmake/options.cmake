# Warnings are errors once CI was set while configuring, and stay so in that build folder.
option(PW_WERROR "Warnings are errors" OFF)
if("$ENV{CI}")
  set(PW_WERROR ON CACHE BOOL "Warnings are errors" FORCE)
endif()

# pw_options: what every target here is compiled with, as a target so that nothing is global.
add_library(pw_options INTERFACE)
target_compile_options(pw_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
  $<$<BOOL:${PW_WERROR}>:-Werror>
  -fvisibility=hidden -fno-plt -fno-omit-frame-pointer -momit-leaf-frame-pointer -g
  $<$<C_COMPILER_ID:Clang>:-gdwarf-4>) # Valgrind before 3.20 gives up on clang's DWARF 5
target_compile_definitions(pw_options INTERFACE _GNU_SOURCE)
# The sources look for Valgrind's headers themselves (__has_include); this rebuilds them when the
# headers come later than the first build.
find_path(PW_VALGRIND_INCLUDE valgrind/memcheck.h)
target_compile_definitions(pw_options INTERFACE
  $<$<BOOL:${PW_VALGRIND_INCLUDE}>:PW_VALGRIND_IS_INSTALLED>)
if(PW_SANITIZE)
  target_compile_options(pw_options INTERFACE -fsanitize=${PW_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(pw_options INTERFACE -fsanitize=${PW_SANITIZE})
endif()

if(PW_STATIC)
  set(PW_LIBRARY_TYPE STATIC)
else()
  set(PW_LIBRARY_TYPE SHARED)
endif()

# pw_public_header(FILE): a header that users include. It is copied to the build's include folder,
# so that -I build/NAME/include is all a harness needs, and installed.
function(pw_public_header file)
  configure_file(${CMAKE_CURRENT_SOURCE_DIR}/${file} ${PROJECT_BINARY_DIR}/include/${file} COPYONLY)
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()

# pw_program(NAME FILES...): an executable that finds the libraries beside it, built or installed.
function(pw_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE pw_options)
  set_target_properties(${name} PROPERTIES
    BUILD_RPATH_USE_ORIGIN ON
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS ${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
