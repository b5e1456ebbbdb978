# What `cmake --install` puts where, beside the targets and headers that install themselves:
# 1. lib/cmake/pointer_wars: find_package(pointer_wars) gives pointer_wars::linked_list and ::queue.
# 2. lib/pkgconfig: linked_list.pc and queue.pc, which move with the folder they are in.
# The library folder is flat: one -L DIR serves both libraries.
include(CMakePackageConfigHelpers)

set(PW_CONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/pointer_wars)
install(EXPORT pointer_wars NAMESPACE pointer_wars:: DESTINATION ${PW_CONFIG_DIR}
  FILE pointer_wars-targets.cmake)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/pointer_wars-config.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/pointer_wars-config.cmake
  INSTALL_DESTINATION ${PW_CONFIG_DIR})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/cmake/pointer_wars-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/pointer_wars-config.cmake
  ${PROJECT_BINARY_DIR}/cmake/pointer_wars-config-version.cmake
  DESTINATION ${PW_CONFIG_DIR})

# From lib/pkgconfig up to the prefix: as many steps as the library folder is deep, and one more.
file(RELATIVE_PATH PW_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" PW_PC_TO_PREFIX "${PW_PC_TO_PREFIX}")
foreach(name linked_list queue)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/cmake/${name}.pc
    @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/cmake/${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
