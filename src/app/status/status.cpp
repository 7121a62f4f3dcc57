#include "app/status/status.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "app/cli/text_table.h"
#include "app/cli/words.h"
#include "app/status/control_client.h"
#include "base/json_text.h"
#include "base/output_file.h"

namespace tocsin::app {
namespace {

using Json = nlohmann::ordered_json;

ExitStatus fail(const char* command, const Error& error) {
  print_error(command, error.message);
  return exit_status(error.code);
}

ExitStatus show(const char* command, const std::string& text, ExitStatus status = kDone) {
  if (const Status written = base::write_to_standard_output(text); !written) {
    return fail(command, written.error());
  }
  return status;
}

/// "3 d 4 h", "4 h 12 min", "12 min", "41 s".
std::string time_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::floor(std::max(seconds, 0.0)));
  const std::int64_t minutes = whole / 60;
  const std::int64_t hours = minutes / 60;
  if (hours >= 24) return fmt::format("{} d {} h", hours / 24, hours % 24);
  if (hours > 0) return fmt::format("{} h {} min", hours, minutes % 60);
  return minutes > 0 ? fmt::format("{} min", minutes) : fmt::format("{} s", whole);
}

std::string bytes_text(const Json& bytes) {
  return fmt::format("{} MiB", brief(std::round(bytes.get<double>() / 0x1p20)));
}

std::string number_text(const Json& number) { return grouped(number.get<std::int64_t>()); }

/// The server's answer, JSON. Errors also where it says no.
Result<std::string> ask(const std::filesystem::path& control, std::string_view method,
                        const std::string& target) {
  auto answer = ask_server(control, method, target);
  if (!answer) return answer.error();
  std::string body = std::move(answer->body);
  if (answer->status != 200) return {ErrorCode::kInput, body.substr(0, body.find('\n'))};
  if (Json::accept(body)) return body;
  return {ErrorCode::kResource, control.string() + ": what answers there is no server of Tocsin's"};
}

/// "2 (studio-a: 1, studio-b: 1), 2 streaming, of 298".
std::string sessions_text(const Json& sessions) {
  std::string names;
  for (const auto& [name, count] : sessions.at("by_principal").items()) {
    names += fmt::format("{}{}: {}", names.empty() ? "" : ", ", name, number_text(count));
  }
  return fmt::format("{}{}, {} streaming, of {}", number_text(sessions.at("now")),
                     names.empty() ? "" : " (" + names + ")", number_text(sessions.at("streaming")),
                     number_text(sessions.at("limit")));
}

std::string memory_text(const Json& memory) {
  const bool limited = memory.at("budget").get<std::uint64_t>() != 0;
  return bytes_text(memory.at("resident")) +
         (limited ? " of " + bytes_text(memory.at("budget")) : ", no limit");
}

std::string disk_text(const Json& disk) {
  std::string out =
      fmt::format("{}: {} used", disk.at("folder").get<std::string>(), bytes_text(disk.at("used")));
  if (disk.at("quota").get<std::uint64_t>() != 0) out += " of " + bytes_text(disk.at("quota"));
  return out + fmt::format(", {} free, {} stay free", bytes_text(disk.at("free")),
                           bytes_text(disk.at("reserve")));
}

std::string room_text(const Json& room) {
  const auto text = [&room](const char* key) { return room.at(key).get<std::string>(); };
  if (room.value("shape", false)) {
    return fmt::format("{}: a shape, {} triangles, {} sessions", text("name"),
                       number_text(room.at("triangles")), number_text(room.at("sessions")));
  }
  std::string out = fmt::format("{}: {} triangles, {} sessions, checked by {}", text("name"),
                                number_text(room.at("triangles")), number_text(room.at("sessions")),
                                text("backend"));
  if (!text("device").empty()) out += fmt::format(" ({})", text("device"));
  if (!text("fallback").empty()) out += "; its device failed: " + text("fallback");
  return out;
}

std::string status_text(const Json& now) {
  std::string why;
  for (const auto& [what, said] : now.at("checks").items()) {
    const auto text = said.get<std::string>();
    if (text != "ok") why += fmt::format("; {}: {}", what, text);
  }
  const std::string http = now.at("http").get<std::string>();
  std::string out;
  out += fact(
      "Server",
      fmt::format("tocsin {}, process {}, up for {}", now.at("version").get<std::string>(),
                  now.at("pid").get<std::int64_t>(), time_text(now.at("uptime").get<double>())));
  out += fact("Listens",
              now.at("listen").get<std::string>() + (http.empty() ? "" : ", http on " + http));
  out += fact("Ready", now.at("ready").get<bool>() ? "yes" : "no" + why);
  out += fact("Sessions", sessions_text(now.at("sessions")));
  out += fact("Checked",
              fmt::format("{} steps, {} contacts, {} frames skipped", number_text(now.at("steps")),
                          number_text(now.at("contacts")), number_text(now.at("skipped_frames"))));
  out += fact("Memory", memory_text(now.at("memory")));
  out += fact("Files", fmt::format("{} open of {}", number_text(now.at("files").at("open")),
                                   number_text(now.at("files").at("limit"))));
  if (!now.at("disk").is_null()) out += fact("Records", disk_text(now.at("disk")));
  for (const Json& room : now.at("rooms")) out += fact("Room", room_text(room));
  return out;
}

std::string sessions_table(const Json& sessions) {
  if (sessions.empty()) return "no sessions\n";
  TextTable out({{"Session"},
                 {"Principal", Align::kLeft, kWidestName},
                 {"Peer"},
                 {"State"},
                 {"Age", Align::kRight},
                 {"Frames", Align::kRight},
                 {"Contacts", Align::kRight},
                 {"Skipped", Align::kRight},
                 {"Label", Align::kLeft, kWidestName}});
  for (const Json& one : sessions) {
    const auto text = [&one](const char* key) { return one.at(key).get<std::string>(); };
    out.add({text("session"), text("principal"), text("peer").empty() ? "-" : text("peer"),
             text("state"), time_text(one.at("age").get<double>()),
             number_text(one.at("frames").at("covered")), number_text(one.at("contacts")),
             number_text(one.at("frames").at("skipped")), text("label")});
  }
  return out.text();
}

/// Another version of the server may say less.
template <class Make>
ExitStatus show_made(const char* command, const Make& make, ExitStatus status) {
  try {
    return show(command, make(), status);
  } catch (const Json::exception& error) {
    print_error(command, fmt::format("the server is of another version: {}", error.what()));
    return kUnfinished;
  }
}

}  // namespace

ExitStatus run_status(const StatusOptions& options) {
  constexpr const char* kCommand = "tocsin status";
  const auto body = ask(options.control, "GET", "/status");
  if (!body) return fail(kCommand, body.error());
  const Json now = Json::parse(*body);
  const ExitStatus status = now.value("ready", false) ? kDone : kFound;
  if (options.json) return show(kCommand, *body, status);
  return show_made(
      kCommand, [&now] { return status_text(now); }, status);
}

ExitStatus run_sessions(const SessionsOptions& options) {
  constexpr const char* kCommand = "tocsin sessions";
  const bool ends = !options.end.empty();
  const auto body = ends ? ask(options.control, "POST", "/sessions/" + options.end + "/end")
                         : ask(options.control, "GET", "/sessions");
  if (!body) return fail(kCommand, body.error());
  if (options.json) return show(kCommand, *body);
  if (ends) return show(kCommand, "ended\n");
  const Json now = Json::parse(*body);
  return show_made(
      kCommand, [&now] { return sessions_table(now.at("sessions")); }, kDone);
}

}  // namespace tocsin::app
