#include "service/rpc/open_session.h"

#include <chrono>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "service/rpc/call_support.h"
#include "wire/shapes.h"
#include "wire/values.h"

namespace tocsin::service {
namespace {

/// Beyond any of these the opening of a session counts as slow: bytes of the message, and number of
/// patterns. Each pattern is compared with every pair of a link and an object. Larger: a few large
/// openings may delay small ones. Smaller: usual openings wait for each other.
constexpr std::size_t kInteractiveBytes = 64U << 10U;
constexpr int kInteractivePatterns = 8;

/// The skeleton, whose rest transforms were on the client's axes. Errors: as Skeleton::create().
Result<Skeleton> on_our_axes(const Skeleton& skeleton, const Axes& axes) {
  if (axes.are_ours()) return skeleton;
  std::vector<Joint> joints(skeleton.joints().begin(), skeleton.joints().end());
  for (Joint& joint : joints) joint.rest = axes(joint.rest);
  return Skeleton::create(std::move(joints));
}

bool resume_session(Switchboard& board, const std::shared_ptr<Principal>& principal,
                    const v1::Resume& resume, TakeOver take_over,
                    const std::shared_ptr<Outlet>& outlet, StreamSession& out, TrackOpened& opened,
                    Problem& problem) {
  out.session = board.engine->resume(principal, resume.session_id(), resume.received_steps(),
                                     outlet, opened, problem, &board.memory, take_over);
  if (out.session) {
    out.codec = board.codecs.find(*out.session);
    // Taken over from a record: this server made none.
    const auto& options = out.session->skeleton();
    if (!out.codec) out.codec = board.codecs.make(out.session, options);
  }
  if (out.session && !out.codec) problem = {Refusal::kNotFound, "the session is over"};
  return out.codec != nullptr;
}

bool new_session(Switchboard& board, const std::shared_ptr<Principal>& principal,
                 const v1::Open& open, const std::shared_ptr<Outlet>& outlet, StreamSession& out,
                 TrackOpened& opened, Problem& problem) {
  // Shapes take far more memory than their message.
  const std::uint64_t triangles = wire::inline_triangles(open.inline_model());
  std::optional<MemoryBudget::Hold> hold;
  if (triangles > 0) hold = board.memory.take(triangles * kShapeMemory);
  if (triangles > 0 && !hold) {
    problem = {Refusal::kOverloaded, no_memory_status().error_message()};
    return false;
  }
  Result<TrackOptions> options = wire::from_wire(open);
  if (options) {
    auto skeleton = on_our_axes(options->skeleton, options->tracker.axes);
    if (!skeleton) {
      problem = {Refusal::kInvalid, "skeleton: " + skeleton.error().message};
      return false;
    }
    options->skeleton = std::move(skeleton).value();
  }
  if (!options) {
    const bool limit = options.error().code == ErrorCode::kResource;
    problem = {limit ? Refusal::kOverloaded : Refusal::kInvalid, options.error().message};
    return false;
  }
  out.session = board.engine->open(principal, *options, outlet, opened, problem, &board.memory);
  if (!out.session) return false;
  out.id_sent = false;
  out.codec = board.codecs.make(out.session, options->skeleton);
  return true;
}

}  // namespace

grpc::Status open_session(Switchboard& board, const std::shared_ptr<Principal>& principal,
                          const v1::TrackRequest& request, TakeOver take_over,
                          const std::shared_ptr<Outlet>& outlet, StreamSession& out,
                          TrackOpened& opened) {
  Problem problem;
  const bool is_open =
      request.has_resume()
          ? resume_session(board, principal, request.resume(), take_over, outlet, out, opened,
                           problem)
          : new_session(board, principal, request.open(), outlet, out, opened, problem);
  for (std::string& warning : opened.warnings) warning = shown(warning);
  return is_open ? grpc::Status::OK : to_status(problem);
}

WorkerPool::Lane lane_of(const v1::TrackRequest& request, std::size_t bytes) {
  // A session that another server left is checked again, which may take seconds.
  const bool slow = request.has_resume() || bytes > kInteractiveBytes ||
                    request.open().ignore_size() > kInteractivePatterns;
  return slow ? WorkerPool::Lane::kSlow : WorkerPool::Lane::kInteractive;
}

bool is_here(const Switchboard& board, const v1::TrackRequest& request) {
  return request.has_resume() && board.engine->has(request.resume().session_id());
}

/// A refused opening uses up a part of what its principal may have refused, unless it is none of
/// the client's doing: another server has the session still, or this one failed.
grpc::Status open_within_limits(Switchboard& board, const std::shared_ptr<Principal>& principal,
                                const v1::TrackRequest& request, TakeOver take_over,
                                const std::shared_ptr<Outlet>& outlet, StreamSession& out,
                                TrackOpened& opened) {
  const double rate = principal->limits.failures_per_second;
  grpc::Status status = out_of_memory_status();
  try {
    if (!principal->used->failures.take(1, rate, std::chrono::steady_clock::now())) {
      return {grpc::StatusCode::RESOURCE_EXHAUSTED,
              "too many of your openings are refused (failures_per_second)"};
    }
    status = open_session(board, principal, request, take_over, outlet, out, opened);
    const bool blameless = status.ok() || status.error_code() == grpc::StatusCode::UNAVAILABLE ||
                           status.error_code() == grpc::StatusCode::INTERNAL;
    if (blameless) principal->used->failures.give_back(rate);
  } catch (const std::bad_alloc&) {
  }
  if (!status.ok()) leave(out, outlet.get());
  return status;
}

void free_later(Switchboard& board, std::shared_ptr<Session> session) {
  if (!session) return;
  try {
    board.chores.submit(WorkerPool::Lane::kInteractive, [last = std::move(session)] {});
  } catch (const std::bad_alloc&) {  // then this thread frees it
  }
}

void leave(const StreamSession& from, const Outlet* outlet) {
  if (!from.session) return;
  from.session->detach(outlet, from.id_sent ? Detach::kMayResume : Detach::kForGood);
}

}  // namespace tocsin::service
