// What `tocsin send` is asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/options.h"
#include "app/send/send_tracker.h"
#include "service/metrics/live_metrics.h"
#include "tocsin/client.h"

namespace tocsin::app {

struct SendOptions {
  CheckOptions check;  ///< MOTION and how it is read, the question; environments are not looked at
  ConnectionOptions connection;
  std::string token_file;   ///< whose first line is the token; empty: none
  std::string environment;  ///< name on the server; empty: the only one
  /// Frames a second; none: the motion's; infinite: as fast as it goes.
  std::optional<double> rate;
  int avatars = 1;
  bool one_stream = false;  ///< the avatars of a connection share one stream, and step together
  int connections = 0;      ///< that the avatars share; 0: decided by their number
  double seconds = 0.0;     ///< how long to send, the motion played to and fro; 0: once
  double loss = 0.0;        ///< share of frames that are never sent, 0 to 1
  double jitter = 0.0;      ///< milliseconds that a frame may be late; later ones overtake it
  double duplicates = 0.0;  ///< share of frames that are sent twice
  std::uint64_t seed = 1;   ///< of the three above
  bool coalesce = true;
  double nearest = 0.0;      ///< TrackOptions::nearest
  double lookahead = 0.0;    ///< TrackOptions::lookahead
  bool floats = false;       ///< TrackFrame::floats
  bool linked_only = false;  ///< TrackFrame::linked_only
  TrackerForm tracker = {};  ///< what the take is turned into
  bool meet = false;         ///< the avatars meet each other, and others in the room
  /// As motion capture over UDP; none: over gRPC.
  std::optional<service::LiveProtocol> protocol = std::nullopt;
  double apart = 0.0;    ///< metres between the avatars, on a square grid from their place on
  bool stagger = false;  ///< each begins elsewhere in the take, evenly spread
};

}  // namespace tocsin::app
