# Whether there is a component cuda (TOCSIN_WITH_CUDA), and whether and how its kernels are compiled (TOCSIN_HAS_CUDA, said in a line). Without CUDA, the same kernel
# bodies run emulated (docs/cuda.md, "Building").

set(TOCSIN_CUDA AUTO CACHE STRING
  "The component cuda, with kernels for NVIDIA's devices: AUTO (if nvcc is found), ON, OFF (emulation only); NONE: no such component")
set_property(CACHE TOCSIN_CUDA PROPERTY STRINGS AUTO ON OFF NONE)
set(TOCSIN_CUDA_ARCHITECTURES "80;90;120" CACHE STRING "Compute capabilities that kernels are compiled for")
# All of the default are some 180 s of one core, this is 75. A device that checks waits for its driver when it is first used.
option(TOCSIN_CUDA_ONCE "Compile kernels once, for drivers to translate to any device, whatever TOCSIN_CUDA_ARCHITECTURES says" OFF)
if(TOCSIN_CUDA_ONCE)
  set(TOCSIN_CUDA_ARCHITECTURES 80-virtual)
endif()
option(TOCSIN_CUDA_LATER "No kernels yet, whatever TOCSIN_CUDA says: ./run demo builds so from nothing, ./run build adds them" OFF)

# Whether there are kernels is a line of a header, and no flag of all: who adds them compiles what reads it, and nothing else.
function(tocsin_write_has_cuda)
  set(has_cuda 0)
  if(TOCSIN_HAS_CUDA)
    set(has_cuda 1)
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/made/tocsin_has_cuda.h @ONLY CONTENT
"// Written by cmake/TocsinCuda.cmake: whether kernels were compiled.
#pragma once
#define TOCSIN_HAS_CUDA @has_cuda@
")
  target_include_directories(tocsin_flags INTERFACE ${PROJECT_BINARY_DIR}/made)
endfunction()

# Why nvcc cannot or shall not be used; empty: it is, and the language CUDA enabled. A macro, because a language
# enabled in a function's scope is lost.
macro(tocsin_enable_cuda why_not)
  set(${why_not} "")
  # The same compiler as for C++, for the same inline functions: the linker keeps any one copy of each.
  set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
  set(CMAKE_CUDA_ARCHITECTURES ${TOCSIN_CUDA_ARCHITECTURES})
  # Static: a command that starts, and finds no device, on machines without CUDA. Where Tocsin is several libraries, they share
  # one runtime.
  if(BUILD_SHARED_LIBS)
    set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
    set(TOCSIN_CUDART CUDA::cudart)
  else()
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    set(TOCSIN_CUDART CUDA::cudart_static)
  endif()
  if(CCACHE_PROGRAM AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  endif()
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(TOCSIN_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
    if(TOCSIN_NVCC)
      set(ENV{CUDACXX} ${TOCSIN_NVCC})
    endif()
  endif()
  if(TOCSIN_SANITIZE OR TOCSIN_BUILD_FUZZ OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(${why_not} "only with g++, and without sanitizers and fuzzing")
  elseif(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    set(${why_not} "nvcc is neither on PATH nor in /usr/local/cuda/bin; -DCMAKE_CUDA_COMPILER=... names it")
  else()
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
      enable_language(CUDA)
      if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know it
        set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
        set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
      endif()
      if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13)
        set(${why_not} "${CMAKE_CUDA_COMPILER} is ${CMAKE_CUDA_COMPILER_VERSION}; Tocsin needs 13 or newer")
      endif()
    else()
      unset(CMAKE_CUDA_COMPILER CACHE)  # or it would not be looked for again
      set(${why_not} "nvcc does not work with ${CMAKE_CXX_COMPILER}: see CMakeFiles/CMakeError.log")
    endif()
  endif()
endmacro()

set(TOCSIN_HAS_CUDA OFF)
set(TOCSIN_WITH_CUDA ON)
if(NOT TOCSIN_CUDA MATCHES "^(AUTO|ON|OFF|NONE)$")
  message(FATAL_ERROR "TOCSIN_CUDA is AUTO, ON, OFF or NONE, not \"${TOCSIN_CUDA}\"")
elseif(TOCSIN_CUDA STREQUAL NONE)
  set(TOCSIN_WITH_CUDA OFF)
  return()
elseif(NOT TOCSIN_CUDA)
  message(STATUS "CUDA kernels: none, emulation only (TOCSIN_CUDA=OFF)")
  return()
elseif(TOCSIN_CUDA_LATER)
  message(STATUS "CUDA kernels: none yet, emulation only (TOCSIN_CUDA_LATER=ON; ./run build adds them where there is an nvcc)")
  return()
endif()

tocsin_enable_cuda(why_not)
if(NOT why_not STREQUAL "")
  if(TOCSIN_CUDA STREQUAL ON)
    message(FATAL_ERROR "TOCSIN_CUDA=ON: ${why_not}")
  endif()
  message(STATUS "CUDA kernels: none, emulation only (${why_not})")
  return()
endif()
find_package(CUDAToolkit REQUIRED)
set(TOCSIN_HAS_CUDA ON)
list(JOIN TOCSIN_CUDA_ARCHITECTURES ", " architectures)
message(STATUS "CUDA kernels: for ${architectures}, by ${CMAKE_CUDA_COMPILER} ${CMAKE_CUDA_COMPILER_VERSION}")

# How kernels are compiled for a device that is being measured (scripts/gpu_kit.sh). Contacts are the same.
set(TOCSIN_CUDA_BLOCK "" CACHE STRING "Threads of a block; empty: as gpu/cuda/device/device_launch.cuh has it")
set(TOCSIN_CUDA_REGISTERS "" CACHE STRING "Registers of a thread, at most; empty: as many as the compiler likes")

target_compile_options(tocsin_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:
  # As -ffp-contract=off on the CPU: one rounding per operation, or the bits differ from the CPU's.
  -fmad=false
  # Kernel bodies use std::array and the like.
  --expt-relaxed-constexpr
  $<$<BOOL:${TOCSIN_CUDA_REGISTERS}>:-DTOCSIN_CUDA_REGISTERS=${TOCSIN_CUDA_REGISTERS}>
  $<$<BOOL:${TOCSIN_CUDA_BLOCK}>:-DTOCSIN_CUDA_BLOCK=${TOCSIN_CUDA_BLOCK}>
  $<$<BOOL:${TOCSIN_WERROR}>:-Werror=all-warnings>>)
