// What two readers of XML files of robots share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/quoted.h"
#include "io/nodes/xml_tags.h"

namespace tocsin::io {

/// Line numbers of places that are asked about in their order.
class XmlLines {
 public:
  explicit XmlLines(std::string_view text) : text_(text) {}
  /// Of a place that is not before the last one that was asked about; from 1.
  std::int64_t at(std::size_t place) {
    const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(done_);
    line_ += std::count(begin, text_.begin() + static_cast<std::ptrdiff_t>(place), '\n');
    done_ = place;
    return line_;
  }

 private:
  std::string_view text_;
  std::size_t done_ = 0;
  std::int64_t line_ = 1;
};

/// An attribute's text with entities replaced; empty: it is missing.
inline std::string xml_text(const XmlTags& tags, const XmlTag& tag, std::string_view name) {
  const auto value = tags.attribute(tag, name);
  return value ? xml_unescaped(value->text) : std::string();
}

/// Bytes. A robot's description is some 100 KB.
inline constexpr std::size_t kMaxRobotBytes = std::size_t{16} << 20U;

}  // namespace tocsin::io
