#include "service/http/control.h"

#include <unistd.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "service/http/readiness.h"
#include "service/metrics/process.h"
#include "tocsin/version.h"

namespace tocsin::service {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSessions = "/sessions/";
constexpr std::string_view kEnd = "/end";

HttpAnswer json_answer(const Json& json) {
  HttpAnswer out;
  out.type = "application/json";
  // A client's label may be no UTF-8.
  out.body = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return out;
}

HttpAnswer not_found(const char* cause) {
  HttpAnswer out;
  out.status = 404;
  out.body = std::string(cause) + "\n";
  return out;
}

const char* state_of(const SessionCounts& counts) {
  if (!goes_on(counts.state)) return "ending";
  return counts.attached ? "streaming" : "detached";
}

Json frames_of(const FrameCounts& frames) {
  return {{"covered", frames.covered},
          {"skipped", frames.skipped},
          {"stale", frames.stale},
          {"duplicate", frames.duplicate},
          {"bad", frames.bad}};
}

Json row_of(const SessionRow& row) {
  return {{"session", row.session},
          {"principal", row.principal},
          {"peer", row.peer},
          {"label", row.label},
          {"room", row.room},
          {"state", state_of(row.counts)},
          {"age", row.age},
          {"steps", row.counts.steps},
          {"contacts", row.counts.contacts},
          {"frames", frames_of(row.counts.frames)},
          {"pending_frames", row.counts.pending_frames},
          {"unsent_reports", row.counts.unsent_reports}};
}

Json sessions_of(const Engine& engine, const std::vector<SessionRow>& rows) {
  std::map<std::string, std::uint64_t> of_principal;
  std::uint64_t streaming = 0;
  for (const SessionRow& row : rows) {
    ++of_principal[row.principal];
    streaming += row.counts.attached ? 1 : 0;
  }
  return {{"now", rows.size()},
          {"streaming", streaming},
          {"limit", engine.most_sessions()},
          {"by_principal", of_principal}};
}

Json disk_of(const Engine& engine, const Readiness& now) {
  const RecordStore* const records = engine.records();
  if (records == nullptr) return nullptr;
  return {{"folder", records->folder().string()},
          {"used", records->bytes()},
          {"free", now.free_disk.value_or(0)},
          {"reserve", records->rules().reserve},
          {"quota", records->rules().quota}};
}

Json rooms_of_all(const Environments& rooms) {
  Json out = Json::array();
  for (const EnvironmentInfo& room : rooms.list()) {
    out.push_back({{"name", room.name},
                   {"shape", room.shape},
                   {"triangles", room.triangles},
                   {"sessions", room.sessions},
                   {"backend", room.backend},
                   {"device", room.device},
                   {"fallback", room.fallback}});
  }
  return out;
}

}  // namespace

HttpAnswer Control::operator()(const HttpRequest& request) {
  if (!request.posts && request.path == "/status") return status();
  if (!request.posts && request.path == "/sessions") return sessions();
  std::string_view name = request.path;
  if (request.posts && name.starts_with(kSessions) && name.ends_with(kEnd) &&
      name.size() > kSessions.size() + kEnd.size()) {
    name.remove_prefix(kSessions.size());
    name.remove_suffix(kEnd.size());
    return end(std::string(name));
  }
  return not_found("there are GET /status, GET /sessions and POST /sessions/NAME/end");
}

HttpAnswer Control::status() const {
  const Readiness now = readiness_of(*engine_, server_, options_.record);
  const ProcessFigures process = process_figures();
  const EngineCounts counts = engine_->counts();
  const std::chrono::duration<double> up = std::chrono::steady_clock::now() - start_;
  Json checks = Json::object();
  for (const Readiness::Look& look : now.looks) {
    checks[look.what] = look.wrong.empty() ? "ok" : look.wrong;
  }
  return json_answer(
      {{"format", "tocsin.status.v1"},
       {"version", kVersion},
       {"pid", ::getpid()},
       {"uptime", up.count()},
       {"listen", server_.address()},
       {"http", options_.http},
       {"ready", now.ready()},
       {"checks", std::move(checks)},
       {"sessions", sessions_of(*engine_, engine_->sessions())},
       {"opened", counts.opened},
       {"expired", counts.expired},
       {"steps", counts.steps},
       {"contacts", counts.contacts},
       {"skipped_frames", counts.skipped_frames},
       {"memory", {{"resident", process.resident}, {"budget", server_.counts().memory_budget}}},
       {"files", {{"open", process.open_files}, {"limit", process.most_files}}},
       {"disk", disk_of(*engine_, now)},
       {"rooms", rooms_of_all(engine_->rooms())}});
}

HttpAnswer Control::sessions() const {
  Json rows = Json::array();
  for (const SessionRow& row : engine_->sessions()) rows.push_back(row_of(row));
  return json_answer({{"format", "tocsin.sessions.v1"}, {"sessions", std::move(rows)}});
}

HttpAnswer Control::end(const std::string& name) {
  if (!engine_->end_session(name)) return not_found("there is no such session, or not any more");
  // Whoever named it by its id: that is a secret.
  if (options_.log) options_.log("a session was ended by tocsin sessions --end");
  return json_answer({{"format", "tocsin.end.v1"}, {"ended", 1}});
}

}  // namespace tocsin::service
