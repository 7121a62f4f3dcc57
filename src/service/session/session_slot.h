// Counts a session among those of its room, of its principal and of the server.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "service/access/access.h"
#include "service/rooms/room.h"

namespace tocsin::service {

/// Adds one to three counts, and to those of its shapes, when it is made, and takes one off when it
/// is released. Movable.
class SessionSlot {
 public:
  SessionSlot() = default;
  /// `shapes`: those that its links have; a room may come twice.
  SessionSlot(std::shared_ptr<const Room> room, std::shared_ptr<Principal> principal,
              std::shared_ptr<std::atomic<std::size_t>> all,
              std::vector<std::shared_ptr<const Room>> shapes = {})
      : room_(std::move(room)),
        principal_(std::move(principal)),
        all_(std::move(all)),
        shapes_(std::move(shapes)) {
    std::sort(shapes_.begin(), shapes_.end());
    shapes_.erase(std::unique(shapes_.begin(), shapes_.end()), shapes_.end());
    for (const auto& shape : shapes_) ++shape->sessions;
    ++room_->sessions;
    ++principal_->used->sessions;
    ++*all_;
  }
  SessionSlot(SessionSlot&& other) noexcept
      : room_(std::move(other.room_)),
        principal_(std::move(other.principal_)),
        all_(std::move(other.all_)),
        shapes_(std::move(other.shapes_)) {}
  SessionSlot& operator=(SessionSlot&& other) noexcept {
    std::swap(room_, other.room_);
    std::swap(principal_, other.principal_);
    std::swap(all_, other.all_);
    std::swap(shapes_, other.shapes_);
    return *this;
  }
  SessionSlot(const SessionSlot&) = delete;
  SessionSlot& operator=(const SessionSlot&) = delete;
  ~SessionSlot() { release(); }

  void release() {
    if (!room_) return;
    for (const auto& shape : shapes_) --shape->sessions;
    shapes_.clear();
    --room_->sessions;
    --principal_->used->sessions;
    --*all_;
    room_.reset();
    principal_.reset();
    all_.reset();
  }

 private:
  std::shared_ptr<const Room> room_;
  std::shared_ptr<Principal> principal_;
  std::shared_ptr<std::atomic<std::size_t>> all_;
  std::vector<std::shared_ptr<const Room>> shapes_;
};

}  // namespace tocsin::service
