# cmake --install, and find_package(tocsin CONFIG).

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tocsin)

# A shared library finds its own dependencies; an archive's are the consumer's to link.
set(TOCSIN_LINK_DEPENDENCIES "")
if(NOT BUILD_SHARED_LIBS)
  set(TOCSIN_LINK_DEPENDENCIES TBB hwy fmt assimp OpenGL GLEW)
  if(TOCSIN_HAS_CUDA)
    list(APPEND TOCSIN_LINK_DEPENDENCIES CUDAToolkit)  # its static runtime; no compiler of CUDA
  endif()
endif()
# The component `client`: an archive always, so what it links to is always the consumer's to find.
set(TOCSIN_CLIENT_DEPENDENCIES fmt)
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
# A file of its own: who does not ask for the component needs neither protobuf nor gRPC.
set_target_properties(tocsin_client PROPERTIES EXPORT_NAME client)
install(TARGETS tocsin_client EXPORT tocsinClientTargets)
install(EXPORT tocsinClientTargets NAMESPACE tocsin:: DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/proto DESTINATION ${CMAKE_INSTALL_DATADIR}/tocsin
  FILES_MATCHING PATTERN "*.proto")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tocsin DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")

file(RELATIVE_PATH lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(tocsin_command PROPERTIES INSTALL_RPATH "$ORIGIN/${lib_from_bin}")
install(TARGETS tocsin_command)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/avatar_models DESTINATION ${CMAKE_INSTALL_DATADIR}/tocsin
  FILES_MATCHING PATTERN "*.json")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
