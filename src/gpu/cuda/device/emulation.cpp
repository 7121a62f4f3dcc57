#include "gpu/cuda/device/emulation.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <new>
#include <numeric>
#include <thread>
#include <utility>

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

/// Jobs after which a stream at Pace::kAnyTime rests or goes on, at most. Fewer: a stream is seldom
/// far behind another. More: it rests through a whole test.
constexpr std::uint64_t kMostTurns = 64;

std::size_t memory_limit(std::size_t asked) {
  if (asked != 0) return asked;
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(pages) / 2 * static_cast<std::size_t>(page);
}

void* allocated(std::size_t bytes) { return ::operator new(bytes, kAlignment, std::nothrow); }

std::size_t selected(const std::uint8_t* flags, std::uint32_t* to, std::size_t n) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (flags[i] != 0) to[count++] = static_cast<std::uint32_t>(i);
  }
  return count;
}

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

/// A point in a stream: after so many jobs.
class Emulation::Point final : public DeviceEvent {
 public:
  Stream stream = Stream::kWork;
  std::uint64_t jobs = 0;
};

Emulation::Emulation(const DeviceOptions& options)
    : DeviceWork(options, memory_limit(options.memory)),
      team_(options.threads),
      pace_(options.pace),
      shuffle_(options.shuffle),
      poison_(options.poison),
      random_(options.seed) {}

Emulation::~Emulation() {
  finish_all();
  end();
}

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

/// As cudaFree does, it waits for all that was given.
void Emulation::device_release(void* memory, std::size_t /*bytes*/) noexcept {
  {
    const std::lock_guard lock(mutex_);
    finish_all();
  }
  ::operator delete(memory, kAlignment);
}

void* Emulation::allocate_pinned(std::size_t bytes, const Where& where) {
  void* const memory = allocated(bytes);
  if (memory == nullptr) {
    fail(FailureKind::kMemory, {.name = "allocate_pinned", .size = bytes, .unit = "bytes"}, where,
         "out of memory");
  }
  const std::lock_guard lock(mutex_);
  pinned_.emplace(static_cast<const unsigned char*>(memory), bytes);
  return memory;
}

void Emulation::release_pinned(void* memory, std::size_t /*bytes*/) noexcept {
  {
    const std::lock_guard lock(mutex_);
    finish_all();
    pinned_.erase(static_cast<const unsigned char*>(memory));
  }
  ::operator delete(memory, kAlignment);
}

bool Emulation::pinned(const void* memory) const {
  const auto* const at = static_cast<const unsigned char*>(memory);
  const auto next = pinned_.upper_bound(at);
  if (next == pinned_.begin()) return false;
  const auto& [begin, bytes] = *std::prev(next);
  return std::less<>()(at, begin + bytes);
}

void Emulation::give(Stream stream, Job job) {
  queue(stream).jobs.push_back(std::move(job));
  ++queue(stream).given;
  if (pace_ == Pace::kAtOnce) finish(stream);
  if (pace_ != Pace::kAnyTime) return;
  // Each stream rests for some jobs, or does some with every job that any stream is given.
  for (const Stream s : {Stream::kUp, Stream::kDown, Stream::kWork}) {
    Queue& q = queue(s);
    if (q.turns-- == 0) {
      q.rests = random() % 2 == 0;
      q.turns = random() % kMostTurns;
    }
    const std::size_t jobs = q.jobs.size();
    if (!q.rests && jobs > 0) finish(s, q.given - jobs + 1 + random() % jobs);
  }
}

void Emulation::finish(Stream stream, std::uint64_t upto) {
  Queue& q = queue(stream);
  while (q.given - q.jobs.size() < upto) {
    const Job job = std::move(q.jobs.front());
    q.jobs.pop_front();
    job();
  }
}

void Emulation::finish_all() {
  for (const Stream s : {Stream::kUp, Stream::kDown, Stream::kWork}) finish(s);
}

std::unique_ptr<DeviceEvent> Emulation::make_event(const Where& /*where*/) {
  return std::make_unique<Point>();
}

void Emulation::record(DeviceEvent& event, Stream stream, const Where& /*where*/) {
  const std::lock_guard lock(mutex_);
  auto& point = static_cast<Point&>(event);
  point.stream = stream;
  point.jobs = queue(stream).given;
}

void Emulation::wait(const DeviceEvent& event, Stream stream, const Where& /*where*/) {
  const std::lock_guard lock(mutex_);
  const auto& point = static_cast<const Point&>(event);
  give(stream, [this, of = point.stream, jobs = point.jobs] { finish(of, jobs); });
}

void Emulation::wait(const DeviceEvent& event, const Where& /*where*/) {
  const std::lock_guard lock(mutex_);
  const auto& point = static_cast<const Point&>(event);
  finish(point.stream, point.jobs);
}

