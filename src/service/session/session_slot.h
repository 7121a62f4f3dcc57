// Counts a session among those of its room, of its principal and of the server.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

#include "service/access/access.h"
#include "service/rooms/room.h"

namespace tocsin::service {

/// Adds one to three counts when it is made, and takes one off when it is released. Movable.
class SessionSlot {
 public:
  SessionSlot() = default;
  SessionSlot(std::shared_ptr<const Room> room, std::shared_ptr<Principal> principal,
              std::shared_ptr<std::atomic<std::size_t>> all)
      : room_(std::move(room)), principal_(std::move(principal)), all_(std::move(all)) {
    ++room_->sessions;
    ++principal_->used->sessions;
    ++*all_;
  }
  SessionSlot(SessionSlot&& other) noexcept
      : room_(std::move(other.room_)),
        principal_(std::move(other.principal_)),
        all_(std::move(other.all_)) {}
  SessionSlot& operator=(SessionSlot&& other) noexcept {
    std::swap(room_, other.room_);
    std::swap(principal_, other.principal_);
    std::swap(all_, other.all_);
    return *this;
  }
  SessionSlot(const SessionSlot&) = delete;
  SessionSlot& operator=(const SessionSlot&) = delete;
  ~SessionSlot() { release(); }

  void release() {
    if (!room_) return;
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
};

}  // namespace tocsin::service
