#include "io/import/nesting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "io/gltf/gltf_nodes.h"
#include "io/import/fbx_records.h"

namespace tocsin::io {
namespace {

std::string too_deep() { return fmt::format("nested more than {} deep", kMaxNesting); }

/// Brackets outside of strings. Text that is not well-formed is left to the importer's own errors.
std::string bracket_fault(std::string_view text, char comment) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\' && comment == '\0') ++i;  // only JSON escapes
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == comment && comment != '\0') {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxNesting) return too_deep();
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return {};
}

std::string xml_fault(std::string_view text) {
  int depth = 0;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    const std::size_t end = markup_end(text, at);
    const std::string_view tag = text.substr(at, end - at);
    at = end;
    if (tag.starts_with("<!") || tag.starts_with("<?")) continue;
    if (tag.starts_with("</")) {
      --depth;
    } else if (!tag.ends_with("/>") && ++depth > kMaxNesting) {
      return too_deep();
    }
  }
  return {};
}

std::string gltf_fault(std::string_view bytes) {
  const std::string_view json = gltf_json(bytes);
  std::string fault = bracket_fault(json, '\0');
  return fault.empty() ? gltf_node_fault(json, kMaxNesting) : fault;
}

}  // namespace

std::size_t markup_end(std::string_view text, std::size_t at) {
  const auto after = [&](std::string_view mark) {
    const std::size_t end = text.find(mark, at);
    return end == std::string_view::npos ? text.size() : end + mark.size();
  };
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("<!--")) return after("-->");
  if (rest.starts_with("<![CDATA[")) return after("]]>");
  if (rest.starts_with("<?")) return after("?>");
  for (std::size_t i = text.find_first_of("\"'>", at); i < text.size();) {
    if (text[i] == '>') return i + 1;
    i = text.find(text[i], i + 1);  // the quote that closes
    if (i < text.size()) i = text.find_first_of("\"'>", i + 1);
  }
  return text.size();
}

std::string nesting_fault(std::string_view bytes, std::string_view extension) {
  if (extension == ".dae" || extension == ".x3d") return xml_fault(bytes);
  if (extension == ".gltf" || extension == ".glb") return gltf_fault(bytes);
  if (extension == ".fbx") {
    return is_binary_fbx(bytes) ? fbx_record_fault(bytes, kMaxNesting) : bracket_fault(bytes, ';');
  }
  return {};
}

}  // namespace tocsin::io
