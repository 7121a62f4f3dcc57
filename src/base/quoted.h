// Names from files, made safe to print.
#pragma once

#include <string>
#include <string_view>

namespace tocsin::base {

/// `"text"` for an error message: control characters and quotes escaped (`\n`, `\x1b`), and cut
/// after about `limit` bytes, with `...` where something is missing. UTF-8 passes through and is
/// never cut inside a character; bytes that are not UTF-8 are escaped.
std::string in_quotes(std::string_view text, std::size_t limit = 64);

/// The same without the quotes around it.
std::string escaped(std::string_view text, std::size_t limit = 64);

}  // namespace tocsin::base
