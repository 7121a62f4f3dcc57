#include "service/rpc/listener.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace tocsin::service {
namespace {

using std::chrono::milliseconds;

/// Connections that the system accepts before the loop does. More wait at their clients.
constexpr int kBacklog = 512;
/// Time until the loop looks for free descriptors again. Shorter: it costs processor time. Longer:
/// clients wait.
constexpr milliseconds kPause{50};
/// Milliseconds that sent bytes may stay unconfirmed, as gRPC's own sockets have it with our
/// keepalive: a machine that has vanished does not hold its connection for longer.
constexpr int kUnconfirmed = 10'000;

std::string text_of(int error) { return std::generic_category().message(error); }

Error failed(int error) { return {ErrorCode::kResource, text_of(error)}; }

/// An old socket file, whose server is gone (check_socket_file). Nothing else is removed.
void remove_socket_file(const std::string& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) == 0 && S_ISSOCK(found.st_mode)) ::unlink(path.c_str());
}

/// The system's number of a file; 0: there is none.
ino_t number_of(const std::string& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0 ? found.st_ino : 0;
}

void set_on(int socket, int level, int option, int value) {
  ::setsockopt(socket, level, option, &value, sizeof(value));
}

/// The same machine's address under which a listening socket is reached.
void make_reachable(sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    auto& v4 = reinterpret_cast<sockaddr_in&>(address);
    if (v4.sin_addr.s_addr == htonl(INADDR_ANY)) v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  }
  if (address.ss_family == AF_INET6) {
    auto& v6 = reinterpret_cast<sockaddr_in6&>(address);
    if (IN6_IS_ADDR_UNSPECIFIED(&v6.sin6_addr)) v6.sin6_addr = in6addr_loopback;
  }
}

/// The same, as an address from which a socket can connect: any port, no file.
std::pair<sockaddr_storage, socklen_t> any_like(sockaddr_storage address, socklen_t size) {
  set_port(address, 0);
  if (address.ss_family == AF_UNIX) size = sizeof(sa_family_t);  // the system chooses a name
  return {address, size};
}

bool is_transient(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

}  // namespace

Listener::Listener(const ConnectionLimits& limits, Log log)
    : log_(std::move(log)), counts_(limits) {}

Result<std::unique_ptr<Listener>> Listener::open(const ListenAddress& address,
                                                 const ConnectionLimits& limits, Log log) {
  std::unique_ptr<Listener> out(new Listener(limits, std::move(log)));
  if (out->waker_.descriptor() < 0) return failed(errno);
  if (Status bound = out->bind_to(address); !bound) return bound.error();
  return out;
}

Listener::~Listener() {
  stop();
  if (!file_.empty() && number_of(file_) == file_number_) remove_socket_file(file_);
}

Status Listener::bind_to(const ListenAddress& address) {
  if (!address.path.empty()) {
    remove_socket_file(address.path);
    const sockaddr_un file = address_of_file(address.path);
    const char* const owner_only = address.owner_only ? address.path.c_str() : nullptr;
    Status added = add(reinterpret_cast<const sockaddr*>(&file), sizeof(file), owner_only);
    if (!added) return added;
    file_ = address.path;
    file_number_ = number_of(file_);
    return added;
  }
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(address.port);
  // Both families: a machine without IPv6 falls back on the other below.
  const bool any = address.host == "0.0.0.0";
  for (const std::string& host : any ? std::vector<std::string>{"::", address.host}
                                     : std::vector<std::string>{address.host}) {
    const int wrong = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
    if (wrong != 0) return {ErrorCode::kResource, ::gai_strerror(wrong)};
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> list(found, &::freeaddrinfo);
    Status last = Nothing{};
    for (const addrinfo* at = list.get(); at != nullptr; at = at->ai_next) {
      last = add(at->ai_addr, at->ai_addrlen);
      if (!last && last.error().message == text_of(EADDRINUSE)) return last;
    }
    if (!sockets_.empty()) return Nothing{};
    if (!last && host == address.host) return last;
  }
  return failed(EADDRNOTAVAIL);
}

