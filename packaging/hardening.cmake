# hardening.cmake - what makes an exploit of a mistake harder, in builds for users (Release).
#
# 1. Compiler: checked copies (_FORTIFY_SOURCE=3, or 2 where compiler or C library know no 3), stack
#    protector, a probe per page of the stack, and what the processor checks of branches: CET's shadow
#    stack on x86-64 (its marked targets cost 4 % of a search's instructions, and Linux checks none in
#    a program), signed return addresses and marked targets on AArch64. The linker marks a program for
#    that where the C library's start files are marked, too.
# 2. Linker: the tables of addresses are read-only before main (full RELRO), no executable stack.
# 3. Programs are position independent (PIE).
# The engines do without checked copies (bfs/CMakeLists.txt); tests/test_hardening.sh reads the
# results.
# PW_HARDEN=OFF leaves it out. Sanitizers and coverage do without: they check more.
option(PW_HARDEN "Harden Release builds" ON)

include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckCSourceCompiles)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# pw_fortify_level(RESULT): the highest level that compiles without a warning.
function(pw_fortify_level result)
  foreach(level 3 2)
    set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level}")
    check_c_source_compiles("#include <stdio.h>\n#include <string.h>\nint main(void) { return 0; }"
      PW_FORTIFY_${level})
    if(PW_FORTIFY_${level})
      set(${result} ${level} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} 0 PARENT_SCOPE)
endfunction()

if(PW_HARDEN AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT PW_SANITIZE)
  pw_fortify_level(PW_FORTIFY)
  if(PW_FORTIFY)
    target_compile_options(pw_options INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${PW_FORTIFY})
  endif()
  set(branches -fcf-protection=return)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(branches -mbranch-protection=standard)
  endif()
  foreach(flag -fstack-protector-strong -fstack-clash-protection ${branches})
    string(MAKE_C_IDENTIFIER "PW_HAS${flag}" known)
    set(CMAKE_REQUIRED_FLAGS -Werror)
    check_c_compiler_flag(${flag} ${known})
    if(${known})
      target_compile_options(pw_options INTERFACE ${flag})
    endif()
  endforeach()
  set(PW_HARDENED ON)
  check_linker_flag(C -Wl,-z,relro,-z,now,-z,noexecstack PW_HAS_RELRO) # ELF
  if(PW_HAS_RELRO)
    target_link_options(pw_options INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  endif()
endif()
