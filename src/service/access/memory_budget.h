// One budget of memory for the process.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

namespace tocsin::service {

/// Bytes of memory for each byte of a room's file while it is read and its tree is built, at worst.
/// Smaller: the process may be ended. Larger: large rooms are refused needlessly.
inline constexpr std::uint64_t kReaderMemory = 40;

/// Bytes of memory for each triangle of a link's shape while a session opens: its features, a tree
/// over them and their text in a record, some 450 bytes, and a copy until it is placed; at worst
/// some 1,100. Smaller: the process may be ended. Larger: sessions are refused needlessly.
inline constexpr std::uint64_t kShapeMemory = 1500;

/// Bytes that a server may use if nobody says: three quarters of what the machine, the container
/// (cgroup) or the process (RLIMIT_AS) may have, whichever is least.
std::uint64_t default_memory();

/// Refuses work for which there is no memory: gRPC and protobuf end the process when an allocation
/// fails. What was admitted counts until the system sees it: a hold, and then the process's own
/// resident pages. While far more is free than is asked for, the system is not asked each time:
/// that costs as much as a live step. Thread-safe.
class MemoryBudget {
 public:
  /// `most`: bytes; 0: no limit.
  explicit MemoryBudget(std::uint64_t most = 0) : most_(most) {}

  /// Memory that is about to be used; given back on destruction.
  class Hold {
   public:
    Hold() = default;
    Hold(MemoryBudget& budget, std::uint64_t bytes) : budget_(&budget), bytes_(bytes) {}
    Hold(Hold&& other) noexcept
        : budget_(std::exchange(other.budget_, nullptr)), bytes_(other.bytes_) {}
    Hold& operator=(Hold&& other) noexcept {
      std::swap(budget_, other.budget_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    ~Hold() {
      if (budget_ != nullptr) budget_->held_ -= bytes_;
    }

   private:
    MemoryBudget* budget_ = nullptr;
    std::uint64_t bytes_ = 0;
  };

  /// None: the process would need more than the budget.
  std::optional<Hold> take(std::uint64_t bytes);
  [[nodiscard]] std::uint64_t most() const { return most_; }
  /// True if the process is within the budget now.
  [[nodiscard]] bool is_kept() const;
  /// How often take() gave none.
  [[nodiscard]] std::uint64_t refused() const { return refused_; }

 private:
  const std::uint64_t most_;
  std::atomic<std::uint64_t> held_{0};
  std::atomic<std::uint64_t> refused_{0};
  std::atomic<std::int64_t> unasked_{0};  ///< bytes that may be taken before the system is asked
};

}  // namespace tocsin::service
