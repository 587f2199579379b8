# minas_llvm: what a program links that uses LLVM's Support; minas_dwarf: one that reads debug information;
# minas_symbolizer: one that asks for the source of an address, or decodes instructions; minas_clang: one that uses Clang.
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

# minas_link_llvm(<target> <how> <shared libraries> <name>...): has `target` link what is named statically where it
# can, and says in `how` what it links.
function(minas_link_llvm target how shared)
  add_library(${target} INTERFACE)
  set(${how} "shared" PARENT_SCOPE)
  target_link_libraries(${target} INTERFACE ${shared})
  target_include_directories(${target} SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  target_compile_options(${target} INTERFACE $<$<NOT:$<BOOL:${LLVM_ENABLE_RTTI}>>:-fno-rtti>)
  if(NOT MINAS_STATIC_CLANG OR MINAS_SANITIZE)
    return()
  endif()
  minas_static_closure(libraries others ${ARGN})
  list(REMOVE_ITEM others LLVM ${ARGN}) # The shared library; parts of other releases.
  minas_first_missing(missing ${others})
  list(GET ARGN 0 first)
  if(NOT first IN_LIST libraries OR NOT LLVMSupport IN_LIST libraries)
    set(${how} "shared, for there are no static libraries" PARENT_SCOPE)
    return()
  elseif(missing)
    set(${how} "shared, for the static libraries need ${missing}" PARENT_SCOPE)
    return()
  endif()
  set(${how} "static" PARENT_SCOPE)
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES
    -Wl,--as-needed -Wl,--start-group ${libraries} -Wl,--end-group ${others})
  # Addresses known to the linker need not be written into a hundred thousand places at start-up.
  target_link_options(${target} INTERFACE -no-pie -Wl,--gc-sections)
endfunction()

minas_link_llvm(minas_llvm MINAS_LLVM_LINK LLVM LLVMSupport)
minas_link_llvm(minas_dwarf MINAS_DWARF_LINK LLVM LLVMDebugInfoDWARF LLVMObject LLVMSupport)
minas_link_llvm(minas_symbolizer MINAS_SYMBOLIZER_LINK LLVM LLVMSymbolize LLVMX86Disassembler LLVMX86Desc LLVMX86Info
  LLVMMCDisassembler LLVMMC LLVMSupport)
if(MINAS_MAPP)
  minas_link_llvm(minas_clang MINAS_CLANG_LINK "clang-cpp;LLVM" clangTooling ${MINAS_LLVM_PARTS})
endif()
