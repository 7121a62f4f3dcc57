// What readers of strict JSON files share: the first thing that is wrong, and fields that must be
// there or must not.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/json/json_value.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// A base for readers. Paths say where in the file a value stands, as "links[3].radius"; an empty
/// one is the root. Only the first failure counts: what is read after it is of no use.
class JsonFields {
 protected:
  /// `file`: as messages name it.
  explicit JsonFields(std::string_view file) : file_(file) {}
  ~JsonFields() = default;

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  void fail(std::string_view path, std::string_view cause) { fail(ErrorCode::kInput, path, cause); }
  void fail(ErrorCode code, std::string_view path, std::string_view cause);
  bool is_kind(const JsonValue& value, JsonKind kind, std::string_view path);
  /// An object that has no other fields than `known`.
  bool is_object_of(const JsonValue& value, std::span<const std::string_view> known,
                    std::string_view path);
  /// Null, and a failure, if it is missing.
  const JsonValue* required(const JsonValue& object, std::string_view name, std::string_view path);

 private:
  std::string file_;
  std::optional<Error> error_;
};

}  // namespace tocsin::io
