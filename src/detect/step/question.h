// What a backend is asked: a step of a member, at an instant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>

#include "tocsin/member.h"
#include "tocsin/motion.h"

namespace tocsin::detect {

/// One of many steps that are asked about at once. What is pointed to must outlive the answer.
struct Question {
  const Member* member = nullptr;
  const Step* step = nullptr;
  std::size_t instant = 0;  ///< questions are sorted by (instant, avatar)
  std::int32_t avatar = 0;  ///< how reports call the member
};

/// How many steps are asked about at once.
struct QuestionOptions {
  bool meet = false;      ///< avatars of one instant meet
  bool parallel = false;  ///< on all threads of the current arena
  std::stop_token stop = {};
};

}  // namespace tocsin::detect
