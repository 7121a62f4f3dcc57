#include "service/http/connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <new>
#include <utility>

namespace tocsin::service {
namespace {

/// Bytes that are read and thrown away after a head. More: the client is not one of HTTP.
constexpr std::size_t kMostIgnored = 64U << 10U;

bool would_wait() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

std::string head_of(const HttpAnswer& answer) {
  std::string out = "HTTP/1.1 " + status_text(answer.status) + "\r\nContent-Type: " + answer.type;
  if (!answer.stream) out += "\r\nContent-Length: " + std::to_string(answer.body.size());
  out += "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n";
  return out + answer.headers + "\r\n";
}

HttpAnswer refusal(const HttpHead& head, bool posts) {
  HttpAnswer out;
  out.status = head.status;
  out.body = head.cause + "\n";
  if (head.status == 405) out.headers = posts ? "Allow: GET, POST\r\n" : "Allow: GET\r\n";
  return out;
}

HttpAnswer answer_of(const HttpHandler& handler, HttpRequest& request, int socket) {
  try {
    request.peer = peer_text(socket);
    return handler(request);
  } catch (const std::bad_alloc&) {
    HttpAnswer out;
    out.status = 503;
    return out;
  }
}

}  // namespace

short HttpConnection::events() const {
  const bool writes = state_ == State::kAnswering && sent_ < out_.size();
  return static_cast<short>((input_over_ ? 0 : POLLIN) | (writes ? POLLOUT : 0));
}

bool HttpConnection::go_on(Time now, const HttpHandler& handler) {
  if (now >= deadline_) return false;
  if (state_ == State::kReading && !read_head(now, handler)) return false;
  if (state_ == State::kReading) return true;
  if (!ignore_input()) return false;
  if (state_ == State::kEnding) return true;
  return stream_ ? write_stream(now) : write(now);
}

bool HttpConnection::read_head(Time now, const HttpHandler& handler) {
  std::array<char, 4096> block{};
  while (true) {
    const ssize_t count = ::recv(socket_.get(), block.data(), block.size(), 0);
    if (count < 0 && would_wait()) return true;
    if (count <= 0) return false;
    in_.append(block.data(), static_cast<std::size_t>(count));
    HttpHead head = parse_head(in_, limits_.posts);
    if (head.status == 0) continue;
    in_ = {};
    answer(head.status == 200 ? answer_of(handler, head.request, socket_.get())
                              : refusal(head, limits_.posts),
           now);
    return true;
  }
}

void HttpConnection::answer(HttpAnswer answer, Time now) {
  state_ = State::kAnswering;
  deadline_ = now + limits_.answer;
  out_ = head_of(answer) + answer.body;
  stream_ = std::move(answer.stream);
}

/// False: the client has gone, or sends without end. A client that has only closed its side gets
/// the answer, but no stream.
bool HttpConnection::ignore_input() {
  std::array<char, 4096> block{};
  while (!input_over_) {
    const ssize_t count = ::recv(socket_.get(), block.data(), block.size(), 0);
    if (count < 0) return would_wait();
    input_over_ = count == 0;
    ignored_ += static_cast<std::size_t>(count);
    if (ignored_ > kMostIgnored) return false;
  }
  return state_ == State::kAnswering && !stream_;
}

/// False: the client has gone.
bool HttpConnection::write(Time now) {
  while (sent_ < out_.size()) {
    const ssize_t count =
        ::send(socket_.get(), out_.data() + sent_, out_.size() - sent_, MSG_NOSIGNAL);
    if (count < 0) return would_wait();
    sent_ += static_cast<std::size_t>(count);
  }
  if (!stream_) end(now);
  return true;
}

bool HttpConnection::write_stream(Time now) {
  if (sent_ == out_.size()) {
    out_.clear();
    sent_ = 0;
    deadline_ = now + limits_.answer;
    if (!stream_->next(out_)) return false;
  }
  return write(now);
}

/// A socket that is closed with unread input resets the connection, and the answer may be lost. So
/// the client closes first.
void HttpConnection::end(Time now) {
  ::shutdown(socket_.get(), SHUT_WR);
  state_ = State::kEnding;
  deadline_ = now + limits_.linger;
  out_ = {};
}

}  // namespace tocsin::service
