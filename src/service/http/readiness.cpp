#include "service/http/readiness.h"

#include <fmt/format.h>

#include <algorithm>

#include "service/metrics/process.h"
#include "service/records/record_store.h"

namespace tocsin::service {
namespace {

/// Why records cannot be written; empty: they can.
std::string fault_of_disk(const Engine& engine, const std::optional<std::uint64_t>& free) {
  if (!free) return "records cannot be written";
  const RecordStore* const records = engine.records();
  if (records == nullptr) return {};
  switch (records->look()) {
    case RecordStore::Full::kReserve:
      return "the reserve is reached (--record-reserve)";
    case RecordStore::Full::kQuota:
      return "the quota is used up (--record-quota)";
    case RecordStore::Full::kNo:
      break;
  }
  return {};
}

}  // namespace

bool Readiness::ready() const {
  return std::all_of(looks.begin(), looks.end(), [](const Look& l) { return l.wrong.empty(); });
}

std::string Readiness::text() const {
  std::string out;
  for (const Look& look : looks) {
    out += fmt::format("{}: {}\n", look.what, look.wrong.empty() ? "ok" : look.wrong);
  }
  return out;
}

Readiness readiness_of(const Engine& engine, const Server& server,
                       const std::filesystem::path& record) {
  Readiness out;
  const ServerCounts now = server.counts();
  const auto add = [&out](const char* what, bool well, const char* why) {
    out.looks.push_back({what, well ? std::string() : why});
  };
  add("listener", now.serving, "the server closes, or does not accept connections");
  add("memory", now.memory_kept, "the budget is used up (--memory)");
  if (record.empty()) return out;
  out.free_disk = free_bytes(record);
  out.looks.push_back({"disk", fault_of_disk(engine, out.free_disk)});
  return out;
}

}  // namespace tocsin::service
