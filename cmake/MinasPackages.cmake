# Packages: `cpack -G DEB` in the build folder makes one for each component, `cpack -G TGZ` an archive of all, and
# `cpack --config CPackSourceConfig.cmake` one of the sources, which builds without git. scripts/packages makes and tries them.

set(CPACK_PACKAGE_NAME minas)
set(CPACK_PACKAGE_CONTACT "The Minas maintainers <maintainers@users.noreply.a-seed-d25a3812.example>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/packaging/cpack-options.cmake)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime dev tools doc)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/mai ${PROJECT_BINARY_DIR}/numarch)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(tail "Minas places the memory of OpenMP programs and pins their threads")

# minas_package(<component> <name> <section> <depends> <what>)
macro(minas_package component name section depends what)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${what}\n${tail}.")
endmacro()
minas_package(runtime libmai0 libs "" "NUMA placement for OpenMP programs: run-time libraries")
minas_package(dev libmai-dev libdevel "libmai0 (= ${PROJECT_VERSION})" "NUMA placement for OpenMP programs: development files")
# Clang's own headers: MApp has its parser in it, but cannot read a source without stddef.h.
minas_package(tools minas utils "libmai0 (= ${PROJECT_VERSION}), libclang-common-${LLVM_VERSION_MAJOR}-dev" "NUMA placement for OpenMP programs: tools")
minas_package(doc minas-doc doc "" "NUMA placement for OpenMP programs: documentation")
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "gcc | clang, libmai-dev")
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/triggers)
set(CPACK_DEBIAN_TOOLS_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/triggers)

set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME minas-${PROJECT_VERSION})
set(CPACK_SOURCE_IGNORE_FILES "/build/;/[.]git;/[.]cache/;/__pycache__/;/shared;[.]orig$;[.]rej$")

include(CPack)
