#include "app/status/control_client.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "service/rpc/socket_address.h"

namespace tocsin::app {
namespace {

/// A server with 10,000 sessions answers within some 50 ms.
constexpr time_t kMostSeconds = 10;
/// Bytes of an answer: 10,000 sessions are some 4 MB. More: this is no server of ours.
constexpr std::size_t kMostAnswer = std::size_t{64} << 20U;

Error failed(const std::filesystem::path& file, std::string_view why) {
  return {ErrorCode::kResource, fmt::format("{}: {}", file.string(), why)};
}

Error failed(const std::filesystem::path& file, int error) {
  const bool nobody = error == ENOENT || error == ECONNREFUSED;
  return failed(
      file, (nobody ? "no server listens there: " : "") + std::generic_category().message(error));
}

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// All that comes until the other side closes.
bool receive_all(int socket, std::string& out) {
  std::array<char, 16'384> block{};
  while (out.size() < kMostAnswer) {
    const ssize_t count = ::recv(socket, block.data(), block.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) return true;
    out.append(block.data(), static_cast<std::size_t>(count));
  }
  return false;
}

/// HTTP/1.1 with "Connection: close" and a length.
std::optional<ControlAnswer> parse_answer(const std::string& text) {
  constexpr std::string_view kProtocol = "HTTP/1.1 ";
  constexpr std::string_view kHeadEnd = "\r\n\r\n";
  const std::size_t end = text.find(kHeadEnd);
  if (!text.starts_with(kProtocol) || end == std::string::npos) return std::nullopt;
  ControlAnswer out;
  const char* const digits = text.data() + kProtocol.size();
  if (std::from_chars(digits, digits + 3, out.status).ptr != digits + 3) return std::nullopt;
  const std::string length =
      fmt::format("\r\nContent-Length: {}\r\n", text.size() - end - kHeadEnd.size());
  if (text.find(length) > end) return std::nullopt;  // a part is missing
  out.body = text.substr(end + kHeadEnd.size());
  return out;
}

}  // namespace

Result<ControlAnswer> ask_server(const std::filesystem::path& file, std::string_view method,
                                 std::string_view target) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
           c == '-';
  };
  if (!std::all_of(target.begin(), target.end(), fits)) {
    return {ErrorCode::kInput, "a session is named by letters, digits and dashes"};
  }
  if (file.string().size() >= sizeof(sockaddr_un::sun_path)) {
    return {ErrorCode::kUsage, fmt::format("{}: the path of a socket file has at most {} bytes",
                                           file.string(), sizeof(sockaddr_un::sun_path) - 1)};
  }
  const service::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval most{kMostSeconds, 0};
  const sockaddr_un address = service::address_of_file(file.string());
  if (socket.get() < 0) return failed(file, errno);
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
  ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &most, sizeof(most));
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    return failed(file, errno);
  }
  const std::string request =
      fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n\r\n", method, target);
  std::string text;
  if (!send_all(socket.get(), request) || !receive_all(socket.get(), text)) {
    return failed(file, "the server does not answer");
  }
  auto answer = parse_answer(text);
  if (!answer) return failed(file, "what answers there is no server of Tocsin's");
  return std::move(*answer);
}

std::filesystem::path usual_control() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment
  const char* const folder = std::getenv("RUNTIME_DIRECTORY");
  return std::filesystem::path(folder == nullptr ? "/run/tocsin" : folder) / "control.sock";
}

}  // namespace tocsin::app
