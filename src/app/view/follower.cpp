#include "app/view/follower.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "app/check/load_job.h"
#include "app/cli/words.h"
#include "app/send/send_connect.h"
#include "base/json_text.h"

namespace tocsin::app {
namespace {

using std::chrono::milliseconds;

/// A watch that is not refused, and of which nothing comes for so long, counts as begun: a window
/// is opened. Shorter: a refusal that is late, on a slow machine, is taken for a lost connection.
constexpr milliseconds kRefusedWithin{10'000};
constexpr milliseconds kFirstFollowPause{500};
constexpr milliseconds kLongestFollowPause{15'000};
/// Sessions that go on are told at once: those that are not by then are over.
constexpr milliseconds kToldWithin{3'000};
constexpr milliseconds kFollowLook{50};
constexpr milliseconds kAskAgain{5'000};

/// Stories are made in a fifth of a processor's time at most, 60 in a second.
constexpr int kRestOfMaking = 4;
constexpr milliseconds kLeastRest{16};

SendOptions reaching(const ShownServer& server) {
  SendOptions out;
  out.connection = server.connection;
  out.token_file = server.token_file;
  return out;
}

}  // namespace

Follower::Follower(const ShownServer& server)
    : server_(server), story_(server.connection.target, server.limits) {}

Result<std::unique_ptr<Follower>> Follower::start(const ShownServer& server) {
  silence_grpc();
  std::unique_ptr<Follower> out(new Follower(server));
  if (!server.room.empty()) {
    CheckOptions reading;
    reading.environments = server.room;
    reading.room = server.reading;
    auto rooms = load_rooms(reading);
    if (!rooms) return rooms.error();
    out->own_room_ = rooms->environment;
    out->own_sha256_ = room_sha256(rooms->environment);
  }
  if (auto connected = connect(reaching(server), out->connection_); !connected) {
    return connected.error();
  }
  out->worker_ = std::jthread([one = out.get()](const std::stop_token& stop) { one->work(stop); });
  Lock lock(out->mutex_);
  out->changed_.wait(lock, [&] { return out->ever_here_ || out->first_problem_; });
  if (out->first_problem_) return *out->first_problem_;
  return {std::move(out)};
}

Follower::~Follower() {
  worker_.request_stop();
  changed_.notify_all();
}

double Follower::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

std::shared_ptr<const view::Story> Follower::latest() {
  const std::scoped_lock lock(mutex_);
  const Clock::time_point now = Clock::now();
  const bool is_old = !made_ || (made_changes_ != story_.changes() && now >= make_after_);
  if (!is_old) return made_;
  made_changes_ = story_.changes();
  made_ = story_.make();
  const auto took = Clock::now() - now;
  make_after_ = now + std::max<Clock::duration>(kLeastRest, (1 + kRestOfMaking) * took);
  return made_;
}

std::optional<view::LiveCounts> Follower::live() const {
  const std::scoped_lock lock(mutex_);
  return story_.counts();
}

std::vector<std::string> Follower::lines() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> out;
  out.push_back(trouble_.empty() ? "connected to " + server_.connection.target : trouble_);
  if (!room_text_.empty()) out.push_back(room_text_);
  if (!room_problem_.empty()) out.push_back(room_problem_);
  for (std::string& line : story_.lines()) out.push_back(std::move(line));
  for (std::string& line : out) line = base::printable(line);
  return out;
}

void Follower::arrived() {
  if (std::exchange(here_, true)) return;
  ever_here_ = true;
  trouble_.clear();
  story_.connected();
  changed_.notify_all();
}

WatchHandler Follower::handler() {
  WatchHandler out;
  out.begun = [this] {
    const std::scoped_lock lock(mutex_);
    arrived();
  };
  out.session = [this](const WatchedSession& one) {
    const std::scoped_lock lock(mutex_);
    arrived();
    story_.session(one);
    if (one.shapes_left_out) shapes_of_.push_back(one);
    changed_.notify_all();
  };
  out.step = [this](const WatchedStep& one) {
    const std::scoped_lock lock(mutex_);
    arrived();
    story_.step(one, seconds());
  };
  out.stream = [this](const WatchedStream& one) {
    const std::scoped_lock lock(mutex_);
    story_.stream(one);
  };
  out.ended = [this](const WatchedEnd& one) {
    const std::scoped_lock lock(mutex_);
    story_.ended(one);
  };
  out.skipped = [this](std::uint64_t events) {
    const std::scoped_lock lock(mutex_);
    arrived();
    story_.skipped(events);
  };
  out.over = [this](StreamEnd end, const Error& error) {
    const std::scoped_lock lock(mutex_);
    over_ = true;
    end_ = error;
    if (end == StreamEnd::kClosing) end_.message = "the server has shut down";
    changed_.notify_all();
  };
  return out;
}

void Follower::work(const std::stop_token& stop) {
  milliseconds pause = kFirstFollowPause;
  while (!stop.stop_requested()) {
    watch_once(stop);
    if (stop.stop_requested()) return;
    Lock lock(mutex_);
    if (!ever_here_) {
      first_problem_ = with_hint(end_, reaching(server_));
      changed_.notify_all();
      return;
    }
    pause = here_ ? kFirstFollowPause : std::min(2 * pause, kLongestFollowPause);
    story_.lost();
    here_ = false;
    const auto until = Clock::now() + pause;
    while (!stop.stop_requested() && Clock::now() < until) {
      const auto left = std::chrono::duration<double>(until - Clock::now()).count();
      trouble_ =
          fmt::format("no connection, again in {:.0f} s: {}", std::max(1.0, left), end_.message);
      changed_.wait_for(lock, kFollowLook);
    }
  }
}

void Follower::watch_once(const std::stop_token& stop) {
  {
    const std::scoped_lock lock(mutex_);
    over_ = false;
    here_ = false;
  }
  auto watch = connection_.front().watch(server_.what, handler());
  Lock lock(mutex_);
  if (!watch) {
    end_ = watch.error();
    return;
  }
  const auto begun = Clock::now();
  bool forgets = true;
  while (!over_ && !stop.stop_requested()) {
    changed_.wait_for(lock, kFollowLook);
    const auto gone = Clock::now() - begun;
    if (!here_ && !over_ && gone >= kRefusedWithin) arrived();
    if (here_ && std::exchange(forgets, forgets && gone < kToldWithin) && gone >= kToldWithin) {
      story_.forget_absent();
    }
    if (!here_ || over_) continue;
    fetch_room(lock, stop);
    fetch_avatar(lock, stop);
  }
  lock.unlock();  // its last call takes it
}

Result<WatchedRoom> Follower::room_of(const view::MissingRoom& missing,
                                      const std::stop_token& stop) {
  const Connection& server = connection_.front();
  const RoomSource which{{}, missing.session};
  if (own_room_) {
    const auto head = server.room_head(which);
    if (!head) return head.error();
    if (head->sha256 == own_sha256_) return WatchedRoom{head->info, *own_room_, {}, own_sha256_};
  }
  const WatchedRoom* const before =
      last_room_ && last_room_->info.revision == missing.key.revision ? &*last_room_ : nullptr;
  return server.download_room(which, before, kMostDownloadBytes, stop);
}

void Follower::fetch_room(Lock& lock, const std::stop_token& stop) {
  const auto missing = story_.missing_room();
  if (!missing || Clock::now() < ask_room_after_) return;
  room_text_ = fmt::format("downloading the room {} ...", missing->key.name);
  lock.unlock();
  Result<WatchedRoom> room = Error{ErrorCode::kResource, "out of memory"};
  std::shared_ptr<const view::Sight> sight;
  try {
    room = room_of(*missing, stop);
    if (room) sight = std::make_shared<const view::Sight>(room->environment);
  } catch (const std::bad_alloc&) {
    room = Error{ErrorCode::kResource, "out of memory"};
  }
  lock.lock();
  if (!room) {
    room_text_ =
        fmt::format("the room {} is not here: {}", missing->key.name, room.error().message);
    ask_room_after_ = Clock::now() + kAskAgain;
    return;
  }
  const bool own = own_room_ && room->sha256 == own_sha256_;
  room_problem_ = own_room_ && !own
                      ? fmt::format("{} is not the server's room: downloaded", listed(server_.room))
                      : std::string();
  room_text_ = fmt::format(
      "room {}: {}{}", room->info.name,
      count_of(static_cast<std::int64_t>(room->environment.triangles().size()), "triangle"),
      room->info.changeable ? fmt::format(", version {}", room->info.version)
      : own                 ? ", of --room"
                            : ", downloaded");
  story_.put_room(missing->key, room->info.version, room->environment, std::move(sight));
  last_room_ = std::move(room).value();
}

void Follower::fetch_avatar(Lock& lock, const std::stop_token& stop) {
  while (!shapes_of_.empty() && !stop.stop_requested()) {
    const WatchedSession session = std::move(shapes_of_.back());
    shapes_of_.pop_back();
    lock.unlock();
    auto avatar = connection_.front().download_avatar(session, kMostDownloadBytes, stop);
    lock.lock();
    if (avatar) {
      story_.put_avatar(session.session, std::move(avatar).value());
    } else {
      room_problem_ = fmt::format("shapes of {} are drawn as the capsules that hold them: {}",
                                  session.session, avatar.error().message);
    }
  }
}

}  // namespace tocsin::app
