# What is built beside the engine: docs/reference/components.md. TOCSIN_CUDA is another one, with more than two values
# (TocsinCuda.cmake).

option(TOCSIN_IO "The component io: motions, rooms, avatar models and reports in files" ON)
option(TOCSIN_URDF "In io: robots, where liburdfdom is found" ON)
option(TOCSIN_C "The component c: the C interface, libtocsin_c" ON)
option(TOCSIN_GL "The component gl: the OpenGL backend" ON)
option(TOCSIN_CLIENT "The component client: what talks to `tocsin serve`" ON)
option(TOCSIN_SERVICE "The server, for the command" ON)
option(TOCSIN_VIEW "Pictures, for the command" ON)
option(TOCSIN_WINDOW "In view: the window of tocsin view, where Dear ImGui is found" ON)

# tocsin_needs(OPTION NEEDED...): an option without another that it is built on is a mistake.
function(tocsin_needs option)
  foreach(needed ${ARGN})
    if(${option} AND NOT ${needed})
      message(FATAL_ERROR "${option} needs ${needed}: -D${needed}=ON, or -D${option}=OFF")
    endif()
  endforeach()
endfunction()
tocsin_needs(TOCSIN_SERVICE TOCSIN_IO)
tocsin_needs(TOCSIN_VIEW TOCSIN_IO TOCSIN_GL)

# The command, the tests and the benches use everything.
set(TOCSIN_EVERYTHING ON)
foreach(part TOCSIN_IO TOCSIN_GL TOCSIN_WITH_CUDA TOCSIN_CLIENT TOCSIN_SERVICE TOCSIN_VIEW)
  if(NOT ${part})
    set(TOCSIN_EVERYTHING OFF)
  endif()
endforeach()
if(NOT TOCSIN_EVERYTHING)
  message(STATUS "The command `tocsin` is not built: it needs every component")
  if(TOCSIN_BUILD_TESTS OR TOCSIN_BUILD_BENCH OR TOCSIN_BUILD_FUZZ)
    message(FATAL_ERROR "Tests and benches use every component: -DTOCSIN_BUILD_TESTS=OFF -DTOCSIN_BUILD_BENCH=OFF")
  endif()
endif()
# What messages of the service need: protobuf and gRPC.
set(TOCSIN_MESSAGES OFF)
if(TOCSIN_CLIENT OR TOCSIN_SERVICE)
  set(TOCSIN_MESSAGES ON)
endif()
