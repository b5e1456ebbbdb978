# debian.cmake - packages and archives by CPack: `packaging/packages` makes all of them.
#
# pointer-wars          programs, manual pages, completions, sample data
# pointer-wars-mpi      bfs-mpi, where there is an MPI
# libpointer-wars1      the three libraries, with their SONAME
# libpointer-wars-dev   headers, links, CMake package, pkg-config, examples
# python3-pointer-wars  the Python package, for every Python 3 and every machine
# The source archive is that of `git archive`: what is checked in, and nothing else.
# Debian has another program called bfs, in the package bfs. So ours is pointer-wars-bfs, with a page and
# completions; what goes by the name bfs lies in share/pointer-wars/alternatives, and postinst links it
# where that package is absent.
set(library_package libpointer-wars${PROJECT_VERSION_MAJOR})
set(packages pointer-wars:programs ${library_package}:libraries libpointer-wars-dev:development)
if(TARGET bfs-mpi)
  list(APPEND packages pointer-wars-mpi:mpi)
endif()
if(PW_DEBIAN)
  list(APPEND packages python3-pointer-wars:python)
  foreach(package ${packages})
    string(REPLACE ":" ";" parts ${package})
    list(GET parts 0 name)
    list(GET parts 1 component)
    set(folder ${PROJECT_BINARY_DIR}/packaging/${name})
    file(MAKE_DIRECTORY ${folder})
    execute_process(COMMAND gzip -9nc ${CMAKE_CURRENT_SOURCE_DIR}/debian/changelog
      OUTPUT_FILE ${folder}/changelog.gz COMMAND_ERROR_IS_FATAL ANY)
    install(FILES ${folder}/changelog.gz ${CMAKE_CURRENT_SOURCE_DIR}/debian/copyright
      DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
  endforeach()
  install(FILES debian/overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
    RENAME ${library_package} COMPONENT libraries)
  set(bin "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}")
  install(CODE "file(RENAME \"${bin}/bfs\" \"${bin}/pointer-wars-bfs\")" COMPONENT programs)
  install(FILES ${made}/man1/bfs.1.gz ${made}/bash/bfs ${made}/zsh/_bfs ${made}/fish/bfs.fish
    DESTINATION ${share}/alternatives COMPONENT programs)
endif()

# pw_late_packages(VARIABLE TARGETS...): ", " and the packages of the libraries that these targets open late,
# which dpkg-shlibdeps does not see.
function(pw_late_packages variable)
  set(packages "")
  foreach(target ${ARGN})
    get_target_property(files ${target} PW_LATE_FILES)
    foreach(file ${files})
      if(PW_DEBIAN AND file)
        file(REAL_PATH ${file} file)
        execute_process(COMMAND dpkg-query -S ${file} OUTPUT_VARIABLE owner RESULT_VARIABLE status)
        if(NOT status EQUAL 0)
          message(FATAL_ERROR "A package must name the package that has ${file}: dpkg-query -S finds none")
        endif()
        string(REGEX REPLACE "[:,].*" "" owner "${owner}")
        string(APPEND packages ", ${owner}")
      endif()
    endforeach()
  endforeach()
  set(${variable} "${packages}" PARENT_SCOPE)
endfunction()
pw_late_packages(program_packages pw_data)
pw_late_packages(library_packages pw_data)
string(REGEX REPLACE "^, " "" library_packages "${library_packages}")

# What pip would install, but for the library and bfs, which have packages of their own.
if(PW_DEBIAN)
  set(python ${PROJECT_SOURCE_DIR}/python)
  set(info ${PROJECT_BINARY_DIR}/packaging/pointer_wars-${PROJECT_VERSION}.dist-info)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/pyproject.toml
    ${CMAKE_CURRENT_SOURCE_DIR}/python_metadata.py)
  file(REMOVE_RECURSE ${info})
  execute_process(COMMAND ${PW_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/python_metadata.py
    ${PROJECT_SOURCE_DIR}/pyproject.toml ${info} COMMAND_ERROR_IS_FATAL ANY)
  install(PROGRAMS debian/python/bfs-web DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT python)
  set(modules lib/python3/dist-packages) # the same on every machine, unlike CMAKE_INSTALL_LIBDIR
  install(DIRECTORY ${info} DESTINATION ${modules} COMPONENT python)
  install(DIRECTORY ${python}/src/ DESTINATION ${modules} COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN py.typed PATTERN "*.html" PATTERN "*.css"
    PATTERN "*.js" PATTERN "*.svg" PATTERN __pycache__ EXCLUDE)
endif()

set(CPACK_PACKAGE_NAME pointer-wars)
set(CPACK_PACKAGE_CONTACT "The Pointer Wars authors <pointer-wars@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # it would be the first line of each description below
set(CPACK_PACKAGE_VENDOR "The Pointer Wars authors")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
string(REGEX REPLACE "[^:;]*:" "" CPACK_COMPONENTS_ALL "${packages}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)

set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME pointer-wars)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_DEPENDS
  "${library_package} (= ${PROJECT_VERSION}), python3${program_packages}")
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot, linux-perf | linux-tools-generic, curl")
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS "valgrind, bubblewrap, python3-pyelftools, python3-seccomp, gcc, strace, libmimalloc2.0, libjemalloc2")
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/debian/programs/postinst
  ${CMAKE_CURRENT_SOURCE_DIR}/debian/programs/prerm ${CMAKE_CURRENT_SOURCE_DIR}/debian/programs/triggers)
