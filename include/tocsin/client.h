// A client of Tocsin's service (`tocsin serve`). Needs the library tocsin::client
// (find_package(tocsin CONFIG COMPONENTS client)). This header includes nothing of gRPC.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/io.h"
#include "tocsin/live/watch.h"
#include "tocsin/result.h"
#include "tocsin/scene_change.h"
#include "tocsin/track.h"

namespace tocsin {

/// How a server is reached.
struct ConnectionOptions {
  std::string target;  ///< "HOST:PORT", "[::1]:PORT" or "unix:/path"
  /// TLS is used if any of the next four is set. Files are PEM.
  bool tls = false;
  std::filesystem::path ca = {};           ///< roots for the server; empty: the system's roots
  std::filesystem::path certificate = {};  ///< the client's own (mTLS), with its key
  std::filesystem::path key = {};
  std::string token = {};                   ///< sent as "authorization: Bearer ..."; empty: none
  std::chrono::milliseconds timeout{5000};  ///< for connecting, and for calls that are no streams
};

/// How a stream ended.
enum class StreamEnd : std::uint8_t {
  kEnded,    ///< the client ended the session, and all is reported
  kClosing,  ///< the server shuts down: the next one may resume the session (Connection::resume)
  kBroken,   ///< the connection was lost: the session can be resumed
  kRefused,  ///< the server ended it: the message says why
};

/// Callbacks of a stream. Called one at a time, from a thread of the library. They must not throw,
/// block for long, or destroy (or assign to) the session: destroying it waits for their end.
struct TrackHandler {
  std::function<void(const TrackOpened&)> opened = {};
  std::function<void(TrackReport)> report = {};
  /// The server ends, after the stream's last report: what the session has covered. `over`
  /// (kClosing) follows. Not called if the server breaks down.
  std::function<void(const TrackCovered&)> closing = {};
  /// The last call. `ended` is only set for kEnded; `error.message` is empty for it.
  std::function<void(StreamEnd end, const TrackEnded& ended, const Error& error)> over = {};
  /// A step has spent the server's budget: what is proved of it so far (StepReport::complete is
  /// false, checked_until says until when). It may come several times for one step. The step's
  /// `report` follows, which tells the same contacts again, and all others. Only that one counts
  /// where a session is resumed.
  std::function<void(TrackReport)> partial = {};
};

/// How a session goes on when its stream breaks.
struct ReconnectOptions {
  /// Without a stream for so long, it is over (kBroken, or kClosing if the server had shut down).
  std::chrono::milliseconds patience{10'000};
  /// Frames that no report covers yet are kept, to be sent again: so many at most, the newest.
  std::size_t kept_frames = 512;
};

/// A time that no report covers.
struct TrackHole {
  std::optional<FrameStamp> from;  ///< where the reports before end; none: there is no report
  std::optional<FrameStamp> to;    ///< where the next one begins; none: none follows
};

/// Callbacks of a session that reconnects. Called as those of TrackHandler.
struct LastingHandler {
  /// With every stream. Another `session_id`: the server did not have the session any more, and a
  /// new one goes on where the reports end. Its steps count from 0.
  std::function<void(const TrackOpened&)> opened = {};
  /// Each report once, in order. Its `from` is the `to` of the one before, unless `hole` was called
  /// between the two.
  std::function<void(TrackReport)> report = {};
  std::function<void(const TrackHole&)> hole = {};
  /// As TrackHandler::closing. The session may go on with the next server.
  std::function<void(const TrackCovered&)> closing = {};
  /// The last call.
  std::function<void(StreamEnd end, const TrackEnded& ended, const Error& error)> over = {};
  /// As TrackHandler::partial.
  std::function<void(TrackReport)> partial = {};
};

/// What a room is loaded for.
struct RoomUse {
  bool changeable = false;  ///< Connection::update_environment may change it
  bool shared = false;      ///< with the principal's group
};

/// Callbacks of a watch. Called as those of TrackHandler.
struct WatchHandler {
  /// A session that is there, or begins: before anything else of it.
  std::function<void(const WatchedSession&)> session = {};
  std::function<void(WatchedStep)> step = {};
  std::function<void(const WatchedStream&)> stream = {};
  std::function<void(const WatchedEnd&)> ended = {};
  /// This client was too slow for so many events: steps are missing here. Sessions that began and
  /// ended meanwhile are told next.
  std::function<void(std::uint64_t events)> skipped = {};
  /// The last call: kClosing: the server shuts down, and all its reports were told; kBroken; or
  /// kRefused.
  std::function<void(StreamEnd end, const Error& error)> over = {};
  /// The first call, also where there is no session: the server lets this client watch.
  std::function<void()> begun = {};
};

/// Bytes of a download, unless said otherwise. More could fill the memory of a common machine; a
/// larger room is refused.
inline constexpr std::uint64_t kMostDownloadBytes = std::uint64_t{2} << 30U;

/// Which room is downloaded.
struct RoomSource {
  std::string environment = {};  ///< by its name; empty: the only one
  std::string session = {};      ///< not empty: the one that a watched session is in
};

/// A room that could be downloaded.
struct RoomHead {
  EnvironmentInfo info;
  std::uint64_t bytes = 0;                ///< that downloading it takes
  std::array<std::uint8_t, 32> sha256{};  ///< room_sha256()
};

namespace detail {
class LiveStream;
class LastingStream;
class ConnectionState;
class LiveCrowdState;
class CrowdSession;
class WatchStream;
}  // namespace detail

/// A stream of one session. Cheap to move; destroying it breaks the stream (the session stays on
/// the server until its time to live is over).
class LiveSession {
 public:
  LiveSession() = default;
  LiveSession(LiveSession&&) noexcept;
  LiveSession& operator=(LiveSession&&) noexcept;
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;
  ~LiveSession();

