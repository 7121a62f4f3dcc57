#include "io/ply/ply_objects.h"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "base/json_text.h"
#include "base/text_scanner.h"

namespace tocsin::io {
namespace {

constexpr std::string_view kKeyword = "tocsin.object";

std::string escaped(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '\\') {
      out += "\\\\";
    } else if (base::is_control(c)) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

/// None if there is an escape that escaped() does not write.
std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
    } else if (text.substr(i, 2) == "\\\\") {
      out += '\\';
      ++i;
    } else {
      const std::string_view digits =
          text.substr(i).starts_with("\\x") ? text.substr(i + 2, 2) : "";
      unsigned char byte = 0;
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
      if (error != std::errc() || end != digits.data() + 2 ||
          !base::is_control(static_cast<char>(byte))) {
        return std::nullopt;
      }
      out += static_cast<char>(byte);
      i += 3;
    }
  }
  return out;
}

/// Takes a blank and a number from the front of `text`.
std::optional<std::uint32_t> take_number(std::string_view& text) {
  if (!text.starts_with(' ')) return std::nullopt;
  text.remove_prefix(1);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// What follows the keyword; the name is still escaped.
std::optional<Object> parse_object(std::string_view text) {
  const auto first = take_number(text);
  const auto count = take_number(text);
  if (!first || !count || !text.starts_with(' ')) return std::nullopt;
  return Object{std::string(text.substr(1)), *first, *count};
}

}  // namespace

std::string ply_object_comment(const Object& object) {
  return fmt::format("comment {} {} {} {}\n", kKeyword, object.first_triangle,
                     object.triangle_count, escaped(object.name));
}

Result<PlyObjects> parse_ply_objects(const std::vector<PlyComment>& comments) {
  PlyObjects out;
  std::unordered_set<std::string> names;
  std::uint64_t next = 0;
  std::size_t changed_names = 0;
  for (const PlyComment& comment : comments) {
    const auto refuse = [&](std::string_view cause) {
      return Error{ErrorCode::kInput, fmt::format("line {}: {}", comment.line, cause)};
    };
    if (!comment.text.starts_with(kKeyword)) continue;
    auto object = parse_object(comment.text.substr(kKeyword.size()));
    if (!object) return refuse("expected: comment tocsin.object FIRST COUNT NAME");
    bool changed = false;
    const auto name = unescaped(base::clean_name(object->name, changed));
    if (!name) return refuse("the object's name has an escape that is neither \\\\ nor \\xHH");
    if (changed) ++changed_names;
    object->name = *name;
    if (object->first_triangle != next) {
      return refuse(fmt::format("object {} begins at face {}, the one before ends at {}",
                                base::in_quotes(*name), object->first_triangle, next));
    }
    next += object->triangle_count;
    if (next > std::numeric_limits<std::uint32_t>::max()) return refuse("too many faces");
    if (!names.insert(*name).second) {
      return refuse(fmt::format("object {} comes twice", base::in_quotes(*name)));
    }
    out.objects.push_back(std::move(*object));
  }
  if (changed_names > 0) {
    out.warnings.push_back(fmt::format("{} object names are not UTF-8 text", changed_names));
  }
  return out;
}

}  // namespace tocsin::io