void Emulation::upload(Stream stream, void* to, const void* from, std::size_t bytes,
                       const Where& /*where*/) {
  const std::lock_guard lock(mutex_);
  const bool stays = pinned(from);
  give(stream, [to, from, bytes] { std::memcpy(to, from, bytes); });
  if (!stays) finish(stream);  // pageable memory may be used again at once
}

void Emulation::download(Stream stream, void* to, const void* from, std::size_t bytes,
                         const Where& /*where*/) {
  const std::lock_guard lock(mutex_);
  give(stream, [to, from, bytes] { std::memcpy(to, from, bytes); });
}

void Emulation::download(void* to, const void* from, std::size_t bytes, const Where& /*where*/) {
  const std::lock_guard lock(mutex_);
  finish(Stream::kWork);
  std::memcpy(to, from, bytes);
}

void Emulation::copy(void* to, const void* from, std::size_t bytes, const Where& /*where*/) {
  const std::lock_guard lock(mutex_);
  give(Stream::kWork, [to, from, bytes] { std::memcpy(to, from, bytes); });
}

void Emulation::fill(void* to, int value, std::size_t bytes, const Where& /*where*/) {
  const std::lock_guard lock(mutex_);
  give(Stream::kWork, [to, value, bytes] { std::memset(to, value, bytes); });
}

void Emulation::synchronize(const Where& /*where*/) {
  const std::lock_guard lock(mutex_);
  finish_all();
}

void Emulation::launch_emulated(RangeFunction body_of, const void* body, std::size_t body_bytes,
                                std::size_t n) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t chance = shuffle_ ? random() : 0;
  if (pace_ == Pace::kAtOnce) {  // so that nothing is copied for most users
    run(body_of, body, n, chance);
    return;
  }
  std::vector<std::max_align_t> kept((body_bytes + sizeof(std::max_align_t) - 1) /
                                     sizeof(std::max_align_t));
  std::memcpy(kept.data(), body, body_bytes);
  give(Stream::kWork, [this, body_of, kept = std::move(kept), n, chance] {
    run(body_of, kept.data(), n, chance);
  });
}

void Emulation::run(RangeFunction body_of, const void* body, std::size_t n, std::uint64_t random) {
  const std::size_t pieces = static_cast<std::size_t>(team_.size()) * 8;
  const std::size_t at_once = std::clamp<std::size_t>(n / pieces, 1, kMostAtOnce);
  const Order order(n, random);
  std::atomic<std::size_t> next{0};
  // Relaxed: between elements of one launch there is no order but the one they make themselves.
  team_.run([&] {
    for (;;) {
      const std::size_t begin = next.fetch_add(at_once, std::memory_order_relaxed);
      if (begin >= n) return;
      const std::size_t end = std::min(n, begin + at_once);
      if (!shuffle_) {
        body_of(body, begin, end);
        continue;
      }
      for (std::size_t i = begin; i < end; ++i) body_of(body, order[i], order[i] + 1);
    }
  });
}

void Emulation::sort(std::uint64_t* keys, std::uint32_t* values, std::size_t n, KeyBits bits,
                     const Where& where) {
  void* const memory = scratch(radix_sort_bytes(n, values != nullptr), where);
  const std::lock_guard lock(mutex_);
  finish(Stream::kWork);
  // A device would leave such keys in disorder.
  if (!std::all_of(keys, keys + n, [&](std::uint64_t key) { return bits.holds(key); })) {
    fail(FailureKind::kDevice, {.name = "sort", .size = n, .unit = "elements"}, where,
         "a key has bits beyond those that matter");
  }
  radix_sort(keys, values, n, memory);
}

void Emulation::exclusive_sum(const std::uint32_t* from, std::uint64_t* to, std::size_t n,
                              const Where& /*where*/) {
  const std::lock_guard lock(mutex_);
  give(Stream::kWork, [from, to, n] {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      to[i] = sum;
      sum += from[i];
    }
    to[n] = sum;
  });
}

void Emulation::select(const std::uint8_t* flags, std::uint32_t* to, std::size_t n,
                       std::uint64_t* count, const Where& /*where*/) {
  const std::lock_guard lock(mutex_);
  give(Stream::kWork, [flags, to, n, count] { *count = selected(flags, to, n); });
}

std::size_t Emulation::select(const std::uint8_t* flags, std::uint32_t* to, std::size_t n,
                              const Where& /*where*/) {
  const std::lock_guard lock(mutex_);
  finish(Stream::kWork);
  return selected(flags, to, n);
}

std::uint64_t Emulation::result(const std::uint64_t* at, const Where& /*where*/) {
  const std::lock_guard lock(mutex_);
  finish(Stream::kWork);
  return *at;
}

}  // namespace tocsin::cuda::detail
