#include "service/metrics/exposition.h"

#include <cmath>

#include "base/json_text.h"

namespace tocsin::service {
namespace {

/// A label's value, or a help text (which has no escape for a quote).
std::string escaped(std::string_view text, bool quotes) {
  std::string out;
  for (const char c : base::valid_utf8(text)) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '"' && quotes) {
      out += "\\\"";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string Exposition::number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0.0 ? "+Inf" : "-Inf";
  std::string out;
  base::append_json(out, value);
  return out;
}

void Exposition::begin(std::string_view name, std::string_view help, std::string_view type) {
  name_ = name;
  text_ += "# HELP " + name_ + " " + escaped(help, false) + "\n# TYPE " + name_ + " ";
  text_ += type;
  text_ += '\n';
}

void Exposition::sample(Labels labels, std::uint64_t value) {
  line({}, labels, {}, std::to_string(value));
}

void Exposition::sample(Labels labels, double value) { line({}, labels, {}, number(value)); }

void Exposition::bucket(Labels labels, const std::string& bound, std::uint64_t count) {
  line("_bucket", labels, bound, std::to_string(count));
}

void Exposition::label(std::string_view name, std::string_view value, bool& first) {
  text_ += first ? '{' : ',';
  first = false;
  text_ += name;
  text_ += "=\"" + escaped(value, true) + "\"";
}

void Exposition::line(std::string_view suffix, Labels labels, std::string_view bound,
                      const std::string& value) {
  text_ += name_;
  text_ += suffix;
  bool first = true;
  for (const auto& [name, text] : labels) label(name, text, first);
  if (!bound.empty()) label("le", bound, first);
  if (!first) text_ += '}';
  text_ += ' ' + value + '\n';
}

}  // namespace tocsin::service
