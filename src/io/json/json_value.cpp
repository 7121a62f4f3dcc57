#include "io/json/json_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/quoted.h"

namespace tocsin::io {
namespace {

/// Takes nlohmann's parse events and builds the document. The parser itself keeps one bit a level,
/// and a handler that returns false stops it: depth costs nothing, and no destructor ever meets it.
class Builder {
 public:
  Builder(JsonValue& root, const JsonLimits& limits) : root_(root), limits_(limits) {}

  /// Empty, or what was refused, with its path.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }
  /// Set if the text is no JSON: how many bytes were read, and the parser's words.
  [[nodiscard]] bool syntax_error() const { return syntax_error_; }
  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] const std::string& words() const { return words_; }

  // The names and signatures below are nlohmann's SAX interface.
  bool null() { return add(JsonKind::kNull) != nullptr; }
  bool boolean(bool value) {
    JsonValue* v = add(JsonKind::kBoolean);
    if (v != nullptr) v->boolean = value;
    return v != nullptr;
  }
  bool number_integer(nlohmann::json::number_integer_t value) {
    return number(static_cast<double>(value));
  }
  bool number_unsigned(nlohmann::json::number_unsigned_t value) {
    return number(static_cast<double>(value));
  }
  bool number_float(double value, const std::string& /*token*/) { return number(value); }
  bool string(std::string& value) {
    JsonValue* v = add(JsonKind::kString);
    if (v != nullptr) v->text = std::move(value);
    return v != nullptr;
  }
  bool binary(nlohmann::json::binary_t& /*value*/) { return refuse("binary values are no JSON"); }
  bool start_object(std::size_t /*size*/) { return open(JsonKind::kObject); }
  bool start_array(std::size_t /*size*/) { return open(JsonKind::kArray); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    std::vector<std::string>& names = open_.back()->names;
    if (!seen_.back().insert(name).second) {
      return refuse(fmt::format("field {} appears twice", base::in_quotes(name)));
    }
    names.push_back(std::move(name));
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const std::exception& error) {
    syntax_error_ = true;
    position_ = position;
    words_ = error.what();
    return false;
  }

 private:
  bool number(double value) {
    JsonValue* v = add(JsonKind::kNumber);
    if (v != nullptr) v->number = value;
    return v != nullptr;
  }

  JsonValue* add(JsonKind kind) {
    if (++count_ > limits_.values) {
      refuse(fmt::format("more than {} values", limits_.values));
      return nullptr;
    }
    JsonValue* v = &root_;
    // Growing the innermost array moves none of the open values: they lie in arrays further out.
    if (!open_.empty()) v = &open_.back()->items.emplace_back();
    v->kind = kind;
    return v;
  }

  bool open(JsonKind kind) {
    if (open_.size() >= limits_.depth) {
      return refuse(fmt::format("nested more than {} deep", limits_.depth));
    }
    JsonValue* v = add(kind);
    if (v == nullptr) return false;
    open_.push_back(v);
    seen_.emplace_back();
    return true;
  }

  bool close() {
    open_.pop_back();
    seen_.pop_back();
    return true;
  }

  bool refuse(const std::string& cause) {
    std::string path;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      const JsonValue& v = *open_[i];
      path = v.kind == JsonKind::kObject ? json_path(path, v.names.back())
                                         : json_path(path, v.items.size() - 1);
    }
    refusal_ = path.empty() ? cause : path + ": " + cause;
    return false;
  }

  JsonValue& root_;
  JsonLimits limits_;
  std::vector<JsonValue*> open_;             ///< from the outermost in
  std::vector<std::set<std::string>> seen_;  ///< names in each of them
  std::size_t count_ = 0;
  std::string refusal_;
  bool syntax_error_ = false;
  std::size_t position_ = 0;
  std::string words_;
};

/// Line and column, both from 1, of the last of the first `read` bytes.
std::pair<std::size_t, std::size_t> place_of(std::string_view text, std::size_t read) {
  const std::string_view before = text.substr(0, std::min(read == 0 ? 0 : read - 1, text.size()));
  const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t newline = before.rfind('\n');
  const std::size_t column =
      before.size() - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
  return {line, column};
}

/// nlohmann's message without its number and place, and with a token that may be megabytes long
/// cut.
std::string plain_words(std::string_view words) {
  if (const std::size_t at = words.find("] "); at != std::string_view::npos)
    words.remove_prefix(at + 2);
  if (words.starts_with("parse error at ")) {
    if (const std::size_t at = words.find(": "); at != std::string_view::npos) {
      words.remove_prefix(at + 2);
    }
  }
  constexpr std::string_view kToken = "; last read: '";
  const std::size_t token = words.find(kToken);
  if (token == std::string_view::npos) return base::escaped(words, 200);
  const std::size_t begin = token + kToken.size();
  const std::size_t expected = words.find("'; expected", begin);
  const std::size_t end = expected != std::string_view::npos ? expected : words.size() - 1;
  return fmt::format("{}, found {}{}", base::escaped(words.substr(0, token), 200),
                     base::in_quotes(words.substr(begin, end - begin), 40),
                     base::escaped(words.substr(std::min(end + 1, words.size())), 100));
}

bool is_plain_word(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

const JsonValue* JsonValue::member(std::string_view name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? nullptr : &items[static_cast<std::size_t>(at - names.begin())];
}

Result<JsonValue> parse_json(std::string_view text, std::string_view display_name,
                             const JsonLimits& limits) {
  JsonValue root;
  Builder builder(root, limits);
  const std::string place =
      limits.line > 0 ? fmt::format("{}:{}", display_name, limits.line) : std::string(display_name);
  try {
    if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return root;
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, fmt::format("{}: out of memory", place)};
  } catch (const std::exception& error) {
    return {ErrorCode::kInput, fmt::format("{}: {}", place, plain_words(error.what()))};
  }
  if (builder.syntax_error()) {
    const auto [line, column] = place_of(text, builder.position());
    return {ErrorCode::kInput, fmt::format("{}:{}:{}: {}", display_name,
                                           line + std::max<std::size_t>(limits.line, 1) - 1, column,
                                           plain_words(builder.words()))};
  }
  return {ErrorCode::kInput, fmt::format("{}: {}", place, builder.refusal())};
}

std::string_view json_kind_name(JsonKind kind) {
  switch (kind) {
    case JsonKind::kNull:
      return "null";
    case JsonKind::kBoolean:
      return "a boolean";
    case JsonKind::kNumber:
      return "a number";
    case JsonKind::kString:
      return "a string";
    case JsonKind::kArray:
      return "an array";
    case JsonKind::kObject:
      return "an object";
  }
  return "unknown";
}

std::string json_path(std::string_view path, std::string_view name) {
  std::string out(path);
  if (is_plain_word(name)) {
    if (!out.empty()) out += '.';
    out += name;
  } else {
    out += '[' + base::in_quotes(name) + ']';
  }
  return out;
}

std::string json_path(std::string_view path, std::size_t index) {
  return fmt::format("{}[{}]", path, index);
}

}  // namespace tocsin::io
