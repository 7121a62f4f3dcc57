// Messages as the other end gets them.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tocsin/result.h"

namespace tocsin::test {

/// What the other end parses from a message's bytes.
template <class Message>
Message sent(const Message& message) {
  Message out;
  EXPECT_TRUE(out.ParseFromString(message.SerializeAsString()));
  return out;
}

template <class T>
void expect_refused(const Result<T>& result, const std::string& phrase, const std::string& what) {
  ASSERT_FALSE(result.ok()) << what;
  EXPECT_EQ(result.error().code, ErrorCode::kInput) << what;
  EXPECT_NE(result.error().message.find(phrase), std::string::npos)
      << what << ": " << result.error().message;
}

}  // namespace tocsin::test
