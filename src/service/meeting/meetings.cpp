#include "service/meeting/meetings.h"

namespace tocsin::service {

std::shared_ptr<Meeting> Meetings::of(const std::shared_ptr<const Room>& room,
                                      const std::string& circle) {
  const std::lock_guard lock(mutex_);
  std::erase_if(meetings_, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<Meeting>& entry = meetings_[{room.get(), circle}];
  std::shared_ptr<Meeting> out = entry.lock();
  if (out) return out;
  out = std::make_shared<Meeting>(room, rate_, limits_, tally_);
  if (stopped_) out->stop();
  entry = out;
  return out;
}

std::vector<std::shared_ptr<Meeting>> Meetings::all() const {
  std::vector<std::shared_ptr<Meeting>> out;
  const std::lock_guard lock(mutex_);
  out.reserve(meetings_.size());
  for (const auto& [room, entry] : meetings_) {
    if (std::shared_ptr<Meeting> meeting = entry.lock()) out.push_back(std::move(meeting));
  }
  return out;
}

bool Meetings::tick(const std::function<void(const std::shared_ptr<Meeting>&)>& submit) {
  const std::vector<std::shared_ptr<Meeting>> meetings = all();
  for (const std::shared_ptr<Meeting>& meeting : meetings) {
    meeting->watch(std::chrono::steady_clock::now());
    if (meeting->begin_tick()) submit(meeting);
  }
  return !meetings.empty();
}

void Meetings::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  for (const std::shared_ptr<Meeting>& meeting : all()) meeting->stop();
}

std::size_t Meetings::members() const {
  std::size_t out = 0;
  for (const std::shared_ptr<Meeting>& meeting : all()) out += meeting->size();
  return out;
}

}  // namespace tocsin::service
