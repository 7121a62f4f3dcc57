# tocsin_fuzz(fuzz_NAME SOURCES ... LINKS ...): a libFuzzer target. Its seeds lie in tests/fuzz/corpus/NAME/;
# scripts/fuzz.sh runs every target, and the target fuzz_targets builds them all.
function(tocsin_fuzz name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE tocsin_internal ${ARG_LINKS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  if(NOT TARGET fuzz_targets)
    add_custom_target(fuzz_targets)
  endif()
  add_dependencies(fuzz_targets ${name})
endfunction()
