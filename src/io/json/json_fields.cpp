#include "io/json/json_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quoted.h"

namespace tocsin::io {

void JsonFields::fail(ErrorCode code, std::string_view path, std::string_view cause) {
  if (error_) return;
  error_ = Error{code, fmt::format("{}: {}{}{}", file_, path, path.empty() ? "" : ": ", cause)};
}

bool JsonFields::is_kind(const JsonValue& value, JsonKind kind, std::string_view path) {
  if (value.kind == kind) return true;
  fail(path, fmt::format("must be {}, is {}", json_kind_name(kind), json_kind_name(value.kind)));
  return false;
}

bool JsonFields::is_object_of(const JsonValue& value, std::span<const std::string_view> known,
                              std::string_view path) {
  if (!is_kind(value, JsonKind::kObject, path)) return false;
  for (const std::string& name : value.names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    fail(path, fmt::format("unknown field {} (known: {})", base::in_quotes(name),
                           fmt::join(known, ", ")));
    return false;
  }
  return true;
}

const JsonValue* JsonFields::required(const JsonValue& object, std::string_view name,
                                      std::string_view path) {
  const JsonValue* const value = object.member(name);
  if (value == nullptr) fail(path, fmt::format("field {} is missing", base::in_quotes(name)));
  return value;
}

}  // namespace tocsin::io
