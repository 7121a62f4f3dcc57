// The tags of an XML file and their attributes, without its tree.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tocsin::io {

/// A tag and where it stands in the text.
struct XmlTag {
  std::string_view name;
  std::size_t begin = 0;  ///< of its '<'
  std::size_t end = 0;    ///< behind its '>'
  bool closes = false;    ///< </name>
  bool empty = false;     ///< <name/>
};

/// An attribute's value as the file writes it, without the quotes, and where it begins.
struct XmlValue {
  std::string_view text;
  std::size_t at = 0;
};

/// Goes from tag to tag. Comments, CDATA and instructions are passed over; text that is not
/// well-formed gives some tags, and the importer's own errors later.
class XmlTags {
 public:
  explicit XmlTags(std::string_view text) : text_(text) {}
  /// False at the end of the text.
  bool next(XmlTag& tag);

  [[nodiscard]] std::optional<XmlValue> attribute(const XmlTag& tag, std::string_view name) const;
  /// The text between a tag and the next markup.
  [[nodiscard]] std::string_view content(const XmlTag& tag) const;

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// With the five entities and characters by number replaced (`&amp;`, `&#246;`).
std::string xml_unescaped(std::string_view text);

/// A text with pieces replaced. Pieces are given in order of their places.
class XmlEdits {
 public:
  explicit XmlEdits(std::string_view text) : text_(text) {}
  void replace(std::size_t at, std::size_t length, std::string_view with);
  [[nodiscard]] std::string take();

 private:
  std::string_view text_;
  std::size_t done_ = 0;
  std::string out_;
};

}  // namespace tocsin::io
