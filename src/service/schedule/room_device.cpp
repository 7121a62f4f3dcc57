#include "service/schedule/room_device.h"

#include <fmt/format.h>

#include <algorithm>

namespace tocsin::service {

RoomDevice::RoomDevice(std::string room, Detector detector, Log log)
    : room_(std::move(room)),
      detector_(std::move(detector)),
      backend_(detector_.backend_name()),
      log_(std::move(log)),
      name_(detector_.device_name()) {}

std::shared_ptr<BatchGroup> RoomDevice::find(const Ask& ask) const {
  for (const Entry& entry : groups_) {
    if (!(entry.ask == ask)) continue;
    if (auto out = entry.group.lock()) return out;
  }
  return nullptr;
}

bool RoomDevice::is_full(const Ask& ask) {
  std::erase_if(groups_, [](const Entry& entry) { return entry.group.expired(); });
  const Ask plain = ask_of(detector_.options());
  if (ask == plain) return false;
  const auto special = std::count_if(groups_.begin(), groups_.end(),
                                     [&](const Entry& entry) { return !(entry.ask == plain); });
  return static_cast<std::size_t>(special) >= kMostGroups;
}

std::shared_ptr<BatchGroup> RoomDevice::group(const DetectorOptions& asked) {
  if (!works_) return nullptr;
  const Ask ask = ask_of(asked);
  {
    const std::lock_guard lock(mutex_);
    if (auto out = find(ask)) return out;
    if (is_full(ask)) return nullptr;
  }
  // Without the lock, because this waits until the device has done its batch.
  auto detector = ask == ask_of(detector_.options()) ? Result<Detector>(detector_)
                                                     : detector_.with_options(asked);
  if (!detector) return nullptr;
  std::shared_ptr<BatchGroup> made(new BatchGroup{shared_from_this(), std::move(detector).value()});
  const std::lock_guard lock(mutex_);
  if (auto out = find(ask)) return out;
  if (is_full(ask)) return nullptr;
  groups_.push_back({ask, made});
  return made;
}

std::string RoomDevice::name() const {
  const std::lock_guard lock(mutex_);
  return name_;
}

std::string RoomDevice::fallback() const {
  const std::lock_guard lock(mutex_);
  return fallback_;
}

void RoomDevice::update(Detector& detector) {
  const std::string said = detector.fallback();
  if (!works_ || said.empty()) return;
  auto again = detector.with_options(detector.options());
  std::string why = again ? again->fallback() : again.error().message;
  if (why.empty()) {
    detector = std::move(again).value();
    note_left(detector.device_name(), said);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    if (!works_) return;
    fallback_ = std::move(why);
    works_ = false;
  }
  if (log_) {
    log_(fmt::format("room {}: the CPU checks from here on, as {} ({}) failed: {}", room_, backend_,
                     name(), fallback()));
  }
}

void RoomDevice::note_left(const std::string& devices, const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    if (name_ == devices) return;
    name_ = devices;
  }
  if (log_)
    log_(fmt::format("room {}: {} ({}) checks from here on: {}", room_, backend_, devices, why));
}

}  // namespace tocsin::service
