# Debian's packages alone lie below /usr and are prepared: CPack reads this once for each generator.
if(CPACK_GENERATOR STREQUAL DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/prepare-packages.cmake)
endif()
