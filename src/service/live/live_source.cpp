#include "service/live/live_source.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/json_text.h"

namespace tocsin::service {
namespace {

/// Of the socket. A burst of 64 senders with 4 datagrams each takes 0.4 MiB. The system may allow
/// less (net.core.rmem_max).
constexpr int kReceiveBuffer = 4 << 20;
/// Datagrams taken before the other sources have their turn.
constexpr int kAtOnce = 256;
constexpr std::size_t kMostDatagram = 65'535;
/// A session that could not be opened is tried again after this, with the next frame.
constexpr std::chrono::seconds kRetry{1};

Error no_socket(const std::string& name, std::string_view what) {
  return {ErrorCode::kResource,
          fmt::format("{}: {}: {}", name, what, std::generic_category().message(errno))};
}

std::string address_text(const sockaddr_in& from) {
  std::array<char, INET_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET, &from.sin_addr, text.data(), text.size());
  return text.data();
}

/// What tells senders of one address apart; empty: nothing.
std::string part_of(LiveProtocol protocol, std::string_view datagram) {
  if (protocol == LiveProtocol::kXsens && datagram.size() > 16) {
    return fmt::format(" character {}", static_cast<unsigned char>(datagram[16]));
  }
  if (protocol == LiveProtocol::kPlain && datagram.size() >= 12) {
    std::uint32_t stream = 0;
    for (std::size_t i = 12; i-- > 8;) {
      stream = stream << 8U | static_cast<unsigned char>(datagram[i]);
    }
    return fmt::format(" stream {}", stream);
  }
  return {};
}

}  // namespace

LiveSource::LiveSource(LiveOptions options, LiveSurroundings around)
    : options_(std::move(options)),
      around_(std::move(around)),
      metrics_(around_.engine.metrics().live[static_cast<std::size_t>(options_.protocol)]) {}

Result<std::unique_ptr<LiveSource>> LiveSource::open(LiveOptions options, LiveSurroundings around) {
  if (auto sound = check_live(options); !sound) return sound.error();
  std::unique_ptr<LiveSource> out(new LiveSource(std::move(options), std::move(around)));
  if (auto bound = out->bind(); !bound) return bound.error();
  return out;
}

Status LiveSource::bind() {
  const std::string_view protocol = kLiveNames[static_cast<std::size_t>(options_.protocol)];
  name_ = fmt::format("{} {}:{}", protocol, options_.address, options_.port);
  const int number = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (number < 0) return no_socket(name_, "no socket");
  Descriptor opened(number);
  const int yes = 1;
  (void)::setsockopt(number, SOL_SOCKET, SO_RXQ_OVFL, &yes, sizeof yes);
  (void)::setsockopt(number, SOL_SOCKET, SO_RCVBUF, &kReceiveBuffer, sizeof kReceiveBuffer);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(options_.port));
  ::inet_pton(AF_INET, options_.address.c_str(), &address.sin_addr);
  if (::bind(number, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return no_socket(name_, "cannot listen");
  }
  socklen_t size = sizeof address;
  if (::getsockname(number, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return no_socket(name_, "cannot listen");
  }
  port_ = ntohs(address.sin_port);
  name_ = fmt::format("{} {}:{}", protocol, options_.address, port_);
  socket_.emplace(opened.release());
  return Nothing{};
}

void LiveSource::receive(Time now) {
  std::vector<char> buffer(kMostDatagram);
  for (int i = 0; i < kAtOnce; ++i) {
    sockaddr_in from{};
    iovec part{buffer.data(), buffer.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(std::uint32_t))> control{};
    msghdr message{};
    message.msg_name = &from;
    message.msg_namelen = sizeof from;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(socket_->get(), &message, 0);
    if (got < 0) return;  // nothing is left, or a fault that the next call has again
    for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr;
         head = CMSG_NXTHDR(&message, head)) {
      if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SO_RXQ_OVFL) continue;
      std::uint32_t drops = 0;
      std::memcpy(&drops, CMSG_DATA(head), sizeof drops);
      note_drops(drops);
    }
    take(from, {buffer.data(), static_cast<std::size_t>(got)}, now);
  }
}

void LiveSource::note_drops(std::uint32_t drops) {
  const std::uint32_t more = drops - std::exchange(drops_, drops);
  metrics_.dropped.add(more);
  losses_.dropped += more;
}

void LiveSource::take(const sockaddr_in& from, std::string_view datagram, Time now) {
  metrics_.datagrams.add();
  const std::uint32_t address = ntohl(from.sin_addr.s_addr);
  const auto listed = [&](const SenderRange& range) { return range.holds(address); };
  const bool may = options_.from.empty()
                       ? address >> 24U == 127
                       : std::any_of(options_.from.begin(), options_.from.end(), listed);
  Sender* const sender = may ? sender_of(from, datagram) : nullptr;
  if (sender == nullptr) {
    metrics_.unlisted.add();
    ++losses_.unlisted;
    return;
  }
  sender->last = now;
  const mocap::MocapCounts before = sender->decoder->counts();
  std::vector<mocap::MocapFrame> frames;
  const double seconds = std::chrono::duration<double>(now.time_since_epoch()).count();
  sender->decoder->take(datagram, seconds, frames);
  count(before, sender->decoder->counts());
  if (sender->decoder->counts().malformed > before.malformed) {
    fault_ = fmt::format("{}: {}", sender->peer, sender->decoder->fault());
  }
  for (mocap::MocapFrame& frame : frames) take_frame(*sender, std::move(frame), now);
}

