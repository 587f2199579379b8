# Finds what Minas is built on and says clearly what to install where something is missing.

find_package(PkgConfig REQUIRED)

# minas_require(<pkg-config module> <minimum> <Debian package> <what for>)
function(minas_require module minimum package purpose)
  pkg_check_modules(${module} QUIET IMPORTED_TARGET GLOBAL "${module}>=${minimum}")
  if(NOT ${module}_FOUND)
    message(FATAL_ERROR
      "Minas needs ${module} ${minimum} or newer (${purpose}), which pkg-config does not find.\n"
      "On Debian and Ubuntu: apt-get install ${package}")
  endif()
  set(${module}_VERSION ${${module}_VERSION} PARENT_SCOPE)
endfunction()

minas_require(hwloc 2.5 libhwloc-dev "the machine's topology")
minas_require(numa 2.0.14 libnuma-dev "placing memory")
minas_require(jansson 2.13 libjansson-dev "reports as JSON")
minas_require(libpng 1.6 libpng-dev "sharing matrices as pictures")
minas_require(zlib 1.2 zlib1g-dev "figures of pages")

# The newest tested first.
set(MINAS_LLVM_VERSIONS 19 20 21 22 18 17 16)

if(MINAS_MAPP)
  # A given Clang_DIR decides.
  if(NOT Clang_DIR)
    foreach(version ${MINAS_LLVM_VERSIONS})
      find_package(Clang QUIET CONFIG PATHS /usr/lib/llvm-${version} NO_DEFAULT_PATH)
      if(Clang_FOUND)
        break()
      endif()
    endforeach()
  endif()
  find_package(Clang QUIET CONFIG)
  if(NOT Clang_FOUND)
    message(FATAL_ERROR
      "mapp-rewrite needs the libraries of Clang 16 to 22, which CMake does not find.\n"
      "On Debian and Ubuntu: apt-get install libclang-19-dev llvm-19-dev\n"
      "Elsewhere: -DClang_DIR=<prefix>/lib/cmake/clang\n"
      "To build the libraries without it: -DMINAS_MAPP=OFF")
  endif()
  find_package(LLVM REQUIRED CONFIG HINTS ${Clang_DIR}/../llvm)
elseif(MINAS_TRACE)
  foreach(version ${MINAS_LLVM_VERSIONS})
    if(NOT LLVM_FOUND)
      find_package(LLVM QUIET CONFIG PATHS /usr/lib/llvm-${version} NO_DEFAULT_PATH)
    endif()
  endforeach()
  find_package(LLVM QUIET CONFIG)
endif()

if(MINAS_TRACE)
  if(NOT LLVM_FOUND)
    message(FATAL_ERROR
      "The tools need the libraries of LLVM 16 to 22, which CMake does not find.\n"
      "On Debian and Ubuntu: apt-get install llvm-19-dev\n"
      "Elsewhere: -DLLVM_DIR=<prefix>/lib/cmake/llvm\n"
      "To build without them: -DMINAS_TRACE=OFF -DMINAS_MAPP=OFF -DMINAS_MAP=OFF")
  endif()
  if(LLVM_VERSION_MAJOR LESS 16 OR LLVM_VERSION_MAJOR GREATER 22)
    message(FATAL_ERROR
      "The tools are written for LLVM 16 to 22; found ${LLVM_VERSION} in ${LLVM_DIR}.\n"
      "Choose another with -DClang_DIR=<prefix>/lib/cmake/clang, or -DLLVM_DIR=<prefix>/lib/cmake/llvm")
  endif()
  include(MinasClang)
endif()

if(MINAS_MAP)
  # Only LEMON's headers are used.
  find_path(MINAS_LEMON_INCLUDE lemon/matching.h)
  if(NOT MINAS_LEMON_INCLUDE)
    message(FATAL_ERROR
      "mai-map needs the headers of LEMON 1.3 (graph matching), which CMake does not find.\n"
      "On Debian and Ubuntu: apt-get install liblemon-dev\n"
      "Elsewhere: -DMINAS_LEMON_INCLUDE=<prefix>/include\n"
      "To build without it: -DMINAS_MAP=OFF")
  endif()
  # Scotch is optional: mai-map --algorithm=scotch, and a peer in bench/map.
  find_path(MINAS_SCOTCH_INCLUDE scotch.h PATH_SUFFIXES scotch)
  find_library(MINAS_SCOTCH_LIBRARY scotch)
  find_library(MINAS_SCOTCHERR_LIBRARY scotcherr)
  if(NOT MINAS_SCOTCH_INCLUDE OR NOT MINAS_SCOTCHERR_LIBRARY)
    set(MINAS_SCOTCH_LIBRARY "")
  endif()
endif()
