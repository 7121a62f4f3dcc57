// The format of help: descriptions wrapped under their options, no line beyond 100 columns.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace tocsin::app {

class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat();
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* sub) const override;
  /// Lines that begin with a blank stay as they are; those between are wrapped as paragraphs.
  std::string make_footer(const CLI::App* app) const override;
};

/// The text broken at blanks into lines of at most `width` columns, all but the first indented.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace tocsin::app
