// The ring against a deque: the same elements, and none is destroyed twice or left.
#include "service/schedule/ring.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <random>
#include <utility>

namespace tocsin::service::ring_test {
namespace {

using Element = std::unique_ptr<int>;

void expect_equal(const Ring<Element>& ring, const std::deque<int>& want) {
  ASSERT_EQ(ring.size(), want.size());
  EXPECT_EQ(ring.empty(), want.empty());
  for (std::size_t i = 0; i < want.size(); ++i) ASSERT_EQ(*ring[i], want[i]) << i;
  if (want.empty()) return;
  EXPECT_EQ(*ring.front(), want.front());
  EXPECT_EQ(*ring.back(), want.back());
}

TEST(Ring, IsADeque) {
  std::mt19937 random(22);
  const auto below = [&](std::size_t n) { return random() % n; };
  Ring<Element> ring;
  std::deque<int> want;
  for (int i = 0; i < 4000; ++i) {
    const std::size_t what = below(10);
    if (what < 4) {
      ring.push_back(std::make_unique<int>(i));
      want.push_back(i);
    } else if (what < 5) {
      const std::size_t at = below(want.size() + 1);
      ring.insert(at, std::make_unique<int>(i));
      want.insert(want.begin() + static_cast<std::ptrdiff_t>(at), i);
    } else if (what < 9 && !want.empty()) {
      ring.pop_front();
      want.pop_front();
    } else if (below(20) == 0) {
      const std::size_t first = below(want.size() + 1);
      const std::size_t last = first + below(want.size() - first + 1);
      ring.erase(first, last);
      want.erase(want.begin() + static_cast<std::ptrdiff_t>(first),
                 want.begin() + static_cast<std::ptrdiff_t>(last));
    }
    expect_equal(ring, want);
  }
}

TEST(Ring, MovesWithItsElements) {
  Ring<Element> ring;
  for (int i = 0; i < 5; ++i) ring.push_back(std::make_unique<int>(i));
  ring.pop_front();
  Ring<Element> moved(std::move(ring));
  expect_equal(moved, {1, 2, 3, 4});
}

TEST(Ring, AnEmptyOneBeginsAtItsFirstPlace) {
  Ring<Element> ring;
  ring.push_back(std::make_unique<int>(1));
  const Element* const first = &ring.front();
  for (int i = 0; i < 5; ++i) {
    ring.pop_front();
    ring.push_back(std::make_unique<int>(i));
    EXPECT_EQ(&ring.front(), first);
  }
}

}  // namespace
}  // namespace tocsin::service::ring_test
