// Checks a room file before assimp reads it.
//
// assimp's importers recurse into nested elements and allocate claimed sizes, so a small file can
// exhaust the stack or the memory. Neither can be caught afterwards. These functions only refuse
// files far beyond those of any exporter.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tocsin::io {

/// Elements, objects, arrays, records or scene nodes inside each other. Exporters stay below 50;
/// assimp takes up to a few KB of stack a level, so this is some MB of the usual 8.
inline constexpr int kMaxNesting = 500;

/// Empty, or why assimp must not read the file. `extension` is in lower case, with its dot. Takes
/// time and memory in proportion to the size of the file.
std::string nesting_fault(std::string_view bytes, std::string_view extension);

/// Where the XML markup (a tag, a comment, CDATA, an instruction) that begins at text[at] ends: the
/// position after its last character; the end of the text if it is cut off. A '>' in quotes ends no
/// tag.
std::size_t markup_end(std::string_view text, std::size_t at);

}  // namespace tocsin::io
