#include "gpu/cuda/stages/check_pieces.h"

#include <tbb/task_group.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace tocsin::cuda {

namespace {

/// Work that another thread does, or the caller where it waits for it.
class Beside {
 public:
  template <class F>
  explicit Beside(F f) {
    group_.run(std::move(f));
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  /// If the caller's own work throws, what was done beside it counts, and what went wrong with it
  /// does not.
  ~Beside() {
    try {
      join();
    } catch (...) {  // NOLINT(bugprone-empty-catch)
    }
  }
  /// Throws what the work has thrown.
  void join() { group_.wait(); }

 private:
  tbb::task_group group_;
};

class Run {
 public:
  Run(PieceCheck& check, const PiecesAsked& asked) : check_(check), asked_(asked) {}

  bool all() {
    check_.begin_batch(asked_.items.size());
    pack_to(1);
    for (std::size_t piece = 0; piece < begins_.size(); ++piece) {
      if (asked_.stop.stop_requested()) return false;
      upload_to(piece + 1);
      check_.begin(piece, asked_.room);
      if (asked_.overlap) {
        finish_beside_others(piece);
      } else {
        finish(piece);
      }
      if (asked_.stop.stop_requested()) return false;
      const bool last = begins_.size() == piece + 1;
      if (!asked_.overlap || last) take(piece, check_.found(piece));
      if (!asked_.overlap) pack_to(piece + 2);
    }
    return true;
  }

 private:
  void finish(std::size_t piece) { check_.finish(piece, asked_.room, asked_.options, asked_.stop); }
  void finish_beside_others(std::size_t piece) {
    upload_to(std::min(piece + 2, begins_.size()));
    // The device has work by now: there is time to wait for copies of the piece before.
    std::optional<PieceFound> found;
    if (piece > 0) found.emplace(check_.found(piece - 1));
    Beside beside([&] {
      if (found) take(piece - 1, *found);
      pack_to(piece + 1 + PieceCheck::kPackedAhead);
    });
    finish(piece);
    beside.join();
  }

  /// So many pieces, if there are.
  void pack_to(std::size_t count) {
    while (begins_.size() < count && packed_ < asked_.items.size()) {
      const std::size_t size = asked_.size_at(packed_);
      check_.pack(begins_.size(), asked_.room, asked_.items.subspan(packed_, size), packed_,
                  asked_.options);
      begins_.push_back(packed_);
      packed_ += size;
    }
  }
  void upload_to(std::size_t count) {
    for (; uploaded_ < count; ++uploaded_) check_.upload(uploaded_);
  }
  void take(std::size_t piece, const PieceFound& found) const {
    asked_.take(found, begins_[piece], found.tallies.size());
  }

  PieceCheck& check_;
  const PiecesAsked& asked_;
  std::vector<std::size_t> begins_;  ///< of pieces that are packed: their first items
  std::size_t packed_ = 0;           ///< items
  std::size_t uploaded_ = 0;         ///< pieces
};

}  // namespace

bool check_pieces(PieceCheck& check, const PiecesAsked& asked) { return Run(check, asked).all(); }

}  // namespace tocsin::cuda
