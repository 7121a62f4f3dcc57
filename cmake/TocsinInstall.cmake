# cmake --install, and find_package(tocsin CONFIG).

include(CMakePackageConfigHelpers)

# What is in none of the components runtime (the command) and library (shared libraries).
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tocsin)

# A shared library finds its own dependencies; an archive's are the consumer's to link.
get_property(components GLOBAL PROPERTY TOCSIN_COMPONENTS)
set(TOCSIN_DEPENDENCIES "")
set(TOCSIN_IO_DEPENDENCIES "")
set(TOCSIN_GL_DEPENDENCIES "")
set(TOCSIN_CUDA_DEPENDENCIES "")
if(NOT BUILD_SHARED_LIBS)
  set(TOCSIN_DEPENDENCIES TBB hwy fmt)
  set(TOCSIN_IO_DEPENDENCIES assimp)
  set(TOCSIN_GL_DEPENDENCIES GLEW)
  if(TOCSIN_HAS_CUDA)
    set(TOCSIN_CUDA_DEPENDENCIES CUDAToolkit)  # its static runtime; no compiler of CUDA
  endif()
endif()
# The component `client`: an archive always, so what it links to is always the consumer's to find. gRPC's package asks
# for protobuf's in a way that does not find Debian's; so tocsinConfig.cmake finds that first.
set(TOCSIN_CLIENT_DEPENDENCIES fmt gRPC)
set(TOCSIN_COMPONENTS_BUILT ${components})
if(TOCSIN_CLIENT)
  list(APPEND TOCSIN_COMPONENTS_BUILT client)
endif()
if(TOCSIN_C)
  list(APPEND TOCSIN_COMPONENTS_BUILT c)
endif()
# Both are parts of the command.
if(TOCSIN_EVERYTHING)
  list(APPEND TOCSIN_COMPONENTS_BUILT service view)
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tocsinConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tocsinConfig.cmake INSTALL_DESTINATION ${package_dir})
# 0.x: a new minor version may break; from 1.0 on, a new major one.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tocsinConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tocsinConfig.cmake ${PROJECT_BINARY_DIR}/tocsinConfigVersion.cmake
  DESTINATION ${package_dir})

# Each component has a file of its own: a program that does not ask for it needs nothing that it is built on.
install(TARGETS tocsin EXPORT tocsinTargets LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(EXPORT tocsinTargets NAMESPACE tocsin:: DESTINATION ${package_dir})
set(shared_targets tocsin)
foreach(name ${components})
  install(TARGETS tocsin_component_${name} EXPORT tocsinTargets_${name} LIBRARY COMPONENT library NAMELINK_COMPONENT development)
  install(EXPORT tocsinTargets_${name} NAMESPACE tocsin:: DESTINATION ${package_dir})
  list(APPEND shared_targets tocsin_component_${name})
endforeach()
set_target_properties(${shared_targets} PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH "$ORIGIN")
if(TOCSIN_CLIENT)
  set_target_properties(tocsin_client PROPERTIES EXPORT_NAME client)
  install(TARGETS tocsin_client EXPORT tocsinTargets_client)
  install(EXPORT tocsinTargets_client NAMESPACE tocsin:: DESTINATION ${package_dir})
endif()
if(TOCSIN_C)
  install(TARGETS tocsin_c EXPORT tocsinTargets_c LIBRARY COMPONENT library NAMELINK_COMPONENT development)
  install(EXPORT tocsinTargets_c NAMESPACE tocsin:: DESTINATION ${package_dir})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/proto DESTINATION ${CMAKE_INSTALL_DATADIR}/tocsin COMPONENT runtime
  FILES_MATCHING PATTERN "*.proto")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tocsin DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")

if(TOCSIN_EVERYTHING)
  file(RELATIVE_PATH lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(tocsin_command PROPERTIES INSTALL_RPATH "$ORIGIN/${lib_from_bin}")
  # DT_RPATH: what libraries there need is looked for there too (scripts/package.sh). DT_RUNPATH would hold for the command alone.
  target_link_options(tocsin_command PRIVATE LINKER:--disable-new-dtags)
  set_target_properties(tocsin_command PROPERTIES EXPORT_NAME command)
  install(TARGETS tocsin_command EXPORT tocsinTargets_command COMPONENT runtime)
  install(EXPORT tocsinTargets_command NAMESPACE tocsin:: DESTINATION ${package_dir})
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/avatar_models DESTINATION ${CMAKE_INSTALL_DATADIR}/tocsin COMPONENT runtime
  FILES_MATCHING PATTERN "*.json")
if(TOCSIN_SERVICE)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/deploy DESTINATION ${CMAKE_INSTALL_DATADIR}/tocsin COMPONENT runtime
    PATTERN debian EXCLUDE)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
