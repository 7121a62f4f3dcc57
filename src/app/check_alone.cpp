// `tocsin check` alone: what one must compile to see whether another compiler gives the same
// contacts. It takes the arguments of `tocsin check`, and is no part of a package.

#include <CLI/CLI.hpp>
#include <exception>

#include "app/check/check.h"
#include "app/cli/interrupt.h"
#include "app/cli/parse_command.h"
#include "app/cli/words.h"

namespace {

namespace app = tocsin::app;

app::ExitStatus run(int argc, const char* const* argv) {
  CLI::App tocsin("tocsin check, and nothing else");
  const auto parser = app::check_parser(tocsin);
  tocsin.require_subcommand(1);
  try {
    tocsin.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    throw app::UsageError{error.what(), "tocsin check"};
  }
  parser->complete();
  app::InterruptWatch interrupt;
  return app::run_check(std::get<app::CheckCommand>(parser->command()), interrupt.token());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const app::UsageError& error) {
    app::print_error(error.command, error.message);
    return error.status;
  } catch (const std::exception& error) {
    app::print_error("tocsin check", error.what());
    return app::kUnfinished;
  }
}
