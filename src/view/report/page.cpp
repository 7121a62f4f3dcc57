#include "view/report/page.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/json_text.h"

namespace tocsin::view {
namespace {

const PageFile* find_file(std::string_view name) {
  const auto files = page_files();
  const auto found = std::find_if(files.begin(), files.end(),
                                  [name](const PageFile& file) { return file.name == name; });
  return found == files.end() ? nullptr : &*found;
}

std::string_view text_of(std::string_view name) {
  const PageFile* const file = find_file(name);
  assert(file != nullptr);
  return file == nullptr ? std::string_view() : file->text;
}

/// JSON within a script element: no text in it can end the element or begin a comment, as '<' is
/// written in another way, which JSON reads as the same.
std::string as_script_data(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string as_html(std::string_view text) {
  std::string out;
  for (const char c : base::printable(text)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// Copies a template; `{{NAME}}` in it is replaced by `fill(NAME)`, appended to the page.
template <class Fill>
std::string filled(std::string_view text, const Fill& fill) {
  std::string out;
  while (true) {
    const std::size_t begin = text.find("{{");
    const std::size_t end = text.find("}}", begin);
    if (begin == std::string_view::npos || end == std::string_view::npos) break;
    out += text.substr(0, begin);
    fill(out, text.substr(begin + 2, end - begin - 2));
    text.remove_prefix(end + 2);
  }
  out += text;
  return out;
}

}  // namespace

bool has_three() { return find_file("three.min.js") != nullptr; }

std::string report_page(std::string_view title, std::string_view data, std::string_view scene) {
  // Each stands on those before it.
  constexpr std::array<std::string_view, 7> kScripts{
      "common.js", "summary.js", "table.js", "timeline.js", "orbit.js", "scene.js", "page.js"};
  return filled(text_of("page.html"), [&](std::string& out, std::string_view what) {
    if (what == "title") out += as_html(title);
    if (what == "style") out += text_of("page.css");
    if (what == "data") out += as_script_data(data);
    if (what == "scene" && !scene.empty()) out += as_script_data(scene);
    if (what == "scene" && scene.empty()) out += "null";
    if (what == "three" && !scene.empty()) out += text_of("three.min.js");
    if (what == "scripts") {
      for (const std::string_view script : kScripts) out += text_of(script);
    }
  });
}

std::string index_page(std::string_view title, std::string_view data) {
  return filled(text_of("index.html"), [&](std::string& out, std::string_view what) {
    if (what == "title") out += as_html(title);
    if (what == "style") out += text_of("page.css");
    if (what == "data") out += as_script_data(data);
    if (what == "scripts") {
      out += text_of("common.js");
      out += text_of("index.js");
    }
  });
}

}  // namespace tocsin::view
