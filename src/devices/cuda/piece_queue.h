// A batch's pieces, which several devices take one after the other.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "gpu/cuda/stages/batch_item.h"

namespace tocsin::devices {

/// Items `begin` to `end` - 1 of a batch.
struct Piece {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Whoever has finished a piece takes the next one, so a faster device checks more of them. Pieces
/// get smaller towards the end, so that devices end together. Thread-safe.
class PieceQueue {
 public:
  /// With `meet` items of one group follow each other and stay together. `devices`: at least 1. Of
  /// a single device the batch is one piece.
  PieceQueue(std::span<const cuda::BatchItem> items, bool meet, std::size_t devices);

  /// How many devices can have a piece at the same time, at most.
  [[nodiscard]] std::size_t useful_devices() const;
  /// The next piece. Waits while there is none but a device that fails may give one back. None:
  /// everything is answered, or abandoned. A taken piece ends with one of the three calls below.
  [[nodiscard]] std::optional<Piece> take();
  void done();
  /// The device has failed, and leaves this to others.
  void give_back(const Piece& rest);
  /// Nobody takes anything any more.
  void abandon();

 private:
  /// The end of the piece that begins at `begin`.
  [[nodiscard]] std::size_t end_of(std::size_t begin) const;
  void settle();

  std::span<const cuda::BatchItem> items_;
  bool meet_;
  std::size_t devices_;
  std::size_t least_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0;         ///< the first item that no thread has taken
  std::vector<Piece> returned_;  ///< of devices that have failed
  std::size_t taken_ = 0;        ///< pieces under way
  bool abandoned_ = false;
};

}  // namespace tocsin::devices
