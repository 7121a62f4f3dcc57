// Readers of old snapshots go on unharmed while the writer changes the scene.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "detect/scene/random_world.h"
#include "support/scenes/random_scene.h"
#include "tocsin/scene.h"

namespace tocsin::scene_threads_test {
namespace {

using test::RandomWorld;

/// A snapshot, and what it answered before anybody else asked it.
struct Version {
  Detector detector;
  std::vector<Contact> contacts;
  std::vector<std::vector<Contact>> of_objects;
};

std::vector<std::vector<Contact>> object_contacts(const Detector& detector) {
  std::vector<std::vector<Contact>> out;
  for (const ObjectReport& one : detector.check_objects({.threads = 1})) {
    out.push_back(one.report.value().contacts);
  }
  return out;
}

/// Some objects move in the next snapshot.
void move_some(RandomWorld& world) {
  for (auto& [name, object] : world.objects()) {
    if (world.random().uniform(0, 1) > 0.3) continue;
    object.at.translation = object.at.translation + world.random().vector(0, 0.4);
    test::done(world.scene().move(object.id, {object.at.rotation, object.at.translation}));
  }
}

TEST(SceneThreads, ReadersGoOnWhileTheSceneChanges) {
  RandomWorld world(99, {});
  for (int i = 0; i < 12; ++i) world.add();
  const test::RandomTake take = test::random_take(world.random(), 6, 2, 0.5, 0.3);
  const Step step = take.motion.steps().value().front();
  std::mutex mutex;
  std::deque<Version> versions;
  std::atomic<bool> done{false};
  std::atomic<std::size_t> asked{0};
  std::atomic<std::size_t> wrong{0};
  const auto read = [&] {
    while (!done || asked == 0) {
      std::optional<Version> version;
      {
        const std::scoped_lock lock(mutex);
        if (!versions.empty()) version = versions[asked % versions.size()];
      }
      if (!version) continue;
      if (version->detector.check(take.avatar, step).contacts != version->contacts) ++wrong;
      if (object_contacts(version->detector) != version->of_objects) ++wrong;
      ++asked;
    }
  };
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) readers.emplace_back(read);
  std::size_t contacts = 0;
  for (int round = 0; round < 25; ++round) {
    for (int i = 0; i < 4; ++i) world.change();
    move_some(world);
    Detector detector = world.scene().snapshot().value();
    std::vector<Contact> found = detector.check(take.avatar, step).contacts;
    contacts += found.size();
    std::vector<std::vector<Contact>> of_objects = object_contacts(detector);
    const std::scoped_lock lock(mutex);
    versions.push_back({std::move(detector), std::move(found), std::move(of_objects)});
    if (versions.size() > 8) versions.pop_front();
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0U);
  EXPECT_GT(asked, 0U);
  EXPECT_GT(contacts, 15U);
}

TEST(SceneThreads, TheFirstQuestionsMayComeAtOnce) {
  RandomWorld world(100, {});
  for (int i = 0; i < 30; ++i) world.add();
  const test::RandomTake take = test::random_take(world.random(), 6, 2, 0.5, 0.3);
  const Step step = take.motion.steps().value().front();
  for (int round = 0; round < 4; ++round) {
    move_some(world);
    const Detector detector = world.scene().snapshot().value();
    std::vector<std::vector<Contact>> found(4);
    std::vector<std::thread> readers;
    for (std::size_t i = 0; i < found.size(); ++i) {
      readers.emplace_back([&, i] { found[i] = detector.check(take.avatar, step).contacts; });
    }
    for (std::thread& reader : readers) reader.join();
    for (const std::vector<Contact>& one : found) EXPECT_EQ(one, found.front());
  }
}

}  // namespace
}  // namespace tocsin::scene_threads_test
