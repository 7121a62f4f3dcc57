# Debian packages, for scripts/deb.sh: tocsin (the command, its models, manual and service), libtocsin0.2 (the shared
# libraries) and libtocsin-dev. To be included after every install rule.

install(FILES ${PROJECT_SOURCE_DIR}/deploy/serve.json DESTINATION /etc/tocsin COMPONENT runtime)
install(FILES ${PROJECT_SOURCE_DIR}/deploy/tocsin.service DESTINATION lib/systemd/system COMPONENT runtime)
# scripts/deb.sh writes it there with the command that was built.
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
foreach(package runtime library development)
  set(name_runtime tocsin)
  set(name_library libtocsin${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  set(name_development libtocsin-dev)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/${name_${package}} RENAME copyright COMPONENT ${package})
  string(TOUPPER ${package} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name_${package}})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tocsin)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The engineers of Tocsin <tocsin@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_SET_DESTDIR ON) # for /etc
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL runtime library development)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src ${PROJECT_BINARY_DIR}/src/devices)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)

set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "continuous collision detection, with proof, for motion-captured avatars
 The command: checks takes in rooms, serves live motion streams, verifies and draws reports.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "${name_library} (= ${PROJECT_VERSION})")
# They are loaded when a backend or a picture needs them.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libegl1, libegl-mesa0, libgl1-mesa-dri")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "haproxy")
set(debian ${PROJECT_SOURCE_DIR}/deploy/debian)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA "${debian}/conffiles;${debian}/postinst;${debian}/prerm;${debian}/postrm")

set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "continuous collision detection: shared libraries
 The engine, and its components for files, OpenGL and CUDA.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)

set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "continuous collision detection: headers and CMake package
 What a C++ program needs to be built with the libraries.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${name_library} (= ${PROJECT_VERSION})")
# The component client is an archive.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libgrpc++-dev, libprotobuf-dev, protobuf-compiler-grpc, libfmt-dev")
include(CPack)
