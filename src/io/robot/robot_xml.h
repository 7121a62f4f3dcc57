// What the readers of XML files of robots share: which elements are inside which, and where.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quoted.h"
#include "base/text_file.h"
#include "base/text_scanner.h"
#include "io/import/nesting.h"
#include "io/nodes/xml_tags.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Bytes. A robot's description is some 100 KB.
inline constexpr std::size_t kMaxRobotBytes = std::size_t{16} << 20U;

/// Goes through a text whose one outer element is <robot>. The first fault ends it: of the markup,
/// or what the caller puts in `fault`.
class RobotXml {
 public:
  explicit RobotXml(std::string_view text) : text_(text), tags_(text) {}

  /// Calls visit(tag) for each tag that opens an element. `open`: the elements around it.
  template <class Visit>
  void walk(Visit visit) {
    XmlTag tag;
    while (fault.empty() && tags_.next(tag)) {
      go_to(tag.begin);
      if (tag.closes) {
        close(tag);
      } else {
        enter(tag);
        if (fault.empty()) visit(tag);
        if (!tag.empty) open.push_back(tag.name);
      }
    }
    if (fault.empty() && !open.empty()) {
      go_to(text_.size());
      fault = fmt::format("ends inside of <{}>", base::escaped(open.back()));
    }
  }

  /// An error with the file and the line of the fault; one if there was no element.
  [[nodiscard]] Status status(const std::string& file) const {
    if (!fault.empty()) return base::input_error(file, line, fault);
    if (!rooted_) return base::file_error(file, "has no element; expected <robot>");
    return Nothing{};
  }

  /// An attribute's text with entities replaced; empty: it is missing.
  [[nodiscard]] std::string text(const XmlTag& tag, std::string_view name) const {
    const auto value = tags_.attribute(tag, name);
    return value ? xml_unescaped(value->text) : std::string();
  }

  [[nodiscard]] bool has(const XmlTag& tag, std::string_view name) const {
    return tags_.attribute(tag, name).has_value();
  }

  std::vector<std::string_view> open;
  std::int64_t line = 1;  ///< of the tag; from 1
  std::string fault;

 private:
  void go_to(std::size_t place) {
    const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(at_);
    line += std::count(begin, text_.begin() + static_cast<std::ptrdiff_t>(place), '\n');
    at_ = place;
  }

  void close(const XmlTag& tag) {
    if (open.empty() || open.back() != tag.name) {
      fault = fmt::format("</{}> closes nothing that is open", base::escaped(tag.name));
      return;
    }
    open.pop_back();
  }

  void enter(const XmlTag& tag) {
    if (open.size() >= static_cast<std::size_t>(kMaxNesting)) {
      fault = fmt::format("nested more than {} deep", kMaxNesting);
    } else if (tag.name.starts_with("xacro:")) {
      fault = "is a xacro file; expand it first: xacro FILE.xacro > FILE";
    } else if (open.empty() && (tag.name != "robot" || rooted_)) {
      fault = fmt::format("expected one element <robot>, found <{}>", base::escaped(tag.name));
    }
    rooted_ = true;
  }

  std::string_view text_;
  XmlTags tags_;
  std::size_t at_ = 0;
  bool rooted_ = false;
};

}  // namespace tocsin::io
