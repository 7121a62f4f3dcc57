#include "service/live/live_session.h"

#include <new>
#include <utility>

namespace tocsin::service {
namespace {

/// Reports that are taken at once. Larger: they hold memory for longer.
constexpr std::size_t kReportsAtOnce = 256;

}  // namespace

std::shared_ptr<LiveSession> LiveSession::open(Engine& engine,
                                               const std::shared_ptr<Principal>& principal,
                                               const TrackOptions& options, std::string peer,
                                               Problem& problem) {
  const std::shared_ptr<LiveSession> out(new LiveSession(std::move(peer)));
  auto session = engine.open(principal, options, out, out->opened_, problem);
  if (!session) return nullptr;
  out->shown_ = session->identity().shown();
  {
    const std::scoped_lock lock(out->mutex_);
    out->session_ = std::move(session);
  }
  out->drain();  // what was there before
  return out;
}

std::shared_ptr<Session> LiveSession::session() const {
  const std::scoped_lock lock(mutex_);
  return session_;
}

std::optional<Problem> LiveSession::offer(TrackFrame frame, Time received) {
  const auto own = session();
  if (!own) return refusal().value_or(Problem{Refusal::kNotFound, "the session is over"});
  auto problem = own->offer(this, std::move(frame), received);
  if (problem) leave(Detach::kForGood);
  return problem;
}

void LiveSession::finish() {
  if (const auto own = session()) own->finish(this);
}

std::optional<Problem> LiveSession::refusal() {
  std::optional<Problem> out;
  {
    const std::scoped_lock lock(mutex_);
    out = problem_;
  }
  if (out) leave(Detach::kForGood);
  return out;
}

void LiveSession::refuse(const Problem& problem) {
  const std::scoped_lock lock(mutex_);
  problem_ = problem;
}

void LiveSession::leave(Detach how) {
  std::shared_ptr<Session> own;
  {
    const std::scoped_lock lock(mutex_);
    own = std::exchange(session_, nullptr);
  }
  if (own) own->detach(this, how);
}

void LiveSession::drain() {
  const auto own = session();
  if (!own) return;
  try {
    while (!own->pull(this, kReportsAtOnce).empty()) {
    }
    if (own->ended(this)) leave(Detach::kMayResume);
  } catch (const std::bad_alloc&) {  // the next call takes them
  }
}

}  // namespace tocsin::service