  /// Queues frames for sending; never blocks. Frames of several calls may share a message, and many
  /// of one call become several. Errors, with nothing queued: kResource: the stream is over, or
  /// 4,096 calls' frames wait to be sent; kUsage: a pose of another number of joints, or after
  /// finish().
  Status send(std::span<const TrackFrame> frames);
  /// No more frames: the server reports what is pending and ends the session.
  Status finish();
  /// Breaks the stream at once, as a lost connection would.
  void abandon();
  /// True: no frame that is sent now arrives. The stream is over, or about to tell its handler so.
  bool is_closed() const;
  /// Waits until the stream is over (the handler's `over` has returned). False: it is not yet.
  bool wait(std::chrono::milliseconds timeout);

 private:
  friend class Connection;
  friend class LiveCrowd;
  std::shared_ptr<detail::LiveStream> stream_;
};

/// A session that goes on when its connection is lost or its server is restarted. It resumes the
/// session with what the server has not covered. If that server, or the next, has it no more, a new
/// session begins at the frame at which the reports end, so that they join; where they cannot, the
/// handler is told of a hole. Cheap to move; destroying it ends it at once, and calls `over` no
/// more.
class LastingSession {
 public:
  LastingSession();
  LastingSession(LastingSession&&) noexcept;
  LastingSession& operator=(LastingSession&&) noexcept;
  LastingSession(const LastingSession&) = delete;
  LastingSession& operator=(const LastingSession&) = delete;
  ~LastingSession();

  /// Queues frames, also while there is no stream; never blocks. Those queued when the server ends
  /// the session are in no report; `over` tells. Errors, with nothing queued:
  /// kResource: it is over, or 4,096 calls' frames wait to be sent; kUsage: a pose of another
  /// number of joints, or after finish().
  Status send(std::span<const TrackFrame> frames);
  /// No more frames: the server reports what is pending and ends the session.
  Status finish();
  /// Waits until it is over (the handler's `over` has returned). False: it is not yet.
  bool wait(std::chrono::milliseconds timeout);

 private:
  friend class Connection;
  friend class LiveCrowd;
  std::unique_ptr<detail::LastingStream> stream_;
};

/// Sessions that share one stream: of a program that has the avatars of many, such as a game
/// server. It costs both ends a fraction of a stream each, and says the same. Each session is a
/// LiveSession or LastingSession as those of Connection; only their stream is one, and breaks for
/// all of them. The next session that begins, or is resumed, begins another one. Safe to use from
/// many threads. Cheap to move; destroying it breaks the stream, as LiveSession does.
class LiveCrowd {
 public:
  LiveCrowd();
  LiveCrowd(LiveCrowd&&) noexcept;
  LiveCrowd& operator=(LiveCrowd&&) noexcept;
  LiveCrowd(const LiveCrowd&) = delete;
  LiveCrowd& operator=(const LiveCrowd&) = delete;
  ~LiveCrowd();

  /// As Connection's functions of these names. Errors also (kResource): 16,384 sessions share the
  /// stream already. All handlers of a crowd are called one at a time.
  [[nodiscard]] Result<LiveSession> track(const TrackOptions& options, TrackHandler handler) const;
  [[nodiscard]] Result<LiveSession> resume(const std::string& session_id, std::uint64_t received,
                                           const Skeleton& skeleton, TrackHandler handler) const;
  [[nodiscard]] Result<LastingSession> track_lasting(const TrackOptions& options,
                                                     LastingHandler handler,
                                                     const ReconnectOptions& reconnect = {}) const;
  /// From now on frames wait for flush(), so that those of all sessions at one time go in one
  /// message (or in a few: of 256 KiB). Without it a frame is sent as soon as the one before is.
  void collect();
  /// Sends what waits.
  void flush();

 private:
  friend class Connection;
  static Result<LiveSession> session_of(Result<std::shared_ptr<detail::CrowdSession>> begun);
  std::shared_ptr<detail::LiveCrowdState> state_;
};

/// Follows sessions of others, until the server ends. Cheap to move; destroying it ends it, and
/// waits for the handler's last call.
class Watch {
 public:
  Watch();
  Watch(Watch&&) noexcept;
  Watch& operator=(Watch&&) noexcept;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();

  /// Ends it soon: `over` is called with kBroken.
  void stop();
  /// Waits until it is over (the handler's `over` has returned). False: it is not yet.
  bool wait(std::chrono::milliseconds timeout);

