#include "app/cli/help_format.h"

#include <algorithm>

namespace tocsin::app {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kOptionColumns = 30;  // where descriptions begin

std::string entry(const std::string& left, const std::string& description) {
  std::string out = "  " + left;
  if (out.size() + 2 > kOptionColumns) {
    out += '\n' + std::string(kOptionColumns, ' ');
  } else {
    out.append(kOptionColumns - out.size(), ' ');
  }
  return out + wrapped(description, kColumns - kOptionColumns, kOptionColumns) + '\n';
}

}  // namespace

HelpFormat::HelpFormat() {
  label("REQUIRED", "(required)");
  label("Positionals", "Arguments");
  label("OPTIONS", "options");
  label("SUBCOMMAND", "COMMAND");
  label("Subcommands", "Commands");
}

std::string HelpFormat::make_help(const CLI::App* app, std::string name,
                                  CLI::AppFormatMode mode) const {
  std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
  for (std::size_t at = 0; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
  while (text.size() > 1 && text[text.size() - 2] == '\n') text.pop_back();
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

std::string HelpFormat::make_description(const CLI::App* app) const {
  return wrapped(app->get_description(), kColumns, 0) + "\n\n";
}

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
  return entry(make_option_name(option, is_positional) + make_option_opts(option),
               make_option_desc(option));
}

std::string HelpFormat::make_subcommand(const CLI::App* sub) const {
  return entry(sub->get_name(), sub->get_description());
}

std::string HelpFormat::make_footer(const CLI::App* app) const {
  const std::string text = CLI::Formatter::make_footer(app);
  std::string out;
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) out += wrapped(paragraph, kColumns, 0) + '\n';
    paragraph.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (!line.empty() && line.front() != ' ') {
      paragraph += (paragraph.empty() ? "" : " ") + line;
      if (line.back() == ':') end_paragraph();  // a heading
      continue;
    }
    end_paragraph();
    out += line + '\n';
  }
  end_paragraph();
  return out;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (column > 0 && column + 1 + word.size() > width) {
      out += '\n' + std::string(indent, ' ');
      column = 0;
    }
    if (column > 0) out += ' ';
    out += word;
    column += word.size() + (column > 0 ? 1 : 0);
  }
  return out;
}

}  // namespace tocsin::app
