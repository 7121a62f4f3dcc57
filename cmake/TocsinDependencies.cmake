# Finds what Tocsin builds on, and says in one sentence what to install where something is missing.

set(TOCSIN_MISSING "")
set(TOCSIN_MISSING_PACKAGES "")

# tocsin_need(FOUND what-a-person-calls-it Debian-package): remembers what is missing, so that all of it is
# said at once.
macro(tocsin_need found what package)
  if(NOT ${found})
    list(APPEND TOCSIN_MISSING "${what}")
    list(APPEND TOCSIN_MISSING_PACKAGES ${package})
  endif()
endmacro()

# tocsin_require(FOUND what-a-person-calls-it Debian-package): the same for a single one, at once.
function(tocsin_require found what package)
  if(NOT ${found})
    message(FATAL_ERROR "Tocsin needs ${what}. On Debian 12: apt install ${package}   (or just ./run test)")
  endif()
endfunction()

find_package(Threads REQUIRED)
find_package(TBB CONFIG QUIET)
tocsin_need(TBB_FOUND "oneTBB" libtbb-dev)
find_package(fmt CONFIG QUIET)
tocsin_need(fmt_FOUND "fmt" libfmt-dev)
find_package(hwy CONFIG QUIET)
tocsin_need(hwy_FOUND "Highway" libhwy-dev)
find_package(nlohmann_json CONFIG QUIET)
tocsin_need(nlohmann_json_FOUND "nlohmann-json" nlohmann-json3-dev)
find_package(CLI11 CONFIG QUIET)
tocsin_need(CLI11_FOUND "CLI11" libcli11-dev)
find_package(assimp CONFIG QUIET)
tocsin_need(assimp_FOUND "assimp" libassimp-dev)
# assimp's CMake package names libz.so, which libassimp-dev does not depend on.
find_package(ZLIB QUIET)
tocsin_need(ZLIB_FOUND "zlib" zlib1g-dev)
find_package(PNG QUIET)
tocsin_need(PNG_FOUND "libpng" libpng-dev)
# libGL alone serves: libOpenGL would be one more package.
set(OpenGL_GL_PREFERENCE LEGACY)
find_package(OpenGL QUIET)
tocsin_need(OPENGL_FOUND "OpenGL" libgl-dev)
find_package(GLEW MODULE QUIET)
tocsin_need(GLEW_FOUND "GLEW" libglew-dev)
# Of EGL and SDL2 only the headers: the libraries are loaded when first used.
find_path(EGL_INCLUDE_DIR EGL/eglext.h)
tocsin_need(EGL_INCLUDE_DIR "EGL" libegl-dev)
find_path(SDL2_INCLUDE_DIR SDL.h PATH_SUFFIXES SDL2)
tocsin_need(SDL2_INCLUDE_DIR "SDL2" libsdl2-dev)

if(TOCSIN_BUILD_TESTS)
  find_package(GTest CONFIG QUIET)
  tocsin_need(GTest_FOUND "GoogleTest (or -DTOCSIN_BUILD_TESTS=OFF)" libgtest-dev)
  find_package(Eigen3 CONFIG QUIET)
  tocsin_need(Eigen3_FOUND "Eigen (or -DTOCSIN_BUILD_TESTS=OFF)" libeigen3-dev)
  find_library(MPFI_LIBRARY mpfi)
  tocsin_need(MPFI_LIBRARY "MPFI (or -DTOCSIN_BUILD_TESTS=OFF)" libmpfi-dev)
endif()
if(TOCSIN_MISSING)
  list(JOIN TOCSIN_MISSING ", " what)
  list(JOIN TOCSIN_MISSING_PACKAGES " " packages)
  message(FATAL_ERROR "Tocsin needs ${what}. On Debian 12: apt install ${packages}   (or just ./run build)")
endif()
