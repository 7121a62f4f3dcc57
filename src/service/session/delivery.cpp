#include "service/session/delivery.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

namespace tocsin::service {
namespace {

/// Bytes of reports (estimated) in one pull(). A gRPC message holds 4 MiB, and a report is at most
/// a few times larger on the wire than in memory.
constexpr std::size_t kMostPulled = std::size_t{256} << 10U;

/// Made once, so that tell() needs no memory.
const Problem& taken_over() {
  static const Problem kTakenOver{Refusal::kTakenOver, "another stream took the session over"};
  return kTakenOver;
}

}  // namespace

Delivery::Delivery(const SessionLimits& limits)
    : ring_(limits.kept_reports, limits.kept_bytes,
            std::max<std::size_t>(limits.unsent_reports, 1)),
      detached_at_(std::chrono::steady_clock::now()) {}

std::optional<Problem> Delivery::attach(std::shared_ptr<Outlet>& outlet, std::uint64_t received) {
  taken_over_.reserve(taken_over_.size() + 1);
  if (!ring_.rewind(received)) {
    return Problem{Refusal::kOutOfRange,
                   fmt::format("reports from {} on were asked for; kept are {} to {}", received,
                               ring_.first(), ring_.next())};
  }
  partial_.reset();
  if (listens()) taken_over_.push_back(std::move(outlet_));
  outlet_.swap(outlet);
  stream_ = Stream::kListens;
  end_.reset();
  ready_due_ = false;
  return std::nullopt;
}

std::shared_ptr<Outlet> Delivery::detach(Time now) {
  stream_ = Stream::kNone;
  end_.reset();
  ready_due_ = false;
  partial_.reset();
  detached_at_ = now;
  return std::exchange(outlet_, nullptr);
}

void Delivery::push(TrackReport&& report, Time received, MemberCards others) {
  const std::size_t contacts = report.result.contacts.size();
  ring_.push(std::move(report), received, std::move(others));
  contacts_ += contacts;
  partial_.reset();
  ready_due_ = attached() && ring_.has_released();
}

void Delivery::set_partial(TrackReport report, MemberCards others) {
  if (!listens()) return;
  try {
    partial_ = std::make_unique<TrackReport>(std::move(report));
  } catch (const std::bad_alloc&) {  // the step's report tells it again
    return partial_.reset();
  }
  partial_others_ = std::move(others);
  ready_due_ = true;
}

std::optional<TrackReport> Delivery::pull_partial(MemberCards& others) {
  if (!partial_ || !all_pulled()) return std::nullopt;
  others = std::move(partial_others_);
  std::optional<TrackReport> out(std::move(*partial_));
  partial_.reset();
  return out;
}

void Delivery::release(std::uint64_t step) {
  ring_.release(step);
  ready_due_ = attached() && ring_.has_released();
}

std::uint64_t Delivery::release_unrecorded(const std::string& why) {
  const std::uint64_t out = ring_.release_unrecorded(why);
  ready_due_ = attached() && ring_.has_released();
  return out;
}

void Delivery::pull(std::size_t most, std::vector<TrackReport>& out,
                    std::vector<MemberCards>& others) {
  ring_.pull(most, kMostPulled, std::chrono::steady_clock::now(), out, &others);
}

void Delivery::end(Problem problem) {
  if (listens()) end_ = std::move(problem);
}

void Delivery::end_was_sent() {
  if (attached()) stream_ = Stream::kEndSent;
}

void Delivery::tell(Lock& lock) {
  if (telling_) return;
  telling_ = true;
  while (true) {
    std::shared_ptr<Outlet> outlet = outlet_;
    std::optional<Problem> end;
    const Problem* problem = nullptr;
    if (!taken_over_.empty()) {
      outlet = std::move(taken_over_.back());
      taken_over_.pop_back();
      problem = &taken_over();
    } else if (listens() && ready_due_) {
      ready_due_ = false;
    } else if (listens() && end_) {
      end.swap(end_);
      problem = &*end;
      stream_ = Stream::kEndSent;
    } else {
      break;
    }
    lock.unlock();
    if (problem != nullptr) {
      outlet->refuse(*problem);
    } else {
      outlet->ready();
    }
    outlet.reset();
    lock.lock();
  }
  ready_due_ = false;
  end_.reset();
  telling_ = false;
}

}  // namespace tocsin::service
