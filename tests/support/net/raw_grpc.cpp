#include "support/net/raw_grpc.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

namespace tocsin::test {
namespace {

std::string big_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
  return out;
}

/// SETTINGS_INITIAL_WINDOW_SIZE.
constexpr std::uint16_t kInitialWindow = 4;

/// Big-endian.
std::uint32_t number_at(std::string_view text, std::size_t at, std::size_t bytes) {
  std::uint32_t out = 0;
  for (std::size_t i = at; i < at + bytes; ++i) {
    out = out << 8U | static_cast<unsigned char>(text[i]);
  }
  return out;
}

/// RFC 7541, 5.2, without Huffman; for texts of less than 127 + 128 bytes.
std::string text(std::string_view value) {
  std::string out;
  if (value.size() < 127) {
    out += static_cast<char>(value.size());
  } else {
    out += '\x7F';
    out += static_cast<char>(value.size() - 127);
  }
  out += value;
  return out;
}

/// A literal that is not indexed, with a name of its own.
std::string header(std::string_view name, std::string_view value) {
  return std::string(1, '\0') + text(name) + text(value);
}

/// The value of a literal header in a header block, if it is there and not Huffman-coded: what
/// gRPC's C core sends.
std::optional<std::string> literal(std::string_view bytes, std::string_view name) {
  const std::size_t at = bytes.rfind(name);
  if (at == std::string_view::npos) return std::nullopt;
  std::size_t i = at + name.size();
  const auto byte = [&](std::size_t k) {
    return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0U;
  };
  std::size_t length = byte(i++);
  if (length == 127) {
    int shift = 0;
    do {
      length += static_cast<std::size_t>(byte(i) & 0x7FU) << shift;
      shift += 7;
    } while ((byte(i++) & 0x80U) != 0 && shift < 28);
  }
  if (i > bytes.size()) return std::nullopt;
  return std::string(bytes.substr(i, length));
}

/// Whether the frame that ends the call is among these, all of it: a header block after which
/// nothing comes, or a reset.
bool has_ended(std::string_view frames) {
  constexpr std::size_t kHead = 9;
  while (frames.size() >= kHead) {
    const std::size_t size = kHead + number_at(frames, 0, 3);
    if (frames.size() < size) return false;
    const auto type = static_cast<Http2>(frames[3]);
    const bool is_last = (static_cast<unsigned char>(frames[4]) & kEndStream) != 0;
    if (type == Http2::kReset || (type == Http2::kHeaders && is_last)) return true;
    frames.remove_prefix(size);
  }
  return false;
}

}  // namespace

std::string http2_frame(Http2 type, std::uint8_t flags, std::uint32_t stream,
                        std::string_view payload) {
  std::string out = big_endian(payload.size(), 3);
  out += static_cast<char>(type);
  out += static_cast<char>(flags);
  out += big_endian(stream, 4);
  out += payload;
  return out;
}

std::string http2_setting(std::uint16_t name, std::uint32_t value) {
  return http2_frame(Http2::kSettings, 0, 0, big_endian(name, 2) + big_endian(value, 4));
}

std::string call_headers(std::string_view path, std::string_view authorization) {
  std::string out = "\x83\x86";  // :method POST, :scheme http
  out += '\x04';                 // :path
  out += text(path);
  out += '\x01';  // :authority
  out += text("localhost");
  out += header("content-type", "application/grpc") + header("te", "trailers");
  if (!authorization.empty()) out += header("authorization", authorization);
  return out;
}

std::string grpc_message(std::string_view message, std::uint8_t compressed,
                         std::optional<std::uint32_t> length) {
  std::string out(1, static_cast<char>(compressed));
  out += big_endian(length.value_or(static_cast<std::uint32_t>(message.size())), 4);
  out += message;
  return out;
}

RawCall::RawCall(const std::string& address, std::string_view path, std::uint32_t window,
                 std::string_view authorization)
    : socket_(address) {
  socket_.send(kPreface);
  socket_.send(http2_setting(kInitialWindow, window));
  socket_.send(http2_frame(Http2::kHeaders, kEndHeaders, 1, call_headers(path, authorization)));
}

bool RawCall::send(std::string_view bytes, bool last) {
  do {
    const std::string_view part = bytes.substr(0, 16'384);
    bytes.remove_prefix(part.size());
    const auto size = static_cast<std::int64_t>(part.size());
    for (int waits = 0; size > std::min(connection_window_, stream_window_); ++waits) {
      if (waits == 6000 || socket_.hung_up()) return false;
      received_ += socket_.receive_some(0.01);
      look_at_frames();
    }
    connection_window_ -= size;
    stream_window_ -= size;
    const std::uint8_t flags = last && bytes.empty() ? kEndStream : 0;
    if (!socket_.send(http2_frame(Http2::kData, flags, 1, part))) return false;
  } while (!bytes.empty());
  return true;
}

/// Those that open windows.
void RawCall::look_at_frames() {
  const std::string_view all = received_;
  while (all.size() - looked_at_ >= 9) {
    const std::string_view head = all.substr(looked_at_);
    const std::size_t size = number_at(head, 0, 3);
    if (head.size() < 9 + size) return;
    const std::string_view body = head.substr(9, size);
    const auto type = static_cast<Http2>(head[3]);
    if (type == Http2::kWindow && size == 4) {
      (number_at(head, 5, 4) == 0 ? connection_window_ : stream_window_) += number_at(body, 0, 4);
    }
    // Told anew, and not agreed to yet: until then the server counts with the old window.
    if (type == Http2::kSettings && head[4] == 0) {
      socket_.send(http2_frame(Http2::kSettings, 1, 0, {}));
    }
    for (std::size_t i = 0; type == Http2::kSettings && i + 6 <= size; i += 6) {
      if (number_at(body, i, 2) != kInitialWindow) continue;
      stream_window_ += number_at(body, i + 2, 4) - initial_window_;
      initial_window_ = number_at(body, i + 2, 4);
    }
    looked_at_ += 9 + size;
  }
}

RawEnd RawCall::end(double seconds) {
  using std::chrono::steady_clock;
  const auto until = steady_clock::now() + std::chrono::duration<double>(seconds);
  RawEnd out;
  out.bytes = std::move(received_);
  received_.clear();
  looked_at_ = 0;
  while (!has_ended(out.bytes) && !socket_.hung_up() && steady_clock::now() < until) {
    out.bytes += socket_.receive_some(0.1);
  }
  out.hung_up = socket_.hung_up();
  if (const auto status = literal(out.bytes, "grpc-status")) {
    out.status = std::atoi(status->c_str());
  }
  out.message = literal(out.bytes, "grpc-message").value_or("");
  return out;
}

}  // namespace tocsin::test