 private:
  friend class Connection;
  std::shared_ptr<detail::WatchStream> stream_;
};

/// A connection to a server. It has its own TCP connection, which copies share. Safe to use from
/// many threads. It reconnects by itself when it breaks. Streams that were open then end (kBroken).
class Connection {
 public:
  Connection() = default;
  /// Connects. Errors: kUsage: an invalid target or TLS files, a token for another
  /// machine without TLS; kResource: no answer in time (with the reason).
  static Result<Connection> open(const ConnectionOptions& options);

  /// Errors of all calls: the server's error as kInput; kResource if the call did not reach it.
  /// Loading has no time limit; other calls have ConnectionOptions::timeout.
  [[nodiscard]] Result<std::vector<EnvironmentInfo>> environments() const;
  [[nodiscard]] Result<std::vector<AvatarModel>> avatar_models() const;
  /// Loads files of the server's folder (paths relative to it), merged.
  [[nodiscard]] Result<EnvironmentInfo> load_environment(const std::string& name,
                                                         std::span<const std::string> paths,
                                                         const EnvironmentOptions& options = {},
                                                         const RoomUse& use = {}) const;
  /// Uploads a file.
  [[nodiscard]] Result<EnvironmentInfo> upload_environment(const std::string& name,
                                                           const std::filesystem::path& file,
                                                           const EnvironmentOptions& options = {},
                                                           const RoomUse& use = {}) const;
  /// Changes a room that was loaded to be changed: all edits, in order, or none. Sessions in it see
  /// the change from their next step on (TrackReport::room). `expected`: refused if the room has
  /// another version. EnvironmentInfo::version of the answer: of this change. Errors also (kUsage):
  /// no edits; shapes with more than 16,384 triangles together, which upload_shape() loads before.
  [[nodiscard]] Result<EnvironmentInfo> update_environment(
      const std::string& name, std::span<const SceneEdit> edits,
      std::optional<std::uint64_t> expected = std::nullopt) const;
  /// Uploads a mesh, which links of sessions may have as their shape (TrackOptions::shapes),
  /// exactly as it is; its own radius is not kept. `shared`: with the principal's group. Errors
  /// also (kUsage): an empty shape.
  [[nodiscard]] Result<EnvironmentInfo> upload_shape(const std::string& name, const Shape& shape,
                                                     bool shared = false) const;
  /// The shapes that are loaded.
  [[nodiscard]] Result<std::vector<EnvironmentInfo>> shapes() const;
  /// Unloads a room or a shape. `sessions` of the answer: how many sessions continue in it.
  [[nodiscard]] Result<EnvironmentInfo> unload_environment(const std::string& name) const;
  /// "SERVING", "NOT_SERVING", ... of the health service.
  [[nodiscard]] Result<std::string> health() const;

  /// Opens a session. The handler gets everything else. Errors: kUsage: options that cannot be
  /// sent.
  [[nodiscard]] Result<LiveSession> track(const TrackOptions& options, TrackHandler handler) const;
  /// Continues a session whose stream broke. `received`: number of reports that the client has.
  /// `skeleton`: the session's.
  [[nodiscard]] Result<LiveSession> resume(const std::string& session_id, std::uint64_t received,
                                           const Skeleton& skeleton, TrackHandler handler) const;

  /// A stream that many sessions share. It begins with the first of them.
  [[nodiscard]] Result<LiveCrowd> crowd() const;

  /// As track(), and goes on when the stream breaks, or cannot begin yet.
  [[nodiscard]] Result<LastingSession> track_lasting(const TrackOptions& options,
                                                     LastingHandler handler,
                                                     const ReconnectOptions& reconnect = {}) const;

  /// Follows the sessions of the client's own principal, and those that meet others where its group
  /// can enter: docs/watching.md. What is wrong is the handler's `over`.
  [[nodiscard]] Result<Watch> watch(const WatchOptions& options, WatchHandler handler) const;
  /// How large a room is, and its hash: a client that has the room's files can compare
  /// room_sha256() of what it reads from them.
  [[nodiscard]] Result<RoomHead> room_head(const RoomSource& which) const;
  /// The triangles of a room as it is now. `before`: what was downloaded earlier; objects that have
  /// not changed are taken from there. May take long: there is no time limit, but `stop` gives it
  /// up (kCancelled). Errors also (kInput): more than `most_bytes`; bytes that are not those of
  /// their hashes.
  [[nodiscard]] Result<WatchedRoom> download_room(const RoomSource& which,
                                                  const WatchedRoom* before = nullptr,
                                                  std::uint64_t most_bytes = kMostDownloadBytes,
                                                  const std::stop_token& stop = {}) const;
  /// The avatar of a watched session with its shapes, where WatchedSession::shapes_left_out says
  /// so. Errors as download_room().
  [[nodiscard]] Result<Avatar> download_avatar(const WatchedSession& session,
                                               std::uint64_t most_bytes = kMostDownloadBytes,
                                               const std::stop_token& stop = {}) const;

 private:
  std::shared_ptr<detail::ConnectionState> state_;
};

}  // namespace tocsin
