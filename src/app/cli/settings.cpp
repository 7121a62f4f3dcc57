#include "app/cli/settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <vector>

#include "app/cli/nearest_name.h"
#include "app/cli/options.h"
#include "base/json_text.h"
#include "base/quoted.h"
#include "base/text_file.h"
#include "io/json/json_value.h"

namespace tocsin::app {
namespace {

using io::JsonKind;
using io::JsonValue;

/// Bytes. A list of a thousand rooms has a tenth of it.
constexpr std::size_t kMostFile = std::size_t{1} << 20U;

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }
bool is_repeatable(const CLI::Option& option) { return option.get_items_expected_max() > 1; }

/// Names of the options that a setting may give, without dashes: not those that ask for something
/// else than to run.
std::vector<std::string> setting_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* const option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      if (name != "help" && name != "print-config") out.push_back(name);
    }
  }
  return out;
}

/// The option of that name. `where` and `called`: where it is set and as what, for messages.
CLI::Option& option_named(CLI::App& app, const std::string& name, std::string_view where,
                          std::string_view called, const auto& spelled, ExitStatus status) {
  const std::vector<std::string> names = setting_names(app);
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    return *app.get_option_no_throw("--" + name);
  }
  const std::string meant = nearest_name(name, names);
  throw UsageError{.message = fmt::format(
                       "{}there is no option {}{}", where, base::printable(called),
                       meant.empty() ? "" : fmt::format("; did you mean {}?", spelled(meant))),
                   .status = status};
}

void give(CLI::Option& option, const std::vector<std::string>& values) {
  for (const std::string& value : values) option.add_result(value);
  if (!values.empty()) option.run_callback();
}

std::string variable_name(std::string_view prefix, std::string_view name) {
  std::string out(prefix);
  for (const char c : name) out += c == '-' ? '_' : static_cast<char>(std::toupper(c));
  return out;
}

std::string option_name(std::string_view variable) {
  std::string out;
  for (const char c : variable) out += c == '_' ? '-' : static_cast<char>(std::tolower(c));
  return out;
}

std::vector<std::string> parts_of(std::string_view text, bool several) {
  if (!several) return {std::string(text)};
  std::vector<std::string> out;
  for (const std::string_view part : split(text, ';')) out.emplace_back(part);
  return out;
}

void from_environment(CLI::App& app, std::string_view prefix) {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t sign = text.find('=');
    if (!text.starts_with(prefix) || sign == std::string_view::npos) continue;
    const std::string_view variable = text.substr(0, sign);
    CLI::Option& option = option_named(
        app, option_name(variable.substr(prefix.size())), "the environment: ", variable,
        [prefix](const std::string& name) { return variable_name(prefix, name); }, kWrongUsage);
    if (option.count() > 0) continue;
    const std::string_view value = text.substr(sign + 1);
    if (is_flag(option) && value != "true" && value != "false") {
      throw UsageError{fmt::format("the environment: {}: expected true or false, found {}",
                                   variable, base::in_quotes(value))};
    }
    give(option, parts_of(value, is_repeatable(option)));
  }
}

/// One file of settings.
class SettingsFile {
 public:
  SettingsFile(CLI::App& app, std::string file) : app_(app), file_(std::move(file)) {}

  void apply(std::string_view format) {
    const JsonValue root = read();
    if (root.kind != JsonKind::kObject) fail("", "must be an object");
    const JsonValue* const found = root.member("format");
    if (found == nullptr || found->kind != JsonKind::kString || found->text != format) {
      fail("format", fmt::format("must be \"{}\"", format));
    }
    for (std::size_t i = 0; i < root.items.size(); ++i) {
      if (root.names[i] != "format") set(root.names[i], root.items[i]);
    }
  }

 private:
  [[nodiscard]] JsonValue read() const {
    const Result<std::string> text = base::read_file(file_, kMostFile);
    if (!text.ok()) refuse(text.error().message);
    Result<JsonValue> root = io::parse_json(text.value(), file_);
    if (!root.ok()) refuse(root.error().message);
    return std::move(root).value();
  }

  void set(const std::string& name, const JsonValue& value) {
    const std::string where = base::printable(file_) + ": ";
    CLI::Option& option = option_named(
        app_, name == "config" ? std::string() : name, where, base::in_quotes(name),
        [](const std::string& meant) { return base::in_quotes(meant); }, kRefused);
    if (value.kind == JsonKind::kNull) return;
    std::vector<std::string> values;
    if (is_repeatable(option) && value.kind == JsonKind::kArray) {
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        values.push_back(text_of(value.items[i], false, io::json_path(name, i)));
      }
    } else {
      values.push_back(text_of(value, is_flag(option), name));
    }
    if (option.count() == 0) give(option, values);
  }

  /// As the command line would have it.
  [[nodiscard]] std::string text_of(const JsonValue& value, bool flag,
                                    std::string_view path) const {
    if (flag && value.kind == JsonKind::kBoolean) return value.boolean ? "true" : "false";
    if (!flag && value.kind == JsonKind::kNumber) return fmt::format("{}", value.number);
    if (!flag && value.kind == JsonKind::kString) return value.text;
    fail(path, fmt::format("must be {}, is {}", flag ? "true or false" : "a text or a number",
                           io::json_kind_name(value.kind)));
  }

  [[noreturn]] void fail(std::string_view path, std::string_view cause) const {
    refuse(
        fmt::format("{}: {}{}{}", base::printable(file_), path, path.empty() ? "" : ": ", cause));
  }
  [[noreturn]] void refuse(const std::string& message) const {
    throw UsageError{.message = message, .status = kRefused};
  }

  CLI::App& app_;
  std::string file_;
};

/// A text as JSON: a number that is written as JSON would, as one.
void append_value(std::string& out, const std::string& text) {
  double number = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && stop == end && fmt::format("{}", number) == text &&
      std::isfinite(number)) {
    out += text;
  } else {
    base::append_json(out, text);
  }
}

void append_setting(std::string& out, CLI::Option& option) {
  std::vector<std::string> values = option.results();
  if (is_flag(option)) {
    out += !values.empty() && values.back() == "true" ? "true" : "false";
  } else if (is_repeatable(option)) {
    out += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out += ", ";
      base::append_json(out, values[i]);
    }
    out += ']';
  } else {
    if (values.empty()) {
      option.capture_default_str();
      values = {option.get_default_str()};
    }
    if (values.back().empty()) {
      out += "null";
    } else {
      append_value(out, values.back());
    }
  }
}

}  // namespace

void apply_settings(CLI::App& app, const SettingSources& sources) {
  from_environment(app, sources.prefix);
  const CLI::Option* const config = app.get_option_no_throw("--config");
  if (config != nullptr && config->count() > 0) {
    SettingsFile(app, config->results().back()).apply(sources.format);
  }
}

std::string settings_text(CLI::App& app, const SettingSources& sources) {
  std::string out = "{\n  \"format\": ";
  base::append_json(out, sources.format);
  for (const std::string& name : setting_names(app)) {
    if (name == "config") continue;
    out += ",\n  ";
    base::append_json(out, name);
    out += ": ";
    append_setting(out, *app.get_option_no_throw("--" + name));
  }
  return out + "\n}\n";
}

}  // namespace tocsin::app
