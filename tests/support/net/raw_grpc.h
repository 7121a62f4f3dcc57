// gRPC by hand, over HTTP/2 by hand (RFC 9113, RFC 7541): to send what no gRPC library would, and
// not to do what every library does (read, answer pings, open windows).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/net/raw_socket.h"

namespace tocsin::test {

/// The path of the service's stream.
inline constexpr std::string_view kTrackPath = "/tocsin.v1.CollisionService/Track";

/// Frames of HTTP/2.
enum class Http2 : std::uint8_t {
  kData = 0,
  kHeaders = 1,
  kReset = 3,
  kSettings = 4,
  kPing = 6,
  kGoAway = 7,
  kWindow = 8,
  kContinuation = 9,
};
inline constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
inline constexpr std::uint8_t kEndStream = 1;
inline constexpr std::uint8_t kEndHeaders = 4;

std::string http2_frame(Http2 type, std::uint8_t flags, std::uint32_t stream,
                        std::string_view payload);
/// One SETTINGS frame with this one setting.
std::string http2_setting(std::uint16_t name, std::uint32_t value);
/// The header block of a call.
std::string call_headers(std::string_view path, std::string_view authorization = {});
/// A message with gRPC's five bytes before it; `length`: if another than the message's own is told.
std::string grpc_message(std::string_view message, std::uint8_t compressed = 0,
                         std::optional<std::uint32_t> length = {});

/// How a call ended.
struct RawEnd {
  std::optional<int> status;  ///< gRPC's; none: the stream was reset, or the connection closed
  std::string message;        ///< gRPC's
  bool hung_up = false;       ///< the connection was closed
  std::string bytes;          ///< all that came
};

/// One call on a connection of its own.
class RawCall {
 public:
  /// `window`: bytes that the server may send us: 0: it cannot answer.
  RawCall(const std::string& address, std::string_view path, std::uint32_t window = 65'535,
          std::string_view authorization = {});

  [[nodiscard]] RawSocket& socket() { return socket_; }
  /// In DATA frames of up to 16 KiB, as the server's windows allow. False: it has hung up, or opens
  /// no window for a minute.
  bool send(std::string_view bytes, bool last = false);
  /// Reads until the call has ended; after `seconds` gives what there is.
  RawEnd end(double seconds);

 private:
  void look_at_frames();

  RawSocket socket_;
  std::string received_;
  std::size_t looked_at_ = 0;  ///< of what was received
  std::int64_t connection_window_ = 65'535;
  std::int64_t stream_window_ = 65'535;
  std::int64_t initial_window_ = 65'535;
};

}  // namespace tocsin::test
