# uninstall.cmake - removes what the last `cmake --install` put in its place, and the folders of its own
# that are empty then. BUILD: the build folder.
#
# The manifest has paths without DESTDIR, so install_destdir.txt says below which folder they lie. With
# another DESTDIR nothing is removed: the files of that name belong to another installation.
set(manifest "${BUILD}/install_manifest.txt")
if(NOT EXISTS "${manifest}")
  message(FATAL_ERROR "nothing was installed from here: there is no ${manifest}")
endif()
file(STRINGS "${manifest}" files)
list(LENGTH files count)
set(stage "")
if(EXISTS "${BUILD}/install_destdir.txt")
  file(READ "${BUILD}/install_destdir.txt" stage)
endif()
if(NOT "$ENV{DESTDIR}" STREQUAL "${stage}")
  message(FATAL_ERROR "the ${count} files were installed with DESTDIR=${stage}, and DESTDIR is "
    "\"$ENV{DESTDIR}\" now: nothing is removed. This removes them:\n"
    "DESTDIR=${stage} cmake --build ${BUILD} --target uninstall")
endif()
set(removed 0)
foreach(file IN LISTS files)
  if(EXISTS "${stage}${file}" OR IS_SYMLINK "${stage}${file}")
    math(EXPR removed "${removed} + 1")
  endif()
  file(REMOVE "${stage}${file}")
  get_filename_component(folder "${stage}${file}" DIRECTORY)
  while(folder MATCHES "/pointer[-_]wars(/|$)" OR (stage AND NOT folder STREQUAL stage))
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
file(REMOVE "${manifest}" "${BUILD}/install_destdir.txt")
message(STATUS "Removed ${removed} of ${count} installed files")
