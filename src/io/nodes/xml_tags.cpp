#include "io/nodes/xml_tags.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "base/utf8.h"
#include "io/import/nesting.h"

namespace tocsin::io {
namespace {

constexpr std::string_view kXmlBlanks = " \t\r\n";

/// The character of `&name;`, as UTF-8; empty if there is no such one.
std::string entity(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kNames{
      {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
  for (const auto& [known, c] : kNames) {
    if (name == known) return std::string(1, c);
  }
  if (!name.starts_with('#')) return {};
  name.remove_prefix(1);
  const int base = name.starts_with('x') ? 16 : 10;
  if (base == 16) name.remove_prefix(1);
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), code, base);
  if (error != std::errc() || end != name.data() + name.size() || name.empty()) return {};
  return base::utf8_of(code);
}

}  // namespace

bool XmlTags::next(XmlTag& tag) {
  for (;;) {
    const std::size_t begin = text_.find('<', at_);
    if (begin == std::string_view::npos) return false;
    at_ = markup_end(text_, begin);
    const std::string_view markup = text_.substr(begin, at_ - begin);
    if (markup.starts_with("<!") || markup.starts_with("<?")) continue;
    tag.begin = begin;
    tag.end = at_;
    tag.closes = markup.starts_with("</");
    tag.empty = markup.ends_with("/>");
    const std::size_t name = begin + (tag.closes ? 2 : 1);
    const std::size_t stop = text_.find_first_of(" \t\r\n/>", name);
    tag.name = text_.substr(name, std::min(stop, at_) - name);
    return true;
  }
}

std::optional<XmlValue> XmlTags::attribute(const XmlTag& tag, std::string_view name) const {
  std::size_t at = static_cast<std::size_t>(tag.name.data() + tag.name.size() - text_.data());
  for (;;) {
    at = text_.find_first_not_of(kXmlBlanks, at);
    if (at == std::string_view::npos || at >= tag.end) return std::nullopt;
    const std::size_t equals = text_.find_first_of("=/>", at);
    if (equals == std::string_view::npos || equals >= tag.end || text_[equals] != '=') {
      return std::nullopt;
    }
    const std::string_view found = text_.substr(at, equals - at);
    const std::size_t quote = text_.find_first_not_of(kXmlBlanks, equals + 1);
    if (quote == std::string_view::npos || (text_[quote] != '"' && text_[quote] != '\'')) {
      return std::nullopt;
    }
    const std::size_t close = text_.find(text_[quote], quote + 1);
    if (close == std::string_view::npos || close >= tag.end) return std::nullopt;
    if (found.substr(0, found.find_last_not_of(kXmlBlanks) + 1) == name) {
      return XmlValue{text_.substr(quote + 1, close - quote - 1), quote + 1};
    }
    at = close + 1;
  }
}

std::string_view XmlTags::content(const XmlTag& tag) const {
  if (tag.empty) return {};
  return text_.substr(tag.end, std::min(text_.find('<', tag.end), text_.size()) - tag.end);
}

std::string xml_unescaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '&' ? text.find(';', at) : std::string_view::npos;
    const std::string c =
        end == std::string_view::npos ? std::string() : entity(text.substr(at + 1, end - at - 1));
    if (c.empty()) {
      out += text[at++];
    } else {
      out += c;
      at = end + 1;
    }
  }
  return out;
}

void XmlEdits::replace(std::size_t at, std::size_t length, std::string_view with) {
  out_ += text_.substr(done_, at - done_);
  out_ += with;
  done_ = at + length;
}

std::string XmlEdits::take() {
  out_ += text_.substr(done_);
  done_ = text_.size();
  return std::move(out_);
}

}  // namespace tocsin::io
