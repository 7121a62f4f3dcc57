#include "service/rpc/open_session.h"

#include <cstdint>
#include <optional>

#include "service/rpc/call_support.h"
#include "wire/shapes.h"
#include "wire/values.h"

namespace tocsin::service {
namespace {

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
  const Result<TrackOptions> options = wire::from_wire(open);
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

void leave(const StreamSession& from, const Outlet* outlet) {
  if (!from.session) return;
  from.session->detach(outlet, from.id_sent ? Detach::kMayResume : Detach::kForGood);
}

}  // namespace tocsin::service
