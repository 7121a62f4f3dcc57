#include "devices/cuda/device_group.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

namespace tocsin::devices {

/// One batch under way.
struct DeviceGroup::Run {
  const GroupBatch& batch;
  std::vector<Seat*> seats;  ///< that worked when it began
  PieceQueue queue;
  int threads = 0;  ///< of TBB for each device; 0: those of the caller's arena
  std::mutex mutex;
  std::size_t next = 0;  ///< the first seat that no thread drives
  std::exception_ptr error;

  Run(const GroupBatch& asked, std::vector<Seat*> working)
      : batch(asked), seats(std::move(working)), queue(asked.items, asked.meet, seats.size()) {}
  /// Null: all are driven.
  Seat* next_seat() {
    const std::lock_guard lock(mutex);
    return next < seats.size() ? seats[next++] : nullptr;
  }
};

DeviceGroup::DeviceGroup(const std::vector<std::shared_ptr<cuda::Device>>& devices,
                         const Environment& environment, const cuda::CheckerOptions& options) {
  for (const auto& device : devices) {
    add(device, cuda::BatchChecker::create(device, environment, options));
  }
}

void DeviceGroup::add(std::shared_ptr<cuda::Device> device, MadeChecker checker) {
  Seat seat{std::move(device), nullptr};
  if (checker) {
    seat.checker = std::move(checker).value();
  } else {
    seat.failure = checker.error();
  }
  seats_.push_back(std::move(seat));
}

template <class Derive>
std::shared_ptr<DeviceGroup> DeviceGroup::derived(const Environment& environment,
                                                  const cuda::CheckerOptions& options,
                                                  const Derive& derive) const {
  std::shared_ptr<DeviceGroup> out(new DeviceGroup);
  for (const Seat& seat : seats_) {
    out->add(seat.device, works(seat)
                              ? derive(*seat.checker)
                              : cuda::BatchChecker::create(seat.device, environment, options));
  }
  if (!out->failure()) {
    std::erase_if(out->seats_, [](const Seat& seat) { return seat.failure.has_value(); });
  }
  return out;
}

std::shared_ptr<DeviceGroup> DeviceGroup::with_environment(
    const Environment& environment, const cuda::CheckerOptions& options) const {
  return derived(environment, options, [&](const cuda::BatchChecker& checker) {
    return checker.with_environment(environment);
  });
}

std::shared_ptr<DeviceGroup> DeviceGroup::with_options(const Environment& environment,
                                                       const cuda::CheckerOptions& options) const {
  return derived(environment, options,
                 [&](const cuda::BatchChecker& checker) { return checker.with_options(options); });
}

bool DeviceGroup::works(const Seat& seat) const {
  const std::lock_guard lock(mutex_);
  return !seat.failure;
}

std::vector<DeviceGroup::Seat*> DeviceGroup::working() {
  std::vector<Seat*> out;
  for (Seat& seat : seats_) {
    if (works(seat)) out.push_back(&seat);
  }
  return out;
}

void DeviceGroup::check(const GroupBatch& batch) {
  Run run(batch, working());
  if (run.seats.empty() || batch.items.empty()) return;
  const std::size_t drivers = run.queue.useful_devices();
  if (drivers == 1) {
    drive_some(run);
  } else {
    run.threads = std::max(1, tbb::this_task_arena::max_concurrency() / static_cast<int>(drivers));
    std::vector<std::thread> others;
    others.reserve(drivers - 1);
    try {
      while (others.size() + 1 < drivers) others.emplace_back([&] { drive_some(run); });
    } catch (const std::exception&) {  // no more threads: those that there are take all pieces
    }
    drive_some(run);
    for (std::thread& other : others) other.join();
  }
  if (run.error) std::rethrow_exception(run.error);
}

void DeviceGroup::drive_some(Run& run) {
  try {
    for (Seat* seat = run.next_seat(); seat != nullptr; seat = run.next_seat()) {
      if (drive(*seat, run)) return;
    }
  } catch (...) {
    const std::lock_guard lock(run.mutex);
    run.error = std::current_exception();
  }
}

bool DeviceGroup::drive(Seat& seat, Run& run) {
  bool works = true;
  while (works) {
    const std::optional<Piece> piece = run.queue.take();
    if (!piece) return true;
    // What the checker runs in parallel it waits for with the device in its hands: it must not take
    // up another of the caller's tasks meanwhile, which may want the device. Several devices have
    // an arena each, so that all together have no more threads than the caller.
    const auto check = [&] { works = check_piece(seat, *piece, run); };
    try {
      if (run.threads == 0) {
        tbb::this_task_arena::isolate(check);
      } else {
        tbb::task_arena(run.threads).execute(check);
      }
    } catch (...) {
      run.queue.abandon();
      throw;
    }
  }
  return false;
}

bool DeviceGroup::check_piece(Seat& seat, const Piece& piece, Run& run) {
  const std::size_t count = piece.end - piece.begin;
  const std::span<cuda::BatchAnswer> answers = run.batch.answers.subspan(piece.begin, count);
  std::size_t done = 0;
  const Status checked =
      seat.checker->check(run.batch.items.subspan(piece.begin, count), run.batch.meet,
                          run.batch.stop, answers, done, piece.begin);
  std::fill_n(run.batch.answered.begin() + static_cast<std::ptrdiff_t>(piece.begin), done,
              std::uint8_t{1});
  note(answers.first(done));
  if (checked) {
    run.queue.done();
    return true;
  }
  if (checked.error().code == ErrorCode::kCancelled) {
    run.queue.abandon();
    return true;
  }
  {
    const std::lock_guard lock(mutex_);
    if (!seat.failure) seat.failure = checked.error();
  }
  run.queue.give_back({piece.begin + done, piece.end});
  return false;
}

void DeviceGroup::note(std::span<const cuda::BatchAnswer> answers) {
  const std::lock_guard lock(mutex_);
  for (const cuda::BatchAnswer& answer : answers) {
    if (!answer.left) continue;
    ++left_;
    if (!why_left_) why_left_ = answer.left;
  }
}

std::string DeviceGroup::name() const {
  std::vector<std::shared_ptr<cuda::Device>> devices;
  for (const Seat& seat : seats_) devices.push_back(seat.device);
  return cuda::names_of(devices);
}

std::optional<Error> DeviceGroup::failure() const {
  const std::lock_guard lock(mutex_);
  for (const Seat& seat : seats_) {
    if (!seat.failure) return std::nullopt;
  }
  return seats_.front().failure;
}

std::string DeviceGroup::fallback() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> said;
  std::vector<std::string> others;
  for (const Seat& seat : seats_) {
    if (seat.failure) {
      said.push_back(seat.failure->message);
    } else {
      others.push_back(seat.device->title());
    }
  }
  if (!said.empty()) {
    said.push_back(others.empty() ? std::string("the CPU took over")
                                  : fmt::format("{} took over", fmt::join(others, ", ")));
  }
  if (why_left_) {
    said.push_back(fmt::format("the CPU checked {} of the steps: {}", left_, why_left_->message));
  }
  return fmt::format("{}", fmt::join(said, "; "));
}

}  // namespace tocsin::devices
