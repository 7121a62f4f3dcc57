#include "devices/cuda/piece_queue.h"

#include <algorithm>

namespace tocsin::devices {

namespace {

/// Steps below which launches cost a device more than the work does. More: devices end at times
/// that differ more. Fewer: a batch takes longer on several devices than on one.
constexpr std::size_t kLeastPiece = 4096;

std::size_t divide_up(std::size_t n, std::size_t by) { return (n + by - 1) / by; }

}  // namespace

PieceQueue::PieceQueue(std::span<const cuda::BatchItem> items, bool meet, std::size_t devices)
    : items_(items),
      meet_(meet),
      devices_(devices),
      least_(std::min(kLeastPiece, divide_up(items.size(), devices))) {}

std::size_t PieceQueue::useful_devices() const {
  std::size_t pieces = 0;
  for (std::size_t i = 0; i < items_.size() && pieces < devices_; i = end_of(i)) ++pieces;
  return pieces;
}

std::size_t PieceQueue::end_of(std::size_t begin) const {
  const std::size_t left = items_.size() - begin;
  if (devices_ == 1) return items_.size();
  // Half of what is left, in equal parts: the rest evens out what the devices differ by.
  std::size_t end = begin + std::min(left, std::max(least_, left / (2 * devices_)));
  while (meet_ && end < items_.size() && items_[end].group == items_[end - 1].group) ++end;
  return end;
}

std::optional<Piece> PieceQueue::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return abandoned_ || next_ < items_.size() || !returned_.empty() || taken_ == 0;
  });
  if (abandoned_) return std::nullopt;
  Piece out;
  if (!returned_.empty()) {
    out = returned_.back();
    returned_.pop_back();
  } else if (next_ < items_.size()) {
    out = {next_, end_of(next_)};
    next_ = out.end;
  } else {
    return std::nullopt;
  }
  ++taken_;
  return out;
}

void PieceQueue::settle() {
  --taken_;
  changed_.notify_all();
}

void PieceQueue::done() {
  const std::lock_guard lock(mutex_);
  settle();
}

void PieceQueue::give_back(const Piece& rest) {
  const std::lock_guard lock(mutex_);
  if (rest.begin < rest.end) returned_.push_back(rest);
  settle();
}

void PieceQueue::abandon() {
  const std::lock_guard lock(mutex_);
  abandoned_ = true;
  settle();
}

}  // namespace tocsin::devices