/// Sockets after the first one get its port, if any port was asked for. `owner_only`: the socket
/// file, if nobody but its owner may connect.
Status Listener::add(const sockaddr* address, socklen_t size, const char* owner_only) {
  sockaddr_storage own{};
  std::memcpy(&own, address, size);
  if (port_ != 0) set_port(own, port_);
  Descriptor socket(::socket(own.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket.get() < 0) return failed(errno);
  set_on(socket.get(), SOL_SOCKET, SO_REUSEADDR, 1);
  if (own.ss_family == AF_INET6) set_on(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, 0);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&own), size) != 0) {
    return failed(errno);
  }
  // Before anybody can connect.
  if (owner_only != nullptr && ::chmod(owner_only, S_IRUSR | S_IWUSR) != 0) return failed(errno);
  if (::listen(socket.get(), kBacklog) != 0) return failed(errno);
  socklen_t room = sizeof(own);
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own), &room) != 0) {
    return failed(errno);
  }
  port_ = port_number(own);
  sockets_.push_back(std::move(socket));
  return Nothing{};
}

void Listener::start(Take take) {
  take_ = std::move(take);
  thread_ = std::thread([this] { run(); });
}

void Listener::stop() {
  if (!thread_.joinable()) return;
  stopping_ = true;
  waker_.wake();
  thread_.join();
  sockets_.clear();
}

void Listener::run() {
  std::vector<pollfd> wait;
  wait.push_back({waker_.descriptor(), POLLIN, 0});
  for (const Descriptor& socket : sockets_) wait.push_back({socket.get(), POLLIN, 0});
  while (!stopping_) {
    if (::poll(wait.data(), wait.size(), -1) < 0) continue;
    bool waits = false;
    for (std::size_t i = 1; i < wait.size() && !stopping_; ++i) {
      if (wait[i].revents != 0 && !accept_from(wait[i].fd)) waits = true;
    }
    // Connections are pending, and nothing says when a descriptor is free.
    if (waits) ::poll(wait.data(), 1, static_cast<int>(kPause.count()));
  }
}

/// False: the system lacks something that may be free later.
bool Listener::accept_from(int socket) {
  sockaddr_storage peer{};
  socklen_t size = sizeof(peer);
  Descriptor connection(
      ::accept4(socket, reinterpret_cast<sockaddr*>(&peer), &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
  const bool is_short = connection.get() < 0 && is_transient(errno);
  if (is_short && !std::exchange(short_of_descriptors_, true) && log_) {
    log_(fmt::format("no more clients can connect for now: {}", text_of(errno)));
  }
  if (is_short) return false;
  if (connection.get() < 0) return true;  // the client has gone, or was taken before
  short_of_descriptors_ = false;
  if (!is_own(peer, size)) admit(std::move(connection), peer);
  return true;
}

void Listener::admit(Descriptor connection, const sockaddr_storage& peer) {
  if (!counts_.enter(connection.get(), peer_of(peer))) {
    ++refused_connections_;
    if (!std::exchange(refusing_, true) && log_) {
      log_("connections are refused: there are too many, in all or of one address");
    }
    return;
  }
  refusing_ = false;
  ++accepted_connections_;
  if (peer.ss_family != AF_UNIX) {
    set_on(connection.get(), IPPROTO_TCP, TCP_NODELAY, 1);
    set_on(connection.get(), IPPROTO_TCP, TCP_USER_TIMEOUT, kUnconfirmed);
  }
  take_(connection.release());
}

/// The connection of answers() ends here.
bool Listener::is_own(const sockaddr_storage& peer, socklen_t size) {
  const std::scoped_lock lock(mutex_);
  if (own_.size() != size || std::memcmp(own_.data(), &peer, size) != 0) return false;
  own_.clear();
  accepted_.notify_all();
  return true;
}

bool Listener::answers(milliseconds timeout) {
  if (sockets_.empty()) return false;
  sockaddr_storage there{};
  socklen_t size = sizeof(there);
  if (::getsockname(sockets_.front().get(), reinterpret_cast<sockaddr*>(&there), &size) != 0) {
    return false;
  }
  make_reachable(there);
  const auto [here, length] = any_like(there, size);
  const Descriptor probe(::socket(there.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (probe.get() < 0 ||
      ::bind(probe.get(), reinterpret_cast<const sockaddr*>(&here), length) != 0) {
    return false;
  }
  sockaddr_storage own{};
  socklen_t own_size = sizeof(own);
  if (::getsockname(probe.get(), reinterpret_cast<sockaddr*>(&own), &own_size) != 0) return false;
  std::unique_lock lock(mutex_);
  const char* const bytes = reinterpret_cast<const char*>(&own);
  own_.assign(bytes, bytes + own_size);
  const bool connects =
      ::connect(probe.get(), reinterpret_cast<const sockaddr*>(&there), size) == 0 ||
      errno == EINPROGRESS;
  const bool answered =
      connects && accepted_.wait_for(lock, timeout, [this] { return own_.empty(); });
  own_.clear();
  return answered;
}

}  // namespace tocsin::service