LiveSource::Sender* LiveSource::sender_of(const sockaddr_in& from, std::string_view datagram) {
  const std::string peer = address_text(from) + part_of(options_.protocol, datagram);
  const auto known = senders_.find(peer);
  if (known != senders_.end()) return &known->second;
  if (senders_.size() >= kMostSenders) return nullptr;
  Sender made;
  made.peer = peer;
  made.decoder = make_decoder(options_);
  return &senders_.emplace(peer, std::move(made)).first->second;
}

void LiveSource::count(const mocap::MocapCounts& before, const mocap::MocapCounts& now) {
  const auto add = [&](std::uint64_t mocap::MocapCounts::*which, Count& to) {
    to.add(now.*which - before.*which);
    losses_.frames.*which += now.*which - before.*which;
  };
  using Counts = mocap::MocapCounts;
  add(&Counts::malformed, metrics_.malformed);
  add(&Counts::unknown, metrics_.unknown);
  add(&Counts::frames, metrics_.frames);
  add(&Counts::missed, metrics_.missed);
  add(&Counts::late, metrics_.late);
  add(&Counts::incomplete, metrics_.incomplete);
  add(&Counts::held, metrics_.held);
  add(&Counts::untimed, metrics_.untimed);
}

void LiveSource::take_frame(Sender& sender, mocap::MocapFrame frame, Time now) {
  if (frame.begins) {
    end_session(sender, "it begins anew");
    sender.skeleton = std::move(frame.skeleton);
    sender.refused = false;
    sender.retry = now;
  }
  if (!sender.session && !sender.refused && now >= sender.retry) open_session(sender, now);
  if (!sender.session) {
    metrics_.ignored.add();
    ++losses_.ignored;
    return;
  }
  const auto problem = sender.session->offer({frame.id, frame.time, std::move(frame.pose)}, now);
  if (!problem) return;
  metrics_.ignored.add();
  ++losses_.ignored;
  fault_ = fmt::format("{}: {}", sender.peer, problem->message);
  // An operator's word holds until the sender begins anew.
  sender.refused = problem->refusal == Refusal::kForbidden;
  sender.retry = now + kRetry;
  end_session(sender, problem->message);
}

void LiveSource::open_session(Sender& sender, Time now) {
  TrackOptions options = options_.track;
  options.skeleton = sender.skeleton;
  Problem problem;
  sender.session = LiveSession::open(around_.engine, around_.principal, options,
                                     fmt::format("{} on {}", sender.peer, name_), problem);
  if (!sender.session) {
    sender.retry = now + kRetry;
    fault_ = fmt::format("{}: {}", sender.peer, problem.message);
    return;
  }
  const TrackOpened& opened = sender.session->opened();
  for (const std::string& warning : opened.warnings) {
    say(around_.warn, fmt::format("{}: {}: {}", name_, sender.peer, warning));
  }
  say(around_.note, fmt::format("{}: {} begins session {} in {}: {}, {} links", name_, sender.peer,
                                sender.session->shown(), opened.environment.name, opened.avatar,
                                opened.links.size()));
}

void LiveSource::say(const Log& to, const std::string& line) {
  if (!to) return;
  if (lines_.take(kLinesAtOnce, std::chrono::steady_clock::now())) return to(line);
  ++losses_.unsaid;
}

void LiveSource::end_session(Sender& sender, std::string_view why) {
  if (!sender.session) return;
  sender.session->finish();
  say(around_.note, fmt::format("{}: session {} of {} ends: {}", name_, sender.session->shown(),
                                sender.peer, why));
  sender.session = nullptr;
}

void LiveSource::tidy(Time now) {
  for (auto& entry : senders_) {
    Sender& sender = entry.second;
    const auto problem = sender.session ? sender.session->refusal() : std::nullopt;
    if (!problem) continue;
    sender.refused = problem->refusal == Refusal::kForbidden;
    end_session(sender, problem->message);
  }
  for (auto at = senders_.begin(); at != senders_.end();) {
    if (now - at->second.last < options_.idle) {
      ++at;
      continue;
    }
    end_session(at->second, "nothing came any more");
    at = senders_.erase(at);
  }
  say_losses(now, false);
}

void LiveSource::finish() {
  for (auto& entry : senders_) end_session(entry.second, "the server ends");
  senders_.clear();
  say_losses(said_, true);
}

void LiveSource::say_losses(Time now, bool last) {
  if (!last && now - said_ < kSaid) return;
  const mocap::MocapCounts& frames = losses_.frames;
  std::string text;
  const auto add = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  add(frames.malformed, "malformed datagrams dropped");
  add(losses_.unlisted, "datagrams of senders that are not listed dropped");
  add(losses_.dropped, "datagrams lost here, as they came too fast");
  add(frames.missed, "frames missed");
  add(frames.late, "frames late");
  add(frames.incomplete, "frames incomplete");
  add(frames.held, "joints held");
  add(frames.untimed, "frames without a time");
  add(losses_.ignored, "frames without a session");
  add(losses_.unsaid, "lines about sessions left out");
  if (text.empty() && fault_.empty()) return;
  if (!fault_.empty()) text += fmt::format("{}{}", text.empty() ? "" : "; last: ", fault_);
  if (around_.warn) around_.warn(fmt::format("{}: {}", name_, base::printable(text)));
  losses_ = {};
  fault_.clear();
  said_ = now;
}

}  // namespace tocsin::service
