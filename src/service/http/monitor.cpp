#include "service/http/monitor.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "base/lower_case.h"
#include "service/http/embedded_pages.h"
#include "service/http/event_stream.h"
#include "service/metrics/process.h"
#include "service/metrics/service_metrics.h"
#include "service/rpc/connection_counts.h"

namespace tocsin::service {
namespace {

/// Of /metrics a second. Each looks at all sessions. Prometheus asks every 15 s, a person reloads.
constexpr double kMostScrapes = 20.0;

constexpr const char* kExposition = "text/plain; version=0.0.4; charset=utf-8";

HttpAnswer plain(int status, std::string text) {
  HttpAnswer out;
  out.status = status;
  out.body = std::move(text);
  return out;
}

/// It loads nothing, and is in no other page.
constexpr const char* kPageHeaders =
    "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src "
    "'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
    "'none'\r\nReferrer-Policy: no-referrer\r\n";

HttpAnswer page(std::string_view name) {
  HttpAnswer out;
  for (const EmbeddedPage& one : embedded_pages()) {
    if (one.name == name) out.body = one.text;
  }
  out.type = "text/html; charset=utf-8";
  out.headers = kPageHeaders;
  return out;
}

/// A page of another site could ask a browser on this machine under a name of its own that it lets
/// stand for this machine. So names are not taken where nothing else keeps that page out.
bool names_this_machine(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const bool port =
      colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos;
  const std::string name = base::lower(std::string(port ? host.substr(0, colon) : host));
  if (name == "localhost" || name.starts_with('[')) return true;
  return !name.empty() && name.find_first_not_of("0123456789.") == std::string::npos;
}

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

Monitor::Monitor(std::shared_ptr<Engine> engine, const Server& server, MonitorOptions options)
    : engine_(std::move(engine)),
      server_(server),
      options_(std::move(options)),
      start_(seconds_since_1970()) {}

HttpAnswer Monitor::operator()(const HttpRequest& request) {
  if (request.path == "/healthz") return plain(200, "ok\n");
  if (request.path == "/readyz") {
    const Readiness now = readiness();
    return plain(now.ready() ? 200 : 503, now.text());
  }
  if (request.path == "/metrics") return metrics();
  if (request.path == "/v1/events") return events(request);
  if (request.path == "/") return page("contacts");
  return plain(404, "there are /, /healthz, /readyz, /metrics and /v1/events\n");
}

HttpAnswer Monitor::events(const HttpRequest& request) {
  if (!options_.local) {
    return plain(403, "events are for this machine: tokens would cross the network in the clear\n");
  }
  if (options_.by_names) {
    return plain(403, "events need tokens (--tokens): this port knows no certificates\n");
  }
  Admission& admission = server_.admission();
  if (!admission.access().asks_for_tokens() && !names_this_machine(request.host)) {
    return plain(421, "without tokens, events are for addresses and localhost only\n");
  }
  std::optional<std::string_view> authorization;
  if (request.authorization) authorization = *request.authorization;
  const Caller caller{request.peer.empty() ? "local" : request.peer, peer_of(request.peer)};
  Turned why;
  std::shared_ptr<Principal> principal;
  if (admission.is_open(caller, why)) principal = admission.admit(caller, authorization, {}, why);
  if (!principal) {
    HttpAnswer out = plain(why.too_often ? 429 : 401, why.cause + "\n");
    out.headers = why.too_often ? "Retry-After: 10\r\n" : "WWW-Authenticate: Bearer\r\n";
    return out;
  }
  auto listener = engine_->events().listen(principal->name, principal->circle());
  if (!listener) return plain(503, "there are too many listeners, in all or of one principal\n");
  HttpAnswer out;
  out.type = "text/event-stream";
  out.stream = std::make_unique<EventStream>(std::move(listener));
  return out;
}

Readiness Monitor::readiness() const { return readiness_of(*engine_, server_, options_.record); }

HttpAnswer Monitor::metrics() {
  if (!scrapes_.take(1, kMostScrapes, std::chrono::steady_clock::now())) {
    HttpAnswer out = plain(429, "at most 20 a second\n");
    out.headers = "Retry-After: 1\r\n";
    return out;
  }
  SurroundingFigures around;
  around.process = process_figures();
  const Readiness now = readiness();
  around.ready = now.ready();
  around.start = start_;
  around.osc = options_.osc;
  if (!options_.record.empty()) around.free_disk = now.free_disk.value_or(0);
  HttpAnswer out = plain(200, metrics_text(*engine_, server_.counts(), around));
  out.type = kExposition;
  return out;
}

}  // namespace tocsin::service
