#include "service/http/http_server.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <new>
#include <utility>

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Pause between two parts of a stream. Shorter: it costs processor time. Longer: events come
/// later.
constexpr milliseconds kStreamPause{50};

}  // namespace

HttpServer::HttpServer(const HttpLimits& limits) : limits_(limits) {}

Result<std::unique_ptr<HttpServer>> HttpServer::open(const ListenAddress& address,
                                                     const HttpLimits& limits, Log log) {
  std::unique_ptr<HttpServer> out(new HttpServer(limits));
  if (out->waker_.descriptor() < 0) return {ErrorCode::kResource, "no descriptor is free"};
  const ConnectionLimits most{.all = limits.connections + limits.spare,
                              .of_peer = std::max<std::size_t>(limits.connections / 2, 1)};
  auto listener = Listener::open(address, most, std::move(log));
  if (!listener) return listener.error();
  out->listener_ = std::move(listener).value();
  return out;
}

std::size_t HttpServer::descriptors(const HttpLimits& limits) {
  constexpr std::size_t kOwn = 8;  // listening sockets, and those that wake the threads
  return limits.connections + limits.spare + kOwn;
}

HttpServer::~HttpServer() {
  if (listener_) listener_->stop();  // null: it could not bind
  stopping_ = true;
  waker_.wake();
  if (thread_.joinable()) thread_.join();
  for (const int descriptor : incoming_) ::close(descriptor);
}

void HttpServer::start(HttpHandler handler) {
  handler_ = std::move(handler);
  thread_ = std::thread([this] { run(); });
  listener_->start([this](int descriptor) { take(descriptor); });
}

/// Called by the listener's thread.
void HttpServer::take(int descriptor) {
  try {
    const std::scoped_lock lock(mutex_);
    incoming_.push_back(descriptor);
  } catch (const std::bad_alloc&) {
    ::close(descriptor);
    return;
  }
  waker_.wake();
}

void HttpServer::run() {
  std::vector<pollfd> waits;
  waits.reserve(limits_.connections + 1);
  while (!stopping_) {
    waits.clear();
    waits.push_back({waker_.descriptor(), POLLIN, 0});
    for (const HttpConnection& connection : connections_) {
      waits.push_back({connection.descriptor(), connection.events(), 0});
    }
    if (::poll(waits.data(), waits.size(), wait()) < 0) continue;
    waker_.clear();
    const auto now = Clock::now();
    go_on(now);
    admit(now);
  }
  connections_.clear();
}

/// Milliseconds until something is due; -1: nothing is.
int HttpServer::wait() {
  if (connections_.empty()) return -1;
  auto due = Clock::time_point::max();
  const auto now = Clock::now();
  for (const HttpConnection& connection : connections_) {
    due = std::min(due, connection.is_stream() ? now + kStreamPause : connection.deadline());
  }
  return static_cast<int>(
      std::max(std::chrono::ceil<milliseconds>(due - now), milliseconds(0)).count());
}

/// Every connection is looked at: there are few, and each look costs a system call at most.
void HttpServer::go_on(HttpConnection::Time now) {
  for (auto at = connections_.begin(); at != connections_.end();) {
    bool stays = false;
    try {
      stays = at->go_on(now, handler_);
    } catch (const std::bad_alloc&) {  // this one ends
    }
    at = stays ? std::next(at) : connections_.erase(at);
  }
}

void HttpServer::admit(HttpConnection::Time now) {
  std::vector<int> arrived;
  {
    const std::scoped_lock lock(mutex_);
    arrived.swap(incoming_);
  }
  for (const int number : arrived) {
    Descriptor socket(number);
    if (connections_.size() >= limits_.connections && !make_room()) continue;
    try {
      connections_.emplace_back(std::move(socket), limits_, now);
      if (!connections_.back().go_on(now, handler_)) connections_.pop_back();
    } catch (const std::bad_alloc&) {  // it was closed
    }
  }
}

/// Ends the oldest connection of which nothing is lost. So those that say nothing do not keep out
/// those that ask at once.
bool HttpServer::make_room() {
  const auto oldest = std::find_if(connections_.begin(), connections_.end(),
                                   [](const auto& connection) { return connection.is_idle(); });
  if (oldest == connections_.end()) return false;
  connections_.erase(oldest);
  return true;
}

}  // namespace tocsin::service
