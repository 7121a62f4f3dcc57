// Fields of a report's lines. They are not trusted: a field that is missing or of another type is
// refused, by name. Only for the report's reader.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "io/report/option_names.h"

namespace tocsin::io::fields {

using OrderedJson = nlohmann::ordered_json;

// A run line names every link and input; real ones are some kilobytes. More than this is no report.
inline constexpr std::size_t kLongestLine = std::size_t{64} << 20U;
// The deepest report nests 4 deep. The limit keeps the parser's memory per line small.
inline constexpr int kDeepest = 16;

/// The cause of a refusal; the caller adds file and line. Never leaves the reader.
struct Refused {
  std::string cause;
};

inline int depth_of(std::string_view line) {
  int depth = 0;
  int deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

inline OrderedJson parse_line(std::string_view line) {
  if (line.size() > kLongestLine) throw Refused{"a line longer than 64 MiB"};
  if (depth_of(line) > kDeepest) throw Refused{fmt::format("nested deeper than {}", kDeepest)};
  OrderedJson json = OrderedJson::parse(line, nullptr, false);
  if (json.is_discarded()) throw Refused{"not valid JSON, or cut off"};
  if (!json.is_object()) throw Refused{"not a JSON object"};
  return json;
}

inline const OrderedJson& field(const OrderedJson& json, std::string_view name) {
  const auto found = json.find(name);
  if (found == json.end()) throw Refused{fmt::format("field \"{}\" is missing", name)};
  return *found;
}

[[noreturn]] inline void refuse_type(std::string_view name, std::string_view wanted) {
  throw Refused{fmt::format("field \"{}\" is not {}", name, wanted)};
}

inline std::string text_in(const OrderedJson& json, std::string_view name) {
  const OrderedJson& value = field(json, name);
  if (!value.is_string()) refuse_type(name, "a string");
  return value.get<std::string>();
}

inline bool flag_in(const OrderedJson& json, std::string_view name) {
  const OrderedJson& value = field(json, name);
  if (!value.is_boolean()) refuse_type(name, "true or false");
  return value.get<bool>();
}

inline double to_number(const OrderedJson& value, std::string_view name) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) refuse_type(name, "a number");
  return value.get<double>();
}

inline double number_in(const OrderedJson& json, std::string_view name) {
  return to_number(field(json, name), name);
}

inline std::int64_t to_count(const OrderedJson& value, std::string_view name) {
  const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() <= std::uint64_t{1}
                                                                                    << 62U;
  if (!fits) refuse_type(name, "a whole number from 0");
  return value.get<std::int64_t>();
}

inline std::int64_t count_in(const OrderedJson& json, std::string_view name) {
  return to_count(field(json, name), name);
}

inline const OrderedJson& list_in(const OrderedJson& json, std::string_view name) {
  const OrderedJson& value = field(json, name);
  if (!value.is_array()) refuse_type(name, "an array");
  return value;
}

inline const OrderedJson& list_of(const OrderedJson& json, std::string_view name,
                                  std::size_t size) {
  const OrderedJson& value = list_in(json, name);
  if (value.size() != size) refuse_type(name, fmt::format("an array of {}", size));
  return value;
}

inline std::vector<std::string> texts_in(const OrderedJson& json, std::string_view name) {
  std::vector<std::string> out;
  for (const OrderedJson& value : list_in(json, name)) {
    if (!value.is_string()) refuse_type(name, "an array of strings");
    out.push_back(value.get<std::string>());
  }
  return out;
}

template <class Enum>
Enum named_in(const OrderedJson& json, std::string_view name) {
  const auto value = value_named<Enum>(text_in(json, name));
  if (!value) refuse_type(name, fmt::format("one of {}", all_names<Enum>()));
  return *value;
}

/// Any bytes, as two hexadecimal digits each.
inline std::string bytes_in(const OrderedJson& json, std::string_view name) {
  const std::string digits = text_in(json, name);
  if (digits.size() % 2 != 0) refuse_type(name, "bytes of two hexadecimal digits");
  std::string out;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned byte = 0;
    const char* const end = digits.data() + i + 2;
    const auto [stop, error] = std::from_chars(digits.data() + i, end, byte, 16);
    if (error != std::errc() || stop != end || byte == 0) {
      refuse_type(name, "bytes of two hexadecimal digits");
    }
    out += static_cast<char>(byte);
  }
  return out;
}

}  // namespace tocsin::io::fields
