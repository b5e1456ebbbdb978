# uninstall.cmake - removes what the last `cmake --install` put in its place, and the folders of its own
# that are empty then: of a prefix that others use too, as /usr/local, those of the name pointer-wars;
# of another one all. BUILD: the build folder.
#
# The manifest has paths without DESTDIR, so install_place.cmake says below which folder they lie. With
# another DESTDIR nothing is removed: the files of that name belong to another installation.
set(manifest "${BUILD}/install_manifest.txt")
if(NOT EXISTS "${manifest}")
  message(FATAL_ERROR "nothing was installed from here: there is no ${manifest}")
endif()
file(STRINGS "${manifest}" files)
list(LENGTH files count)
include("${BUILD}/install_place.cmake") # DESTDIR as stage, and the prefix
if(NOT "$ENV{DESTDIR}" STREQUAL "${stage}")
  message(FATAL_ERROR "the ${count} files were installed with DESTDIR=${stage}, and DESTDIR is "
    "\"$ENV{DESTDIR}\" now: nothing is removed. This removes them:\n"
    "DESTDIR=${stage} cmake --build ${BUILD} --target uninstall")
endif()
set(removed 0)
set(top "${stage}")
if(NOT stage AND NOT prefix MATCHES "^/usr(/local)?/?$")
  get_filename_component(top "${prefix}" DIRECTORY)
endif()
foreach(file IN LISTS files)
  if(EXISTS "${stage}${file}" OR IS_SYMLINK "${stage}${file}")
    math(EXPR removed "${removed} + 1")
  endif()
  file(REMOVE "${stage}${file}")
  get_filename_component(folder "${stage}${file}" DIRECTORY)
  while(folder MATCHES "/pointer[-_]wars(/|$)" OR (top AND NOT folder STREQUAL top))
    if(folder MATCHES "/pointer[-_]wars(/|$)")
      file(REMOVE_RECURSE "${folder}/__pycache__") # what Python kept of the study and the judge
    endif()
    file(GLOB left "${folder}/*" "${folder}/.[!.]*")
    if(left OR NOT IS_DIRECTORY "${folder}")
      break()
    endif()
    file(REMOVE_RECURSE "${folder}")
    get_filename_component(folder "${folder}" DIRECTORY)
  endwhile()
endforeach()
file(REMOVE "${manifest}" "${BUILD}/install_place.cmake")
message(STATUS "Removed ${removed} of ${count} installed files")
