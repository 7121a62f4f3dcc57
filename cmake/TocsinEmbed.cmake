# Turns the avatar models into a C++ source, so that the library needs no files at run time.
#
# Included: tocsin_embed_avatar_models(TARGET) adds that source to TARGET.
# As a script (cmake -DOUTPUT=... -DINPUTS=... -P TocsinEmbed.cmake): writes it.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(tocsin_embed_avatar_models target)
    set(script ${PROJECT_SOURCE_DIR}/cmake/TocsinEmbed.cmake)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_avatar_models.cpp)
    file(GLOB models CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/avatar_models/*.json)
    list(FILTER models EXCLUDE REGEX "/schema\\.json$")
    list(SORT models)
    add_custom_command(OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DINPUTS=${models}" -P ${script}
      DEPENDS ${models} ${script}
      COMMENT "Embedding avatar models" VERBATIM)
    target_sources(${target} PRIVATE ${output})
  endfunction()
  return()
endif()

set(entries "")
foreach(file IN LISTS INPUTS)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  string(FIND "${text}" ")tocsin\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "${file} contains )tocsin\", which ends the string literal that holds it")
  endif()
  string(APPEND entries "    {\"${name}\", R\"tocsin(${text})tocsin\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Written by cmake/TocsinEmbed.cmake from avatar_models/.
#include \"io/embedded_avatar_models.h\"

namespace tocsin::io {
namespace {
constexpr EmbeddedAvatarModel kModels[] = {
${entries}};
}  // namespace

std::span<const EmbeddedAvatarModel> embedded_avatar_models() { return kModels; }

}  // namespace tocsin::io
")
