// Texts of takes that are spoilt in one place, and what is said of them.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tocsin/motion.h"

namespace tocsin::io {

/// One change, and the line and words of the refusal.
struct BadCase {
  const char* from;
  const char* to;
  int line;
  const char* phrase;
};

/// The text with `to` in place of the first `from`.
inline std::string with_change(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// Refused, with a message that starts so and contains the phrase.
inline void expect_refusal(const Result<Motion>& motion, const std::string& start,
                           const std::string& phrase) {
  ASSERT_FALSE(motion.ok()) << phrase;
  EXPECT_EQ(motion.error().code, ErrorCode::kInput);
  EXPECT_TRUE(motion.error().message.starts_with(start))
      << motion.error().message << " != " << start;
  EXPECT_NE(motion.error().message.find(phrase), std::string::npos)
      << motion.error().message << " lacks " << phrase;
}

}  // namespace tocsin::io
