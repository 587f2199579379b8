# Makes of installed files what Debian's packages are to hold: no search path for libraries that lie where all do, man pages
# that are compressed, a licence and a list of changes beside each package. CPack runs it once its components are laid out.
file(GLOB components LIST_DIRECTORIES true ${CPACK_TEMPORARY_DIRECTORY}/*)
set(source ${CMAKE_CURRENT_LIST_DIR}/..)

# Of the licence the part that Debian has no copy of.
file(READ ${source}/LICENSE licence)
string(FIND "${licence}" "---- LLVM Exceptions" start)
string(SUBSTRING "${licence}" ${start} -1 exceptions)
set(copyright "Minas is copyright 2026 by its authors, and under the Apache License, version 2.0, with LLVM
Exceptions. The former is in /usr/share/common-licenses/Apache-2.0, the latter are these:

${exceptions}")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # or of SOURCE_DATE_EPOCH
set(changes "minas (${CPACK_PACKAGE_VERSION}) bookworm; urgency=medium

  * What is new is told in CHANGELOG.md, beside the sources.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")

function(minas_compress file)
  execute_process(COMMAND gzip -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component IN LISTS components)
  get_filename_component(name ${component} NAME)
  string(TOUPPER ${name} name)
  set(package ${CPACK_DEBIAN_${name}_PACKAGE_NAME})
  if(NOT CPACK_GENERATOR STREQUAL DEB OR NOT package)
    continue()
  endif()
  set(documents ${component}/usr/share/doc/${package})
  file(WRITE ${documents}/copyright "${copyright}")
  file(WRITE ${documents}/changelog "${changes}")
  minas_compress(${documents}/changelog)
  file(GLOB_RECURSE manuals ${component}/usr/share/man/*.[1-9])
  foreach(manual IN LISTS manuals)
    minas_compress(${manual})
  endforeach()
  file(GLOB_RECURSE binaries ${component}/usr/bin/* ${component}/usr/lib/*.so*)
  foreach(binary IN LISTS binaries)
    if(NOT IS_SYMLINK ${binary})
      file(RPATH_REMOVE FILE ${binary})
    endif()
  endforeach()
endforeach()
