# cmake --install, and find_package(tocsin CONFIG).

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tocsin)

# A shared library finds its own dependencies; an archive's are the consumer's to link.
set(TOCSIN_LINK_DEPENDENCIES "")
if(NOT BUILD_SHARED_LIBS)
  set(TOCSIN_LINK_DEPENDENCIES TBB hwy fmt assimp OpenGL GLEW)
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tocsinConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tocsinConfig.cmake INSTALL_DESTINATION ${package_dir})
# 0.x: a new minor version may break; from 1.0 on, a new major one.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tocsinConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tocsinConfig.cmake ${PROJECT_BINARY_DIR}/tocsinConfigVersion.cmake
  DESTINATION ${package_dir})

set_target_properties(tocsin PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
install(TARGETS tocsin EXPORT tocsinTargets)
install(EXPORT tocsinTargets NAMESPACE tocsin:: DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tocsin DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")

file(RELATIVE_PATH lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(tocsin_command PROPERTIES INSTALL_RPATH "$ORIGIN/${lib_from_bin}")
install(TARGETS tocsin_command)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/avatar_models DESTINATION ${CMAKE_INSTALL_DATADIR}/tocsin
  FILES_MATCHING PATTERN "*.json")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
