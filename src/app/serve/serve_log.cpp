#include "app/serve/serve_log.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "app/cli/saved.h"
#include "app/cli/words.h"

namespace tocsin::app {
namespace {

constexpr std::string_view kCommandName = "tocsin serve";

void write_json(const service::LogEvent& event) {
  const std::string line = service::json_line(event, std::chrono::system_clock::now()) + "\n";
  std::fputs(line.c_str(), stderr);
}

void write_text(const service::LogEvent& event) {
  const bool failed = event.event == "authentication_failed";
  if (!failed && event.event != "left_out") return;
  std::string text = event.peer + ": " + (failed ? "authentication failed: " + event.cause : "");
  if (event.left_out > 0) {
    text += fmt::format("{}{} left out here", failed ? "; before that " : "",
                        count_of(static_cast<std::int64_t>(event.left_out), "event"));
  }
  print_warning(kCommandName, text);
}

}  // namespace

ServeLog::ServeLog(bool json)
    : json_(json), events_(std::make_shared<service::EventLog>(json ? write_json : write_text)) {}

void ServeLog::say(std::string_view event, const std::string& text) const {
  events_->say({.event = event, .cause = text});
}

void ServeLog::note(const std::string& text) const {
  json_ ? say("note", text) : print_note(kCommandName, text);
}

void ServeLog::warn(const std::string& text) const {
  json_ ? say("warning", text) : print_warning(kCommandName, text);
}

void ServeLog::warn_all(std::span<const std::string> texts) const {
  if (!json_) return print_warnings(kCommandName, texts);
  for (const std::string& text : texts) say("warning", text);
}

ExitStatus ServeLog::fail(const Error& error) const {
  if (!json_) return report_failure(kCommandName, error);
  say("failed", error.message);
  return exit_status(error.code);
}

}  // namespace tocsin::app
