// Memory that runs out while a scene is changed: the change did not happen, or the scene says that
// it cannot be used any more. No object is lost, and no motion goes unchecked.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/failing_allocations.h"
#include "tocsin/scene.h"

namespace tocsin::scene_memory_test {
namespace {

using test::allocations_left;

Mesh plate(float x) {
  return Mesh::create({{x, -1, -1}, {x, 1, -1}, {x, 0, 1}}, {{0, 1, 2}}).value();
}

/// What is done to a scene, one after the other; each says whether it was done.
struct Script {
  Mesh one = plate(0.0F);
  Mesh other = plate(0.1F);
  Scene scene = Scene::make().value();
  std::vector<ObjectId> ids;
  SwitchId level{};
  std::vector<std::function<Status()>> calls;

  Script() {
    ids.reserve(40);
    for (int i = 0; i < 40; ++i) {
      calls.emplace_back([this, i]() -> Status {
        const auto id = scene.add("object " + std::to_string(i), one, {{1.0 * i, 0, 0}, {}});
        if (!id) return id.error();
        ids.push_back(id.value());
        return Nothing{};
      });
    }
    const auto snapshot = [this]() -> Status {
      const auto detector = scene.snapshot();
      return detector.ok() ? Status(Nothing{}) : Status(detector.error());
    };
    calls.emplace_back(snapshot);
    calls.emplace_back([this] { return scene.place(ids[3], {{3.2, 0, 0}, {}}); });
    calls.emplace_back([this] { return scene.replace(ids[4], other); });
    calls.emplace_back([this] { return scene.remove(ids[5]); });
    calls.emplace_back([this] { return scene.deactivate(ids[6]); });
    calls.emplace_back([this] { return scene.deactivate_pairs("nobody:object 1"); });
    calls.emplace_back([this] { return scene.deactivate_pair(ids[7], ids[8]); });
    calls.emplace_back([this] { return scene.activate_pairs("nobody:object 1"); });
    calls.emplace_back([this]() -> Status {
      level = scene.add_switch();
      if (level == SwitchId{0}) return Error{ErrorCode::kResource, "no switch"};
      return Nothing{};
    });
    calls.emplace_back([this] { return scene.set_switch(ids[9], level); });
    calls.emplace_back([this] { return scene.choose(level, ids[9]); });
    calls.emplace_back([this] { return scene.move(ids[10], {{}, {10.3, 0, 0}}); });
    calls.emplace_back([this] {
      const long left = std::exchange(allocations_left, -1);
      std::vector<Vec3f> corners{{0.2F, -1, -1}, {0, 1, -1}, {0, 0, 1}};
      allocations_left = left;
      return scene.deform(ids[11], std::move(corners));
    });
    calls.emplace_back(snapshot);
    calls.emplace_back(snapshot);
  }
};

/// A needle along x, through all of them.
std::vector<Contact> contacts(Scene& scene) {
  const std::vector<Link> links{{"needle", 0, {-1, 0, 0}, {99, 0, 0}, 0.01, {}}};
  const Skeleton skeleton = Skeleton::create({{"root", -1, {}}}).value();
  const Motion motion = Motion::create(skeleton, 1.0, {Transform{}, Transform{}}).value();
  const Avatar avatar = Avatar::create("needle", skeleton, links).value();
  return scene.snapshot().value().check(avatar, motion.steps().value().front()).value().contacts;
}

TEST(SceneMemory, NoObjectAndNoMotionIsLost) {
  Script whole;
  for (const auto& call : whole.calls) ASSERT_TRUE(call().ok());
  const std::vector<Contact> want = contacts(whole.scene);
  ASSERT_EQ(want.size(), 38U);
  std::size_t failed = 0;
  std::size_t broken = 0;
  for (std::size_t k = 0; k < whole.calls.size(); ++k) {
    bool through = false;
    for (long n = 0; !through; ++n) {
      Script script;
      for (std::size_t i = 0; i < k; ++i) ASSERT_TRUE(script.calls[i]().ok());
      allocations_left = n;
      const Status status = script.calls[k]();
      through = allocations_left >= 0;
      allocations_left = -1;
      if (through) {
        ASSERT_TRUE(status.ok());
        break;
      }
      ++failed;
      ASSERT_FALSE(status.ok()) << k << ' ' << n;
      EXPECT_EQ(status.error().code, ErrorCode::kResource);
      const auto again = script.calls[k]();
      if (!again.ok()) {  // then it is unusable, for ever
        ++broken;
        EXPECT_EQ(again.error().code, ErrorCode::kResource);
        EXPECT_FALSE(script.scene.snapshot().ok());
        EXPECT_FALSE(script.scene.remove(script.ids.empty() ? ObjectId{1} : script.ids[0]).ok());
        continue;
      }
      for (std::size_t i = k + 1; i < script.calls.size(); ++i) {
        ASSERT_TRUE(script.calls[i]().ok()) << k << ' ' << n << ' ' << i;
      }
      EXPECT_EQ(contacts(script.scene), want) << k << ' ' << n;
    }
  }
  EXPECT_GT(failed, 200U);
  EXPECT_GT(broken, 50U);
  EXPECT_LT(broken, failed);
}

}  // namespace
}  // namespace tocsin::scene_memory_test
