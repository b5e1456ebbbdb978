# folders.cmake - makes the missing folders of an installation, for everybody, whatever the umask is.
# It runs at the start of `cmake --install`; a folder that exists stays as it is.
foreach(folder . bin include lib lib/cmake lib/cmake/pointer_wars lib/pkgconfig
    lib/pointer-wars share
    share/bash-completion share/doc share/doc/pointer-wars share/doc/pointer-wars/examples share/fish
    share/man share/pointer-wars share/zsh)
  set(path "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${folder}")
  if(NOT EXISTS "${path}")
    file(MAKE_DIRECTORY "${path}")
    file(CHMOD "${path}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
      WORLD_READ WORLD_EXECUTE)
  endif()
endforeach()
