# Turns text files into a C++ source, so that the library needs no files at run time.
#
# Included: tocsin_embed_avatar_models(TARGET), tocsin_embed_shaders(TARGET), tocsin_embed_pages(TARGET) and tocsin_embed_report(TARGET) add such a source to TARGET.
# As a script (cmake -DKIND=... -DOUTPUT=... -DINPUTS=... -P TocsinEmbed.cmake): writes it.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(tocsin_embed target kind output inputs)
    set(script ${PROJECT_SOURCE_DIR}/cmake/TocsinEmbed.cmake)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${output})
    list(SORT inputs)
    add_custom_command(OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} "-DKIND=${kind}" "-DOUTPUT=${output}" "-DINPUTS=${inputs}" -P ${script}
      DEPENDS ${inputs} ${script}
      COMMENT "Embedding ${kind}" VERBATIM)
    target_sources(${target} PRIVATE ${output})
  endfunction()

  function(tocsin_embed_avatar_models target)
    file(GLOB models CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/avatar_models/*.json ${PROJECT_SOURCE_DIR}/avatar_models/trackers/*.json)
    list(FILTER models EXCLUDE REGEX "/schema\\.json$")
    tocsin_embed(${target} avatar_models embedded_avatar_models.cpp "${models}")
  endfunction()

  function(tocsin_embed_shaders target)
    file(GLOB shaders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/*.glsl)
    tocsin_embed(${target} shaders embedded_shaders.cpp "${shaders}")
  endfunction()

  function(tocsin_embed_pages target)
    file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/service/http/pages/*.html)
    tocsin_embed(${target} pages embedded_pages.cpp "${pages}")
  endfunction()

  # The pages of `tocsin report`; with three.js where it is (Debian: libjs-three), else without a 3D view;
  # -DTOCSIN_THREE_JS=FILE is one elsewhere, OFF leaves it out.
  function(tocsin_embed_report target)
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/view/report/page/*)
    find_file(TOCSIN_THREE_JS three.min.js PATHS /usr/share/javascript/three NO_DEFAULT_PATH
              DOC "three.js as one classic script, for the pages of tocsin report")
    if(TOCSIN_THREE_JS)
      list(APPEND files ${TOCSIN_THREE_JS})
    else()
      message(STATUS "Pages of tocsin report have no 3D view: three.js is not found (Debian: libjs-three)")
    endif()
    tocsin_embed(${target} report embedded_report.cpp "${files}")
  endfunction()
  return()
endif()

# By kind: the header that declares the entry type and the function, and where both live.
if(KIND STREQUAL "avatar_models")
  set(header io/avatar/embedded_avatar_models.h)
  set(space tocsin::io)
  set(entry EmbeddedAvatarModel)
  set(function embedded_avatar_models)
elseif(KIND STREQUAL "shaders")
  set(header gpu/gl/context/shader_text.h)
  set(space tocsin::gl)
  set(entry ShaderText)
  set(function embedded_shaders)
elseif(KIND STREQUAL "pages")
  set(header service/http/embedded_pages.h)
  set(space tocsin::service)
  set(entry EmbeddedPage)
  set(function embedded_pages)
elseif(KIND STREQUAL "report")
  set(header view/report/page.h)
  set(space tocsin::view)
  set(entry PageFile)
  set(function page_files)
else()
  message(FATAL_ERROR "TocsinEmbed.cmake: no such KIND: \"${KIND}\"")
endif()

set(entries "")
set(count 0)
foreach(file IN LISTS INPUTS)
  # A name is the file's without its last ending: "humanoid16", "slab.vert".
  get_filename_component(name "${file}" NAME_WLE)
  if(KIND STREQUAL "report")
    get_filename_component(name "${file}" NAME) # its ending tells what it is
  endif()
  file(READ "${file}" text)
  string(FIND "${text}" ")tocsin\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "${file} contains )tocsin\", which ends the string literal that holds it")
  endif()
  set(more "")
  if(KIND STREQUAL "avatar_models")
    set(more ", true")
    if(file MATCHES "/trackers/[^/]*$")
      set(more ", false") # EmbeddedAvatarModel::whole
    endif()
  endif()
  string(APPEND entries "    {\"${name}\", R\"tocsin(${text})tocsin\"sv${more}},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE "${OUTPUT}" "// Written by cmake/TocsinEmbed.cmake from ${KIND}/.
#include \"${header}\"

#include <array>
#include <string_view>

namespace ${space} {
namespace {
using std::literals::operator\"\"sv; // of texts that are longer than a compiler would count to
constexpr std::array<${entry}, ${count}> kEntries{{
${entries}}};
}  // namespace

std::span<const ${entry}> ${function}() { return kEntries; }

}  // namespace ${space}
")
