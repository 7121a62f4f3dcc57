#include "service/http/monitor.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "service/metrics/process.h"
#include "service/metrics/service_metrics.h"

namespace tocsin::service {
namespace {

/// Bytes on the disk of records. Ten avatars at 90 Hz write so much in half a minute. Smaller: it
/// is full before anybody can act.
constexpr std::uint64_t kLeastFree = std::uint64_t{64} << 20U;

/// Of /metrics a second. Each looks at all sessions. Prometheus asks every 15 s, a person reloads.
constexpr double kMostScrapes = 20.0;

constexpr const char* kExposition = "text/plain; version=0.0.4; charset=utf-8";

HttpAnswer plain(int status, std::string text) {
  HttpAnswer out;
  out.status = status;
  out.body = std::move(text);
  return out;
}

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

Monitor::Monitor(std::shared_ptr<Engine> engine, const Server& server, std::filesystem::path record)
    : engine_(std::move(engine)),
      server_(server),
      record_(std::move(record)),
      start_(seconds_since_1970()) {}

HttpAnswer Monitor::operator()(const HttpRequest& request) {
  if (request.path == "/healthz") return plain(200, "ok\n");
  if (request.path == "/readyz") {
    Readiness now = readiness();
    return plain(now.ready ? 200 : 503, std::move(now.text));
  }
  if (request.path == "/metrics") return metrics();
  return plain(404, "there are /healthz, /readyz and /metrics\n");
}

Monitor::Readiness Monitor::readiness() const {
  Readiness out{true, {}};
  const auto add = [&out](bool ok, const char* what, const char* why) {
    out.ready = out.ready && ok;
    out.text += fmt::format("{}: {}\n", what, ok ? "ok" : why);
  };
  const ServerCounts now = server_.counts();
  add(now.serving, "listener", "the server closes, or does not accept connections");
  add(now.memory_kept, "memory", "the budget is used up (--memory)");
  if (!record_.empty()) {
    const std::optional<std::uint64_t> free = free_bytes(record_);
    add(free && *free >= kLeastFree, "disk", "less than 64 MiB are free for records (--record)");
  }
  return out;
}

HttpAnswer Monitor::metrics() {
  if (!scrapes_.take(1, kMostScrapes, std::chrono::steady_clock::now())) {
    HttpAnswer out = plain(429, "at most 20 a second\n");
    out.headers = "Retry-After: 1\r\n";
    return out;
  }
  SurroundingFigures around;
  around.process = process_figures();
  around.ready = readiness().ready;
  around.start = start_;
  if (!record_.empty()) around.free_disk = free_bytes(record_).value_or(0);
  HttpAnswer out = plain(200, metrics_text(*engine_, server_.counts(), around));
  out.type = kExposition;
  return out;
}

}  // namespace tocsin::service
