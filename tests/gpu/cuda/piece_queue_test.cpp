// A batch's pieces: every item once, groups whole, and what a failed device leaves goes to another.
#include "devices/cuda/piece_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

namespace tocsin::devices::piece_queue_test {
namespace {

std::vector<cuda::BatchItem> items_in_groups(std::size_t groups, std::size_t each) {
  std::vector<cuda::BatchItem> out(groups * each);
  for (std::size_t i = 0; i < out.size(); ++i) out[i].group = static_cast<std::uint32_t>(i / each);
  return out;
}

TEST(PieceQueue, OfOneDeviceTheBatchIsOnePiece) {
  const auto items = items_in_groups(100'000, 1);
  PieceQueue queue(items, false, 1);
  const auto piece = queue.take();
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->begin, 0U);
  EXPECT_EQ(piece->end, items.size());
  queue.done();
  EXPECT_FALSE(queue.take());
}

TEST(PieceQueue, PiecesFollowEachOtherAndKeepGroupsWhole) {
  for (const bool meet : {false, true}) {
    for (const std::size_t devices : {2U, 3U, 7U}) {
      for (const std::size_t each : {1U, 5U, 6'000U}) {
        for (const std::size_t groups : {1U, 2U, 40U}) {
          const auto items = items_in_groups(groups, each);
          PieceQueue queue(items, meet, devices);
          std::size_t next = 0;
          std::size_t pieces = 0;
          while (const auto piece = queue.take()) {
            EXPECT_EQ(piece->begin, next);
            EXPECT_GT(piece->end, piece->begin);
            EXPECT_TRUE(!meet || piece->end % each == 0U);
            next = piece->end;
            ++pieces;
            queue.done();
          }
          EXPECT_EQ(next, items.size());
          EXPECT_LE(queue.useful_devices(), devices);
          EXPECT_GE(pieces, queue.useful_devices());
          const std::size_t parts = meet ? groups : items.size();
          EXPECT_LE(queue.useful_devices(), parts);
          EXPECT_TRUE(queue.useful_devices() == devices || parts < devices * devices);
        }
      }
    }
  }
}

TEST(PieceQueue, FewStepsAreAPieceForEachDevice) {
  const auto items = items_in_groups(300, 1);
  PieceQueue queue(items, false, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto piece = queue.take();
    ASSERT_TRUE(piece);
    EXPECT_EQ(piece->end - piece->begin, 100U);
  }
  for (int i = 0; i < 3; ++i) queue.done();
  EXPECT_FALSE(queue.take());
}

TEST(PieceQueue, WhatIsGivenBackIsTakenAgain) {
  const auto items = items_in_groups(10, 1);
  PieceQueue queue(items, false, 2);
  const auto first = queue.take();
  const auto second = queue.take();
  ASSERT_TRUE(first && second);
  queue.done();
  queue.give_back({second->begin + 2, second->end});
  const auto again = queue.take();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->begin, second->begin + 2);
  EXPECT_EQ(again->end, second->end);
  queue.give_back({again->end, again->end});  // nothing is left of it
  EXPECT_FALSE(queue.take());
}

TEST(PieceQueue, WhoIsDoneWaitsForWhatOthersMayLeave) {
  const auto items = items_in_groups(2, 1);
  for (int round = 0; round < 50; ++round) {
    PieceQueue queue(items, false, 2);
    const auto failing = queue.take();
    ASSERT_TRUE(failing);
    std::atomic<std::size_t> answered{0};
    std::thread other([&] {
      while (const auto piece = queue.take()) {
        answered += piece->end - piece->begin;
        queue.done();
      }
    });
    queue.give_back(*failing);
    other.join();
    EXPECT_EQ(answered, items.size());
  }
}

TEST(PieceQueue, OnceAbandonedThereIsNothing) {
  const auto items = items_in_groups(10, 1);
  PieceQueue queue(items, false, 3);
  ASSERT_TRUE(queue.take());
  queue.abandon();
  EXPECT_FALSE(queue.take());
}

}  // namespace
}  // namespace tocsin::devices::piece_queue_test
