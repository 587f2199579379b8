# minas_clang: what a program links that uses Clang.
#
# The loader takes longer over the shared libraries of Clang and LLVM than Clang over a source of
# a hundred lines, so the static ones are linked where they are installed: of these a program has
# just what it uses.  Sanitizers need one copy of what they watch for program and libraries alike.

option(MINAS_STATIC_CLANG "Link Clang's static libraries where there are any" ON)

# The parts of LLVM that Clang's front end says no more of than that they are in LLVM's shared library.
set(MINAS_LLVM_PARTS
  BinaryFormat BitReader BitstreamReader Core FrontendAtomic FrontendHLSL FrontendOpenMP MC MCParser
  Object Option ProfileData Support TargetParser WindowsDriver)
list(TRANSFORM MINAS_LLVM_PARTS PREPEND LLVM)

# minas_static_closure(<libraries> <others> <name>...): of what is named, the static libraries and
# all that they need; what else they need goes to `others`.
function(minas_static_closure libraries others)
  set(pending ${ARGN})
  set(found "")
  set(other "")
  while(pending)
    list(POP_FRONT pending name)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" name "${name}")
    set(type "")
    if(TARGET ${name})
      get_target_property(type ${name} TYPE)
    endif()
    if(name IN_LIST found OR name IN_LIST other)
      continue()
    elseif(type STREQUAL STATIC_LIBRARY)
      list(APPEND found ${name})
      get_target_property(needed ${name} INTERFACE_LINK_LIBRARIES)
      if(needed)
        list(APPEND pending ${needed})
      endif()
    else()
      list(APPEND other ${name})
    endif()
  endwhile()
  set(${libraries} ${found} PARENT_SCOPE)
  set(${others} ${other} PARENT_SCOPE)
endfunction()

# The first of `ARGN` that is not installed, or nothing.
function(minas_first_missing result)
  foreach(name ${ARGN})
    if((name MATCHES "::" AND NOT TARGET ${name}) OR (name MATCHES "^/" AND NOT EXISTS ${name}))
      set(${result} ${name} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()

add_library(minas_clang INTERFACE)
set(MINAS_CLANG_LINK "shared")
if(MINAS_STATIC_CLANG AND NOT MINAS_SANITIZE)
  minas_static_closure(libraries others clangTooling ${MINAS_LLVM_PARTS})
  list(REMOVE_ITEM others LLVM ${MINAS_LLVM_PARTS}) # The shared library; parts of other releases.
  minas_first_missing(missing ${others})
  if(NOT clangTooling IN_LIST libraries OR NOT LLVMSupport IN_LIST libraries)
    set(MINAS_CLANG_LINK "shared, for there are no static libraries")
  elseif(missing)
    set(MINAS_CLANG_LINK "shared, for the static libraries need ${missing}")
  else()
    set(MINAS_CLANG_LINK "static")
  endif()
endif()

if(MINAS_CLANG_LINK STREQUAL "static")
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  target_link_libraries(minas_clang INTERFACE
    -Wl,--as-needed -Wl,--start-group ${libraries} -Wl,--end-group ${others})
  # Addresses known to the linker need not be written into a hundred thousand places at start-up.
  target_link_options(minas_clang INTERFACE -no-pie -Wl,--gc-sections)
else()
  target_link_libraries(minas_clang INTERFACE clang-cpp LLVM)
endif()
