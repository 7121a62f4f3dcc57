// A small JSON document, read with limits so that a hostile file costs no more than its size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/result.h"

namespace tocsin::io {

enum class JsonKind : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

/// One value. Objects keep their members in file order; a name comes once.
struct JsonValue {
  JsonKind kind = JsonKind::kNull;
  bool boolean = false;
  double number = 0.0;             ///< finite; integers beyond 2^53 are rounded
  std::string text;                ///< kString: valid UTF-8
  std::vector<std::string> names;  ///< kObject: the members' names
  std::vector<JsonValue> items;    ///< kArray: the elements; kObject: the members' values

  /// The member of that name, or null.
  [[nodiscard]] const JsonValue* member(std::string_view name) const;
};

/// What a document may hold.
struct JsonLimits {
  std::size_t depth = 16;        ///< arrays and objects inside each other
  std::size_t values = 200'000;  ///< in all; a value takes about 130 bytes
  /// Above 0: the text is this line of a larger file. All errors say so then:
  /// `display_name:line:column: cause`, `display_name:line: path: cause`.
  std::size_t line = 0;
};

/// Reads one JSON document (RFC 8259; UTF-8, a byte order mark is skipped).
/// Errors (kInput): a syntax error (`display_name:line:column: cause`); a member name that repeats
/// or a limit that is exceeded (`display_name: path: cause`).
Result<JsonValue> parse_json(std::string_view text, std::string_view display_name,
                             const JsonLimits& limits = {});

/// `array`, `string`, ...: for messages.
std::string_view json_kind_name(JsonKind kind);

/// `path.name`, or `name` at the top; names that are no plain words are quoted.
std::string json_path(std::string_view path, std::string_view name);
/// `path[index]`.
std::string json_path(std::string_view path, std::size_t index);

}  // namespace tocsin::io
