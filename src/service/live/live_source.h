// One UDP port: its socket, its senders and their sessions.
#pragma once

#include <netinet/in.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mocap/decoder.h"
#include "service/live/live_options.h"
#include "service/live/live_session.h"
#include "service/log/leaky_counter.h"
#include "service/rpc/socket_address.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// What sources need of the service. All of it lives longer.
struct LiveSurroundings {
  Engine& engine;
  std::shared_ptr<Principal> principal;  ///< of all sessions
  Log note;                              ///< sessions that begin and end; null: not said
  Log warn;                              ///< what was dropped, missed or refused
};

/// A sender is an address; with MVN, an address and a character; with tocsin.udp.v1, an address and
/// a stream. Each has a session of its own, from its first frame until it is silent for
/// LiveOptions::idle, or begins anew. One thread's.
class LiveSource {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Senders at once. The datagrams of others are dropped and counted as unlisted.
  static constexpr std::size_t kMostSenders = 64;
  /// What was dropped or missed is said at most so often.
  static constexpr std::chrono::seconds kSaid{10};
  /// Lines about sessions that begin and end, at once, and then a second. What is more is counted:
  /// a sender that begins anew with every frame must not fill the log.
  static constexpr double kLinesAtOnce = 200.0;
  static constexpr double kLinesPerSecond = 2.0;

  /// Binds. Errors: as check_live(); kResource: the port is taken.
  static Result<std::unique_ptr<LiveSource>> open(LiveOptions options, LiveSurroundings around);

  [[nodiscard]] int descriptor() const { return socket_->get(); }
  /// "vmc 127.0.0.1:39539"
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int port() const { return port_; }

  /// Takes what has come. Call when the descriptor is readable.
  void receive(Time now);
  /// Ends the sessions of silent senders, and says what is due. Call now and then.
  void tidy(Time now);
  /// Ends all sessions: what is pending is still checked.
  void finish();

 private:
  struct Sender {
    std::string peer;  ///< for people
    std::unique_ptr<mocap::Decoder> decoder;
    std::shared_ptr<LiveSession> session;  ///< null: it has none now
    Skeleton skeleton;
    bool refused = false;  ///< until its stream begins anew
    Time retry{};          ///< before it no session is opened again
    Time last{};           ///< its newest datagram
  };

  LiveSource(LiveOptions options, LiveSurroundings around);
  Status bind();
  void take(const sockaddr_in& from, std::string_view datagram, Time now);
  /// Null: there are too many.
  Sender* sender_of(const sockaddr_in& from, std::string_view datagram);
  void take_frame(Sender& sender, mocap::MocapFrame frame, Time now);
  void open_session(Sender& sender, Time now);
  void end_session(Sender& sender, std::string_view why);
  /// Says a line about a session, or counts it. `to`: around_.note or warn; null: it is not said.
  void say(const Log& to, const std::string& line);
  void count(const mocap::MocapCounts& before, const mocap::MocapCounts& now);
  void note_drops(std::uint32_t drops);
  void say_losses(Time now, bool last);

  const LiveOptions options_;
  const LiveSurroundings around_;
  LiveMetrics& metrics_;
  std::optional<Descriptor> socket_;  ///< once it is bound
  int port_ = 0;
  std::string name_;
  std::map<std::string, Sender> senders_;
  std::uint32_t drops_ = 0;  ///< the system's count
  /// Since the last line: what this source has seen, and what was wrong last.
  struct Losses {
    mocap::MocapCounts frames;
    std::uint64_t unlisted = 0;
    std::uint64_t dropped = 0;
    std::uint64_t ignored = 0;
    std::uint64_t unsaid = 0;  ///< lines about sessions
  };
  Losses losses_;
  std::string fault_;
  LeakyCounter lines_{kLinesPerSecond};
  Time said_{};
};

}  // namespace tocsin::service
