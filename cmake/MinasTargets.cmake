# How every library and program of Minas is compiled.

set(MINAS_C_WARNINGS -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes)
set(MINAS_CXX_WARNINGS -Wall -Wextra -Wshadow)

# Installed tools and libraries find each other wherever the prefix is.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};$ORIGIN")

function(minas_compile_options target)
  target_compile_features(${target} PUBLIC c_std_11 PRIVATE cxx_std_20)
  # Includes name the room: "mai/arrays/registry.h".
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:C>:${MINAS_C_WARNINGS}>
    $<$<COMPILE_LANGUAGE:CXX>:${MINAS_CXX_WARNINGS}>
    $<$<BOOL:${MINAS_WERROR}>:-Werror>)
  target_compile_definitions(${target} PRIVATE $<$<BOOL:${MINAS_LOCK_CHECKS}>:MINAS_LOCK_CHECKS>)
  if(MINAS_SANITIZE)
    set(flags -fsanitize=${MINAS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(${target} PRIVATE ${flags}
      # gcc 12 takes what its sanitizers add, in <regex> for one, for uses of what is not set.
      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
    target_link_options(${target} PRIVATE ${flags})
  endif()
  if(MINAS_SANITIZE_TOOLS)
    minas_sanitize_tool(${target})
  endif()
endfunction()

# For what is in C++, and has no name twice in its unnamed namespaces: most of the time goes into headers and templates.
# An object has sources of one folder, so that its symbols tell what the folder needs. CMake leaves out sources with
# options of their own.
function(minas_compile_together target)
  set(most 8)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "${target}_${folder}" name)
    math(EXPR count_${name} "${count_${name}} + 1")
    math(EXPR piece "(${count_${name}} + ${most} - 1) / ${most}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${piece})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${MINAS_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()

# A compiler loads a module, and has no sanitizer's run-time.
function(minas_sanitize_tool target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL MODULE_LIBRARY)
    return()
  endif()
  set(flags -fsanitize=${MINAS_SANITIZE_TOOLS} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(MINAS_SANITIZE_TOOLS MATCHES "fuzzer")
    # To tell of each comparison takes longer than all else; the blocks that were run guide a fuzzer, too.
    list(APPEND flags -fno-sanitize-coverage=trace-cmp)
  endif()
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${flags}>")
  target_link_options(${target} PRIVATE "$<$<LINK_LANGUAGE:CXX>:${flags}>")
endfunction()

# minas_library(<name> VERSION_SCRIPT <file> SOURCES <file>...): a shared library that exports just
# the symbols of its version script, with the alias Minas::<name>; <name>_objects holds the same code for unit tests,
# which reach what the library hides.
function(minas_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "VERSION_SCRIPT" "SOURCES")
  add_library(${name}_objects OBJECT ${arg_SOURCES})
  minas_compile_options(${name}_objects)
  set_target_properties(${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_definitions(${name}_objects PRIVATE _GNU_SOURCE)
  target_include_directories(${name}_objects PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)

  add_library(${name} SHARED $<TARGET_OBJECTS:${name}_objects>)
  add_library(Minas::${name} ALIAS ${name})
  minas_compile_options(${name})
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/${arg_VERSION_SCRIPT})
  target_link_options(${name} PRIVATE -Wl,--version-script=${script} -Wl,--no-undefined)
  set_target_properties(${name} PROPERTIES
    LINK_DEPENDS ${script} VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    LINKER_LANGUAGE C)
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()

# What gcc loads, for the gcc that is here and has its plugins' headers. `without` says what programs lack else.
function(minas_gcc_plugin target without)
  find_program(MINAS_GCC gcc DOC "the gcc whose programs are to be compiled with plugins")
  if(MINAS_GCC)
    execute_process(COMMAND ${MINAS_GCC} -print-file-name=plugin
      OUTPUT_VARIABLE gcc_plugins OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(NOT EXISTS "${gcc_plugins}/include/gcc-plugin.h")
    message(STATUS "The headers of gcc's plugins are not there: ${without}. "
      "On Debian and Ubuntu: apt-get install gcc-12-plugin-dev (by gcc's version)")
    return()
  endif()
  add_library(${target} MODULE ${ARGN})
  minas_compile_options(${target})
  target_include_directories(${target} SYSTEM PRIVATE ${gcc_plugins}/include)
  target_compile_options(${target} PRIVATE -fno-rtti -fno-exceptions)
  set_target_properties(${target} PROPERTIES PREFIX "" VISIBILITY_INLINES_HIDDEN ON)
endfunction()
