#include "app/serve/record_arguments.h"

#include "app/cli/parse_parts.h"

namespace tocsin::app {
namespace {

constexpr const char* kRecords = "Records";
constexpr std::int64_t kMostDisk = std::int64_t{1} << 32U;  // MiB: 4 EiB
constexpr double kMostDays = 36'500.0;

std::uint64_t bytes_of(std::string_view option, const std::string& mebibytes, std::int64_t least) {
  return static_cast<std::uint64_t>(parse_whole(option, mebibytes, least, kMostDisk)) << 20U;
}

}  // namespace

void RecordArguments::add(CLI::App& app) {
  add_text(app, "--record", folder_, "DIR",
           "Keep what each session covered: a motion for tocsin check, a report for tocsin verify "
           "(none)",
           kRecords);
  add_text(app, "--record-reserve", reserve_, "MIB",
           "Records end when less of the disk is free (256)", kRecords);
  add_text(app, "--record-quota", quota_, "MIB",
           "What DIR may take: beyond it the oldest finished records are deleted (none)", kRecords);
  add_text(app, "--record-days", days_, "DAYS", "Delete finished records of this age (none)",
           kRecords);
  app.add_flag(
         "--record-required", required_,
         "End a session that cannot be recorded; otherwise it goes on, and its reports say so")
      ->group(kRecords);
  app.add_flag("--record-sync", sync_,
               "A report waits until the poses that it says were covered are on the disk")
      ->group(kRecords);
}

void RecordArguments::resolve(service::EngineOptions& engine, service::RoomPolicy& rooms) const {
  service::RecordRules& rules = engine.record_rules;
  rules.reserve = bytes_of("--record-reserve", reserve_, 0);
  if (!quota_.empty()) rules.quota = bytes_of("--record-quota", quota_, 1);
  if (!days_.empty()) {
    rules.days =
        parse_number_in("--record-days", days_, kLeast, kMostDays, "above 0, at most 36500 (days)");
  }
  rules.required = required_;
  rules.sync = sync_;
  if (folder_.empty()) return;
  engine.record = folder_;
  rooms.keep = engine.record / "rooms";
}

}  // namespace tocsin::app
