// One line of a report, written key by key.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_text.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// Writes one JSON object or array, key by key, in the order of the calls.
class JsonLine {
 public:
  explicit JsonLine(std::string& out) : out_(out) {}

  JsonLine& key(std::string_view name) {
    separate();
    base::append_json(out_, name);
    out_ += ':';
    first_ = true;  // the value that follows has no comma before it
    return *this;
  }
  JsonLine& open(char bracket) {
    separate();
    out_ += bracket;
    first_ = true;
    return *this;
  }
  JsonLine& close(char bracket) {
    out_ += bracket;
    first_ = false;
    return *this;
  }
  template <class T>
  JsonLine& value(const T& v) {
    separate();
    base::append_json(out_, v);
    return *this;
  }
  JsonLine& value(const std::string& v) { return value(std::string_view(v)); }
  JsonLine& value(bool v) { return raw(v ? "true" : "false"); }
  JsonLine& value(int v) { return value(static_cast<std::int64_t>(v)); }
  JsonLine& raw(std::string_view text) {
    separate();
    out_ += text;
    return *this;
  }
  template <class T>
  JsonLine& value(const std::optional<T>& v) {
    return v ? value(*v) : raw("null");
  }
  template <class Range>
  JsonLine& array(const Range& range) {
    open('[');
    for (const auto& v : range) value(v);
    return close(']');
  }
  JsonLine& array(const Vec3& v) { return array(std::array<double, 3>{v.x, v.y, v.z}); }

 private:
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }

  std::string& out_;
  bool first_ = true;
};

}  // namespace tocsin::io
