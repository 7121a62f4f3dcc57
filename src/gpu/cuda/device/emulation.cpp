#include "gpu/cuda/device/emulation.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <new>
#include <numeric>
#include <thread>

#include "gpu/cuda/device/emulated_sort.h"

namespace tocsin::cuda::detail {
namespace {

/// As CUDA aligns what it allocates.
constexpr std::align_val_t kAlignment{256};
/// A double and two floats that are no numbers, and indices beyond every array: what is computed
/// from memory that was never written shows.
constexpr std::uint64_t kPoison = 0x7FF4DEAD7FF4DEADU;
/// Elements that a thread takes at once, at most: of the longest launches each thread gets many.
constexpr std::size_t kMostAtOnce = 1024;

std::size_t memory_limit(std::size_t asked) {
  if (asked != 0) return asked;
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(pages) / 2 * static_cast<std::size_t>(page);
}

void* allocated(std::size_t bytes) { return ::operator new(bytes, kAlignment, std::nothrow); }

/// All numbers below n, each once: start, start + step, start + 2 step, ... modulo n.
class Order {
 public:
  Order(std::size_t n, std::uint64_t random) : n_(n), step_(1), start_(random % n) {
    // So that no product of a step and an index overflows: there are less than 2^40 elements.
    const std::uint64_t most = std::min<std::uint64_t>(n, std::uint64_t{1} << 24);
    step_ = 1 + (random >> 20) % most;
    while (std::gcd(step_, static_cast<std::uint64_t>(n)) != 1) ++step_;
  }
  [[nodiscard]] std::size_t operator[](std::size_t i) const { return (start_ + step_ * i) % n_; }

 private:
  std::uint64_t n_;
  std::uint64_t step_;
  std::uint64_t start_;
};

}  // namespace

Emulation::Emulation(const DeviceOptions& options)
    : DeviceWork(options, memory_limit(options.memory)),
      team_(options.threads),
      shuffle_(options.shuffle),
      poison_(options.poison),
      random_(options.seed) {}

Emulation::~Emulation() { end(); }

std::string Emulation::name() const {
  return fmt::format("emulated on {} thread{}", team_.size(), team_.size() == 1 ? "" : "s");
}

/// SplitMix64.
std::uint64_t Emulation::random() {
  std::uint64_t z = (random_ += 0x9E3779B97F4A7C15U);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

std::size_t Emulation::device_free_memory(const Where& /*where*/) {
  return std::numeric_limits<std::size_t>::max();  // only the limit counts
}

void* Emulation::device_allocate(std::size_t bytes, const Where& where) {
  void* const memory = allocated(bytes);
  if (memory == nullptr) {
    fail(FailureKind::kMemory, {.name = "allocate", .size = bytes, .unit = "bytes"}, where,
         "out of memory");
  }
  if (poison_) {
    auto* const at = static_cast<unsigned char*>(memory);
    for (std::size_t i = 0; i < bytes; i += sizeof kPoison) {
      std::memcpy(at + i, &kPoison, std::min(sizeof kPoison, bytes - i));
    }
  }
  return memory;
}

void Emulation::device_release(void* memory, std::size_t /*bytes*/) noexcept {
  finish_uploads();
  ::operator delete(memory, kAlignment);
}

void* Emulation::allocate_pinned(std::size_t bytes, const Where& where) {
  void* const memory = allocated(bytes);
  if (memory == nullptr) {
    fail(FailureKind::kMemory, {.name = "allocate_pinned", .size = bytes, .unit = "bytes"}, where,
         "out of memory");
  }
  if (poison_) pinned_.emplace(static_cast<const unsigned char*>(memory), bytes);
  return memory;
}

void Emulation::release_pinned(void* memory, std::size_t /*bytes*/) noexcept {
  finish_uploads();
  pinned_.erase(static_cast<const unsigned char*>(memory));
  ::operator delete(memory, kAlignment);
}

bool Emulation::pinned(const void* memory) const {
  const auto* const at = static_cast<const unsigned char*>(memory);
  const auto next = pinned_.upper_bound(at);
  if (next == pinned_.begin()) return false;
  const auto& [begin, bytes] = *std::prev(next);
  return std::less<>()(at, begin + bytes);
}

void Emulation::finish_uploads() noexcept {
  for (const Upload& u : uploads_) {
    std::memcpy(u.to, u.from != nullptr ? u.from : u.copy.data(), u.bytes);
  }
  uploads_.clear();
}

void Emulation::upload(void* to, const void* from, std::size_t bytes, const Where& /*where*/) {
  if (poison_ && pinned(from)) {
    uploads_.push_back({to, from, bytes});
  } else if (!uploads_.empty()) {  // behind those that wait
    const auto* const begin = static_cast<const unsigned char*>(from);
    uploads_.push_back({to, nullptr, bytes, {begin, begin + bytes}});
  } else {
    std::memcpy(to, from, bytes);
  }
}

void Emulation::download(void* to, const void* from, std::size_t bytes, const Where& /*where*/) {
  finish_uploads();
  std::memcpy(to, from, bytes);
}

void Emulation::copy(void* to, const void* from, std::size_t bytes, const Where& /*where*/) {
  finish_uploads();
  std::memcpy(to, from, bytes);
}

void Emulation::fill(void* to, int value, std::size_t bytes, const Where& /*where*/) {
  finish_uploads();
  std::memset(to, value, bytes);
}

void Emulation::synchronize(const Where& /*where*/) { finish_uploads(); }

void Emulation::launch_emulated(RangeFunction run, const void* body, std::size_t n) {
  finish_uploads();
  const std::size_t pieces = static_cast<std::size_t>(team_.size()) * 8;
  const std::size_t at_once = std::clamp<std::size_t>(n / pieces, 1, kMostAtOnce);
  const Order order(n, shuffle_ ? random() : 0);
  std::atomic<std::size_t> next{0};
  // Relaxed: between elements of one launch there is no order but the one they make themselves.
  team_.run([&] {
    for (;;) {
      const std::size_t begin = next.fetch_add(at_once, std::memory_order_relaxed);
      if (begin >= n) return;
      const std::size_t end = std::min(n, begin + at_once);
      if (!shuffle_) {
        run(body, begin, end);
        continue;
      }
      for (std::size_t i = begin; i < end; ++i) run(body, order[i], order[i] + 1);
    }
  });
}

void Emulation::sort(std::uint64_t* keys, std::uint32_t* values, std::size_t n, KeyBits bits,
                     const Where& where) {
  finish_uploads();
  // A device would leave such keys in disorder.
  if (!std::all_of(keys, keys + n, [&](std::uint64_t key) { return bits.holds(key); })) {
    fail(FailureKind::kDevice, {.name = "sort", .size = n, .unit = "elements"}, where,
         "a key has bits beyond those that matter");
  }
  radix_sort(keys, values, n, scratch(radix_sort_bytes(n, values != nullptr), where));
}

std::uint64_t Emulation::exclusive_sum(const std::uint32_t* from, std::uint64_t* to, std::size_t n,
                                       const Where& /*where*/) {
  finish_uploads();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    to[i] = sum;
    sum += from[i];
  }
  to[n] = sum;
  return sum;
}

std::size_t Emulation::select(const std::uint8_t* flags, std::uint32_t* to, std::size_t n,
                              const Where& /*where*/) {
  finish_uploads();
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (flags[i] != 0) to[count++] = static_cast<std::uint32_t>(i);
  }
  return count;
}

}  // namespace tocsin::cuda::detail