set(CPACK_DEBIAN_PROGRAMS_DESCRIPTION
"graph search with pluggable node allocators
The Pointer Wars performance challenge as a program: breadth-first searches
of graphs with millions of links, in which every list node comes from an
allocator chosen by an option. It counts as the challenge does, reports what
an allocator costs, and stands beside much faster search engines.")

# The launcher must be the library's own.
set(launcher mpi-default-bin)
if(PW_MPI_LIBRARY)
  string(REPLACE openmpi openmpi-bin launcher ${PW_MPI_LIBRARY})
endif()
set(CPACK_DEBIAN_MPI_PACKAGE_NAME pointer-wars-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "${library_package} (= ${PROJECT_VERSION}), ${launcher}${program_packages}")
set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS pointer-wars)
set(CPACK_DEBIAN_MPI_DESCRIPTION
"breadth-first search of a graph spread over many machines
The Pointer Wars graph search for an MPI job; each rank holds a part
of the graph, so that it may be larger than the memory of one machine.")

set(CPACK_DEBIAN_LIBRARIES_PACKAGE_NAME ${library_package})
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_DEPENDS "${library_packages}")
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/debian/triggers)
set(CPACK_DEBIAN_LIBRARIES_DESCRIPTION
"linked list, queue and graph search with pluggable allocators
The libraries of the Pointer Wars challenge: a linked list and a queue whose
nodes come from an allocator chosen by name, and shortest paths in graphs
with millions of links.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libpointer-wars-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${library_package} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
"development files of the Pointer Wars libraries
Headers, links, the CMake package, pkg-config files and examples of the
linked list, the queue, the graph search and the interface of allocators.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-pointer-wars)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
  "${library_package} (= ${PROJECT_VERSION}), python3 (>= 3.9), python3-numpy")
# bfs-web is built on starlette and uvicorn, and runs pointer-wars-bfs.
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS
  "pointer-wars, python3-starlette, python3-uvicorn, python3-prometheus-client")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS
  "python3-scipy, python3-networkx, python3-pandas, python3-matplotlib, python3-tqdm")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/debian/python/postinst
  ${CMAKE_CURRENT_SOURCE_DIR}/debian/python/prerm)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION
"shortest paths in large graphs from Python
The graph search of Pointer Wars as the module pointer_wars: graphs from
files, arrays, SciPy and NetworkX; paths, distances and histograms as NumPy
arrays without copies. The program bfs-web serves a page that draws all
shortest paths between two nodes.")
include(CPack)
