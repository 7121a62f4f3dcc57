# Compiler flags that every target of Tocsin shares: the interface library tocsin_flags.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12) OR
   (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14))
  message(FATAL_ERROR "Tocsin needs g++ 12 or clang 14 or newer; this is ${CMAKE_CXX_COMPILER_ID} "
    "${CMAKE_CXX_COMPILER_VERSION}. On Debian 12: apt install g++   (or just ./run build)")
endif()
if(TOCSIN_BUILD_FUZZ AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "TOCSIN_BUILD_FUZZ needs clang, for libFuzzer. On Debian 12: apt install clang-14 "
    "libclang-rt-14-dev, then cmake --preset asan   (or just ./run fuzz)")
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(tocsin_flags INTERFACE)
target_compile_options(tocsin_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow
  # nvcc hands on to g++ what it does not know; -Werror it takes for its own.
  $<$<BOOL:${TOCSIN_WERROR}>:$<IF:$<COMPILE_LANGUAGE:CUDA>,-Xcompiler=-Werror,-Werror>>
  # g++ 12 warns about overlapping copies inside std::string where there are none (its bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # What __FILE__ says is relative to the sources. So objects do not depend on the folder of a clone: ccache serves the
  # next clone, and programs hold no path of the machine that built them.
  $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>
  # One rounding per operation. A fused multiply-add would round differently from compiler to compiler
  # and from CPU to GPU, and the same contacts would no longer come out bit for bit.
  -ffp-contract=off
  # g++ 12 takes double(float(x)) for x where it vectorises it: two of a vector's three coordinates then stay
  # unrounded, and g++ and clang give different contacts. SIMD is written out where it pays.
  $<$<CXX_COMPILER_ID:GNU>:-fno-tree-vectorize>)

# Checked containers wherever speed does not matter.
target_compile_definitions(tocsin_flags INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)

if(TOCSIN_SANITIZE)
  target_compile_definitions(tocsin_flags INTERFACE _GLIBCXX_ASSERTIONS)
  target_compile_options(tocsin_flags INTERFACE
    -fsanitize=${TOCSIN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(TOCSIN_SANITIZE_NOT)
    target_compile_options(tocsin_flags INTERFACE -fno-sanitize=${TOCSIN_SANITIZE_NOT})
  endif()
  target_link_options(tocsin_flags INTERFACE -fsanitize=${TOCSIN_SANITIZE})
  # Ninety programs of 60 MB each: where it is installed, the faster linker.
  find_program(TOCSIN_LLD ld.lld)
  if(TOCSIN_LLD)
    target_link_options(tocsin_flags INTERFACE -fuse-ld=lld)
  endif()
endif()
if(TOCSIN_SANITIZE OR TOCSIN_BUILD_FUZZ)
  # Instrumented SIMD code takes minutes to compile: one vector target and the plain one are enough there.
  target_compile_definitions(tocsin_flags INTERFACE
    "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3|HWY_AVX3_DL)")
endif()
if(TOCSIN_SANITIZE MATCHES thread)
  # A stand-in for oneTBB, whose library ThreadSanitizer cannot see into: the reason stands in its
  # parallel_for.h.
  target_include_directories(tocsin_flags BEFORE INTERFACE ${PROJECT_SOURCE_DIR}/cmake/tsan)
endif()
if(TOCSIN_BUILD_FUZZ)
  target_compile_options(tocsin_flags INTERFACE
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:TOCSIN_NOT_FUZZED>>>:-fsanitize=fuzzer-no-link>)
endif()

# tocsin_not_fuzzed(TARGET): no fuzz target links it, so libFuzzer's counters, a fifth of the time to compile it, are left out.
function(tocsin_not_fuzzed target)
  set_target_properties(${target} PROPERTIES TOCSIN_NOT_FUZZED ON)
endfunction()

# tocsin_batches(TARGET [SIZE]): with TOCSIN_UNITY_BUILD its files are compiled in batches, so that headers, which are most
# of the work, are read once a batch. Names in unnamed namespaces must then differ within
# the target, and from those of the namespaces around it: what they would hide for the files behind it, no compiler tells.
function(tocsin_batches target)
  if(TOCSIN_UNITY_BUILD)
    # Of 32 files a batch takes four fifths of the time that two of 16 take, and at most 1.7 GiB: scripts/lib.sh counts with 1.75 for
    # a job. Of more, few would be left for many cores. SIZE is another number, where a last batch of few files would read all
    # headers for them.
    list(APPEND ARGN 32)
    list(GET ARGN 0 size)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
    # A file that g++ does not take for the main one may be a header, it says of unnamed namespaces.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
    # g++ looks for memory to free whenever 128 MiB have come together: for a batch, which needs 0.8 to 1.3 GiB, that is a
    # tenth of the time. It changes nothing of what is compiled. With a larger number a job takes more than those 1.75 GiB.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>)
  endif()
endfunction()

# tocsin_compile_fast(TARGET): what runs once a file, a command or a call is optimised little. Optimising takes two thirds of
# the time of a build. Builds that look for errors do not optimise it: clang takes half of the time again.
set(TOCSIN_FAST_LEVEL -O1 CACHE STRING "How what runs seldom is optimised")
function(tocsin_compile_fast target)
  target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<CONFIG:Debug>>>:${TOCSIN_FAST_LEVEL}>)
endfunction()
