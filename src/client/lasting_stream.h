// A session that goes on over several streams (LastingSession).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "tocsin/client.h"

namespace tocsin::detail {

/// Begins the streams of a session: Connection, or LiveCrowd.
struct StreamSource {
  std::function<Result<LiveSession>(const TrackOptions&, TrackHandler)> track;
  std::function<Result<LiveSession>(const std::string& id, std::uint64_t received, const Skeleton&,
                                    TrackHandler)>
      resume;
};

/// Its own thread, the supervisor, begins streams; the streams' threads bring what the server says,
/// one stream after the other. Frames are kept until a report covers them, so that the next stream,
/// or the next session, begins where the reports end.
class LastingStream {
 public:
  LastingStream(StreamSource source, TrackOptions options, LastingHandler handler,
                const ReconnectOptions& reconnect);
  LastingStream(const LastingStream&) = delete;
  LastingStream& operator=(const LastingStream&) = delete;
  /// Breaks the stream, and waits for the handler's last call.
  ~LastingStream();

  Status send(std::span<const TrackFrame> frames);
  Status finish();
  bool wait(std::chrono::milliseconds timeout);

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;

  // The supervisor's.
  void run();
  void begin_stream();
  void send_again(Lock& lock);
  bool pause(Lock& lock);
  void give_up(Lock& lock, StreamEnd end, const Error& error);

  // The streams'.
  TrackHandler stream_handler(bool resumes);
  void on_opened(const TrackOpened& opened);
  void on_report(TrackReport report);
  void on_partial(TrackReport report);
  void on_over(bool resumed, StreamEnd end, const TrackEnded& ended, const Error& error);
  void tell_over(StreamEnd end, const TrackEnded& ended, const Error& error);
  void forget_covered(std::uint64_t id);

  const StreamSource source_;
  const TrackOptions options_;
  const LastingHandler handler_;
  const ReconnectOptions reconnect_;

  std::mutex mutex_;  ///< of all below
  std::condition_variable changed_;
  LiveSession stream_;
  std::string session_id_;           ///< empty: there is no session to be resumed
  std::uint64_t steps_ = 0;          ///< reports of the session
  std::optional<FrameStamp> last_;   ///< the pose at which all reports so far end
  std::deque<TrackFrame> kept_;      ///< from the one at `last_` on
  std::optional<FrameStamp> there_;  ///< the last pose that the server has covered
  bool opened_ = false;              ///< the stream is open; kept frames are not sent on it yet
  bool ready_ = false;               ///< they are
  bool broken_ = false;              ///< the stream is over, and the next one is to begin
  bool finishing_ = false;
  bool over_ = false;  ///< handler's `over` was called, or is being called
  bool told_ = false;  ///< ... and has returned
  bool stopped_ = false;
  StreamEnd end_ = StreamEnd::kBroken;  ///< of the last stream
  Error error_;
  std::optional<Clock::time_point> latest_;  ///< to have a stream again
  std::chrono::milliseconds pause_{};
  std::thread supervisor_;
};

}  // namespace tocsin::detail
