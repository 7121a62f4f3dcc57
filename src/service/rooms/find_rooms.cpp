// Which rooms and shapes there are for whom: the other half of environments.cpp.
#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "base/quoted.h"
#include "service/rooms/environments.h"
#include "service/rooms/room_files.h"

namespace tocsin::service {
namespace {

/// Names in a message.
constexpr std::size_t kMostNames = 10;

std::string named_list(const std::map<std::string, std::shared_ptr<const Room>>& rooms) {
  std::string out;
  std::size_t count = 0;
  for (const auto& [name, room] : rooms) {
    if (count++ == kMostNames) return out + ", ...";
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

}  // namespace

std::shared_ptr<const Room> Environments::find_equal(const Principal& principal,
                                                     std::span<const std::string> hashes,
                                                     const EnvironmentOptions& options) const {
  const std::scoped_lock lock(mutex_);
  for (const auto& [name, room] : visible_to(principal, false)) {
    if (room->options.scale != options.scale || room->options.up != options.up) continue;
    if (room->scene) continue;  // it may have changed since
    if (have_hashes(room->files, hashes)) return room;
  }
  return nullptr;
}

std::set<std::filesystem::path> Environments::stored_files() const {
  std::set<std::filesystem::path> out;
  const auto add = [&out](const Room& room) {
    for (const RoomFile& file : room.files) out.insert(file.stored);
  };
  const std::scoped_lock lock(mutex_);
  for (const auto& [key, room] : rooms_) add(*room);
  for (const Departed& one : departed_) {
    if (const auto room = one.room.lock()) add(*room);
  }
  return out;
}

std::string Environments::choice(const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  const auto found = rooms_.find(Key(std::string(), name));
  return found == rooms_.end() ? std::string() : found->second->choice;
}

bool Environments::is_taken(const Principal& principal, const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  return is_held({}, name) || is_held(principal.name, name);
}

/// Under the lock.
Environments::Visible Environments::visible_to(const Principal& principal, bool shapes) const {
  Visible out;
  for (const auto& [key, room] : rooms_) {
    if (room->shape.empty() == shapes) continue;
    const auto& [owner, name] = key;
    if (owner.empty() || owner == principal.name) {
      out.emplace(name, room);  // the operator's come first
    } else if (!room->shares.empty() && room->shares == principal.shares) {
      out.emplace(owner + "/" + name, room);
    }
  }
  return out;
}

/// Under the lock. Null: the owner has none, or several.
std::shared_ptr<const Room> Environments::only_room_of(const std::string& owner) const {
  std::shared_ptr<const Room> only;
  for (auto at = rooms_.lower_bound(Key(owner, std::string()));
       at != rooms_.end() && at->first.first == owner; ++at) {
    if (!at->second->shape.empty()) continue;
    if (only) return nullptr;
    only = at->second;
  }
  return only;
}

std::vector<EnvironmentInfo> Environments::list() const {
  const std::scoped_lock lock(mutex_);
  std::vector<EnvironmentInfo> out;
  out.reserve(rooms_.size());
  for (const auto& [key, room] : rooms_) out.push_back(room->info());
  return out;
}

std::vector<EnvironmentInfo> Environments::list(const Principal& principal, bool shapes) const {
  const std::scoped_lock lock(mutex_);
  std::vector<EnvironmentInfo> out;
  for (const auto& [name, room] : visible_to(principal, shapes)) {
    out.push_back(room->info());
    out.back().name = name;
  }
  return out;
}

std::shared_ptr<const Room> Environments::find(const Principal& principal, const std::string& name,
                                               std::string& problem) const {
  const std::scoped_lock lock(mutex_);
  const Visible visible = visible_to(principal, false);
  if (visible.empty()) {
    problem = "the server has no room yet";
    return nullptr;
  }
  if (const auto found = visible.find(name); found != visible.end()) return found->second;
  if (!name.empty()) {
    problem = fmt::format("there is no room {}; there are {}", base::in_quotes(name),
                          named_list(visible));
    return nullptr;
  }
  // What others load changes nothing here.
  if (const auto found = rooms_.find(Key({}, policy_.standard)); found != rooms_.end()) {
    return found->second;
  }
  const bool operator_has_some = !rooms_.empty() && rooms_.begin()->first.first.empty();
  if (auto only = only_room_of(operator_has_some ? std::string() : principal.name)) return only;
  problem = fmt::format("which room? There are {}", named_list(visible));
  return nullptr;
}

std::shared_ptr<const Room> Environments::find_shape(const Principal& principal,
                                                     const std::string& name,
                                                     std::string& problem) const {
  const std::scoped_lock lock(mutex_);
  const Visible visible = visible_to(principal, true);
  if (const auto found = visible.find(name); found != visible.end()) return found->second;
  problem = fmt::format("there is no shape {}", base::in_quotes(name)) +
            (visible.empty() ? std::string() : "; there are " + named_list(visible));
  return nullptr;
}

}  // namespace tocsin::service
