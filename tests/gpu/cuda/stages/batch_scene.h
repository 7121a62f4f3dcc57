// A crowd in a room, asked as one batch, beside the CPU's answers.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "gpu/cuda/stages/batch_checker.h"
#include "support/cuda_devices.h"
#include "support/scenes/random_crowd.h"
#include "support/scenes/random_scene.h"
#include "tocsin/detector.h"

namespace tocsin::test {

/// A crowd in a room, all of its instants as one batch, and the CPU's answers.
class BatchScene {
 public:
  static constexpr double kMargin = 0.01;  ///< metres
  static constexpr std::size_t kInstants = 4;

  /// `masked`: half of the avatars ignore some objects.
  BatchScene(std::uint64_t seed, int avatars, bool self, bool meet, bool masked) : meet_(meet) {
    RandomLinks random(seed);
    room_ = random_room(random, 4, 40, 1.2);
    crowd_ = random_crowd(random, avatars, static_cast<int>(kInstants) + 1, 0.7, self);
    if (masked) {
      for (std::size_t m = 0; m < crowd_.members.size(); m += 2) {
        const std::vector<std::string> patterns{"*:object1", "*2:*"};
        Member& member = crowd_.members[m];
        member.active = ActivePairs::ignoring(member.avatar, room_, patterns).value();
      }
    }
    for (std::size_t t = 0; t < kInstants; ++t) steps_.push_back(crowd_.at(t));
    for (std::size_t t = 0; t < kInstants; ++t) {
      for (std::size_t m = 0; m < crowd_.members.size(); ++m) {
        const Member& member = crowd_.members[m];
        items_.push_back({&member.avatar, &steps_[t][m], &member.active, &member.self,
                          static_cast<std::uint32_t>(t)});
      }
    }
    ask_cpu(room_);
  }

  /// The same in a room whose vertices have moved.
  void move_room() {
    std::vector<Vec3f> vertices(room_.vertices().begin(), room_.vertices().end());
    for (Vec3f& v : vertices) v = {v.x + 0.125F, v.y * 0.75F, v.z - 0.0625F};
    room_ = room_.with_vertices(std::move(vertices)).value();
    ask_cpu(room_);
  }

  [[nodiscard]] const Environment& room() const { return room_; }
  [[nodiscard]] std::span<const cuda::BatchItem> items() const { return items_; }
  [[nodiscard]] std::size_t contacts() const { return contacts_; }
  [[nodiscard]] static cuda::CheckerOptions options() { return {.margin = kMargin}; }

  [[nodiscard]] Status check(cuda::BatchChecker& checker, std::vector<cuda::BatchAnswer>& answers,
                             std::size_t& done, const std::stop_token& stop = {}) const {
    answers.assign(items_.size(), {});
    return checker.check(items_, meet_, stop, answers, done);
  }

  void expect_same(std::span<const cuda::BatchAnswer> answers) const {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      EXPECT_FALSE(answers[i].left);
      EXPECT_EQ(answers[i].contacts, wanted_[i]) << "item " << i;
    }
  }

 private:
  void ask_cpu(const Environment& room) {
    const Detector detector =
        Detector::make(room, {.backend = Backend::kCpu, .margin = kMargin}).value();
    wanted_.clear();
    contacts_ = 0;
    for (std::size_t t = 0; t < kInstants; ++t) {
      for (StepReport& report :
           detector.check_batch(crowd_.members, steps_[t], {.meet = meet_, .threads = 1})) {
        ASSERT_FALSE(report.error);
        for (Contact& c : report.contacts) {
          if (c.other()) c.other()->avatar += static_cast<std::int32_t>(t * crowd_.members.size());
        }
        contacts_ += report.contacts.size();
        wanted_.push_back(std::move(report.contacts));
      }
    }
  }

  bool meet_;
  Environment room_;
  RandomCrowd crowd_;
  std::vector<std::vector<Step>> steps_;
  std::vector<cuda::BatchItem> items_;
  std::vector<std::vector<Contact>> wanted_;
  std::size_t contacts_ = 0;
};

inline std::shared_ptr<cuda::BatchChecker> checker_of(
    const std::shared_ptr<cuda::Device>& device, const BatchScene& scene,
    const cuda::CheckerOptions& options = BatchScene::options()) {
  auto checker = cuda::BatchChecker::create(device, scene.room(), options);
  EXPECT_TRUE(checker.ok()) << checker.error().message;
  return checker.ok() ? std::move(checker).value() : nullptr;
}

}  // namespace tocsin::test
