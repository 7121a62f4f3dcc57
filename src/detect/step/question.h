// What a backend is asked: a step of an avatar, at an instant, and which of its pairs are looked
// at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>

#include "tocsin/active_pairs.h"
#include "tocsin/avatar.h"
#include "tocsin/link_pairs.h"
#include "tocsin/motion.h"

namespace tocsin::detect {

/// Which pairs of a step are looked at.
struct Asked {
  const ActivePairs& active;
  const LinkPairs& self;
};
/// All pairs with the room, none of the avatar's own.
const Asked& all_of_the_room();

/// One of many steps that are asked about at once. What is pointed to must outlive the answer.
struct Question {
  const Avatar* avatar = nullptr;
  const Step* step = nullptr;
  Asked asked;
  std::size_t instant = 0;  ///< questions of one follow each other, in order of it and of `member`
  std::int32_t member = 0;  ///< how reports call the avatar
};

/// How many steps are asked about at once.
struct QuestionOptions {
  bool meet = false;      ///< avatars of one instant meet
  bool parallel = false;  ///< on all threads of the current arena
  std::stop_token stop = {};
};

}  // namespace tocsin::detect
