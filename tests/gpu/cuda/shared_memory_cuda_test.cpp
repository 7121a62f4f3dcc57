// Detectors that share a device's memory: none starves another, however little there is.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gpu/cuda/cuda_detector_test.h"
#include "support/scenes/random_crowd.h"

namespace tocsin::shared_memory_cuda_test {
namespace {

using test::contacts_of;
using test::expect_same;
using test::RandomCrowd;
using test::RandomLinks;
using test::reports_of_run;

DetectorOptions in_memory(std::size_t memory) {
  return {.backend = Backend::kCuda,
          .threads = 1,
          .cuda = {.memory = memory},
          .experiments = {.emulate = true}};
}

/// A crowd in a room, asked with another margin each time.
class SharedMemory : public testing::Test {
 public:
  SharedMemory() {
    RandomLinks random(1741);
    room_ = test::random_room(random, 3, 40, 1.2);
    crowd_ = test::random_crowd(random, 5, 6, 0.6, true);
    for (std::size_t i = 0; i < kMost; ++i) {
      const auto cpu = Detector::make(room_, asked({.backend = Backend::kCpu}, i)).value();
      want_.push_back(reports(cpu));
    }
    EXPECT_GT(contacts_of(want_.front()), 20U);
  }

  static DetectorOptions asked(DetectorOptions options, std::size_t i) {
    options.margin = 0.002 * static_cast<double>(i);
    return options;
  }
  [[nodiscard]] std::vector<StepReport> reports(const Detector& detector) const {
    return reports_of_run(detector, crowd_.members, crowd_.steps, {.meet = true});
  }
  /// Whether the device has answered everything; the answer must be right anyhow.
  [[nodiscard]] bool answers(const Detector& detector, std::size_t i) const {
    expect_same(reports(detector), want_[i]);
    return detector.fallback().empty();
  }
  /// Detectors that all have rooms and devices of their own.
  [[nodiscard]] std::vector<Detector> separate(std::size_t memory, std::size_t count) const {
    std::vector<Detector> out;
    for (std::size_t i = 0; i < count; ++i) {
      out.push_back(Detector::make(room_, asked(in_memory(memory), i)).value());
    }
    return out;
  }
  /// Detectors of one device, room and tree.
  [[nodiscard]] std::vector<Detector> related(std::size_t memory, std::size_t count) const {
    std::vector<Detector> out{Detector::make(room_, asked(in_memory(memory), 0)).value()};
    while (out.size() < count) {
      out.push_back(out.front().with_options(asked(in_memory(memory), out.size())).value());
    }
    return out;
  }
  using Make = std::vector<Detector> (SharedMemory::*)(std::size_t memory, std::size_t count) const;

  /// The least memory, but for a twentieth, in which each of `count` detectors answers if it is the
  /// only one that is asked.
  [[nodiscard]] std::size_t enough_for_one(Make make, std::size_t count) const {
    for (std::size_t memory = 4096; memory < (std::size_t{1} << 30U); memory += memory / 20) {
      bool all = true;
      for (std::size_t i = 0; i < count && all; ++i) {
        const std::vector<Detector> detectors = (this->*make)(memory, count);
        all = answers(detectors[i], i);
      }
      if (all) return memory;
    }
    ADD_FAILURE() << "no memory is enough";
    return 0;
  }
  /// In that memory all are asked in turns.
  void expect_that_none_starves(Make make, std::size_t count) const {
    SCOPED_TRACE(std::to_string(count) + " detectors");
    const std::size_t memory = enough_for_one(make, count);
    const std::vector<Detector> detectors = (this->*make)(memory, count);
    for (int round = 0; round < 3; ++round) {
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_TRUE(answers(detectors[i], i)) << detectors[i].fallback();
      }
    }
  }

  static constexpr std::size_t kMost = 10;
  Environment room_;
  RandomCrowd crowd_;
  std::vector<std::vector<StepReport>> want_;  ///< per margin
};

TEST_F(SharedMemory, TwoOfOneDevice) { expect_that_none_starves(&SharedMemory::related, 2); }
TEST_F(SharedMemory, TenOfOneDevice) { expect_that_none_starves(&SharedMemory::related, 10); }
TEST_F(SharedMemory, TwoThatOpenedItThemselves) {
  expect_that_none_starves(&SharedMemory::separate, 2);
}
TEST_F(SharedMemory, TenThatOpenedItThemselves) {
  expect_that_none_starves(&SharedMemory::separate, 10);
}

TEST_F(SharedMemory, TwoAtTheSameTime) {
  const std::size_t memory = enough_for_one(&SharedMemory::separate, 2);
  const std::vector<Detector> detectors = separate(memory, 2);
  std::array<bool, 2> answered{true, true};
  std::array<std::thread, 2> threads;
  for (std::size_t i = 0; i < 2; ++i) {
    threads[i] = std::thread([&, i] {
      for (int round = 0; round < 4; ++round) {
        answered[i] = answers(detectors[i], i) && answered[i];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(answered[0]) << detectors[0].fallback();
  EXPECT_TRUE(answered[1]) << detectors[1].fallback();
}

}  // namespace
}  // namespace tocsin::shared_memory_cuda_test
