# Install rules: headers, libraries, tools, CMake package, pkg-config files, modulefiles; and the target uninstall.
# Man pages are installed by docs/. The components are those of packages (MinasPackages.cmake): runtime, dev, tools, doc.

install(FILES include/numarch.h include/mai.h include/mai_sharing.h include/mai_static.h include/mai_types.h
              include/mai_compat.h include/mai_trace.h include/mai.hpp include/mai_memory.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
# As sources: a module file fits only the compiler that wrote it.
install(FILES fortran/mai.F90 fortran/mai_typed.inc fortran/mai_compat.F90 fortran/mai_compat_typed.inc
        DESTINATION ${CMAKE_INSTALL_DATADIR}/minas/fortran COMPONENT dev)
install(TARGETS numarch mai mai_compat EXPORT MinasTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT dev)
install(TARGETS mai_run_library mai_mpi_library LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime)
install(TARGETS numarch_tool mai-run minas DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
if(MINAS_MAPP)
  install(TARGETS mapp-rewrite DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
endif()
if(MINAS_MAP)
  install(TARGETS mai-map DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
endif()

if(MINAS_TRACE)
  install(TARGETS mai_record_library LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT tools)
  install(TARGETS mai-names mai-picture mai-trace maicc DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
  install(FILES ${PROJECT_BINARY_DIR}/bin/maic++ ${PROJECT_BINARY_DIR}/bin/maifort
          DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
endif()
if(TARGET maicc_affinity)
  install(TARGETS maicc_affinity LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/minas COMPONENT tools)
endif()
if(TARGET maitrace_rt)
  # The linker script libmaitrace.so, and what maicc has clang compile into programs.
  install(TARGETS maitrace_rt maitrace_hooks LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT tools
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT tools)
  install(FILES ${PROJECT_BINARY_DIR}/trace/libmaitrace.so DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT tools)
  install(FILES trace/runtime/hooks.c trace/runtime/hooks.h DESTINATION ${CMAKE_INSTALL_LIBDIR}/minas COMPONENT tools)
  foreach(plugin maitrace_gcc maitrace_clang)
    if(TARGET ${plugin})
      install(TARGETS ${plugin} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/minas COMPONENT tools)
    endif()
  endforeach()
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Minas)
install(EXPORT MinasTargets NAMESPACE Minas:: DESTINATION ${package_dir} COMPONENT dev)
configure_package_config_file(cmake/MinasConfig.cmake.in ${PROJECT_BINARY_DIR}/MinasConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/MinasConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/MinasConfig.cmake ${PROJECT_BINARY_DIR}/MinasConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT dev)

# Relative, so that an installation may be moved and `cmake --install --prefix` is right.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH MINAS_PREFIX_FROM_PKGCONFIG /prefix/${pkgconfig_dir} /prefix)
foreach(name numarch mai mai_compat)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc
          DESTINATION ${pkgconfig_dir} COMPONENT dev)
endforeach()

# Modulefiles, for `module use PREFIX/share/modulefiles` or PREFIX/share/lmod: they find the prefix by where they lie.
foreach(form modulefile modulefile.lua)
  configure_file(cmake/${form}.in ${PROJECT_BINARY_DIR}/${form} @ONLY)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/modulefile DESTINATION ${CMAKE_INSTALL_DATADIR}/modulefiles/minas
        RENAME ${PROJECT_VERSION} COMPONENT modules)
install(FILES ${PROJECT_BINARY_DIR}/modulefile.lua DESTINATION ${CMAKE_INSTALL_DATADIR}/lmod/minas
        RENAME ${PROJECT_VERSION}.lua COMPONENT modules)

add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
          -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake VERBATIM)
