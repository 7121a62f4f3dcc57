#include "service/rpc/track_responses.h"

#include <optional>
#include <utility>
#include <vector>

#include "service/rpc/call_support.h"
#include "wire/reports.h"
#include "wire/values.h"

namespace tocsin::service {
namespace {

NextResponse end_with(grpc::Status status) {
  return {NextResponse::Kind::kEnd, nullptr, std::move(status)};
}

void give_back(std::vector<TrackReport>& reports) {
  reports.clear();
  StreamMemory::of_thread().reports.swap(reports);
}

v1::TrackResponse& fresh() { return StreamMemory::of_thread().response.fresh(); }

}  // namespace

NextResponse TrackResponses::message(NextResponse::Kind kind) {
  return {kind, &StreamMemory::of_thread().response.get()};
}

NextResponse TrackResponses::opened(const TrackOpened& opened) {
  wire::to_wire(opened, *fresh().mutable_opened());
  return message();
}

NextResponse TrackResponses::next(const StreamEvents& events, const StreamSession& stream,
                                  const Outlet* outlet) {
  if (events.broken) return end_with(grpc::Status::CANCELLED);
  if (!stream.session) return before_session(events);
  if (events.closing && !closing_sent_) return closing();
  // Taken for a while: who is called meanwhile may need some, too.
  std::vector<TrackReport> reports = std::exchange(StreamMemory::of_thread().reports, {});
  stream.session->pull(outlet, kMostReports, reports, nullptr);
  if (reports.empty()) {
    give_back(reports);
    const std::optional<TrackReport> partial = stream.session->pull_partial(outlet);
    if (!partial) return after_reports(events, *stream.session, outlet);
    wire::to_wire(*partial, *stream.codec, *fresh().mutable_partial());
    return message();
  }
  v1::Reports& list = *fresh().mutable_reports();
  for (const TrackReport& report : reports) {
    wire::to_wire(report, *stream.codec, *list.add_reports());
  }
  give_back(reports);
  return message();
}

NextResponse TrackResponses::before_session(const StreamEvents& events) {
  if (events.end) return end_with(*events.end);
  if (events.closing) return end_with(closing_status());
  if (!events.input_over) return {};
  return end_with(
      {grpc::StatusCode::INVALID_ARGUMENT, "the stream ended before it opened a session"});
}

NextResponse TrackResponses::closing() {
  closing_sent_ = true;
  fresh().mutable_closing()->set_reason(closing_status().error_message());
  return message();
}

/// The last message of a stream that the server closes.
NextResponse TrackResponses::covered(const Session& session) {
  covered_sent_ = true;
  v1::Closing& closing = *fresh().mutable_closing();
  closing.set_reason(closing_status().error_message());
  wire::to_wire(session.coverage(), *closing.mutable_covered());
  return message();
}

/// There are no reports to send: sends the end, if it is due.
NextResponse TrackResponses::after_reports(const StreamEvents& events, Session& session,
                                           const Outlet* outlet) {
  if (events.end) {
    const bool closes = events.closing && events.end->error_code() == grpc::StatusCode::UNAVAILABLE;
    return closes && !covered_sent_ ? covered(session) : end_with(*events.end);
  }
  if (!events.input_over) return {};
  if (!alive_) {
    // gRPC has the same event for a lost connection and for a client that has closed its side. Only
    // after a lost connection can the session be resumed. A message that the client accepts tells
    // them apart.
    fresh().mutable_reports();
    return message();
  }
  if (!finishing_) {
    finishing_ = true;
    session.finish(outlet);
  }
  const std::optional<TrackEnded> ended = session.ended(outlet);
  if (!ended) return {};
  wire::to_wire(*ended, *fresh().mutable_ended());
  return message(NextResponse::Kind::kLast);
}

}  // namespace tocsin::service
