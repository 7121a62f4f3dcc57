// VRML97 texts that tests write, and what is expected of them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "io/room_queries.h"
#include "io/vrml/vrml.h"

namespace tocsin::test {

inline const std::string kHeader = "#VRML V2.0 utf8\n";

/// A Shape of one triangle.
inline const std::string kFace =
    "Shape { geometry IndexedFaceSet { coord Coordinate { point [0 0 0, 1 0 0, 0 1 0] } "
    "coordIndex [0 1 2 -1] } } ";
/// The same with its line ended.
inline const std::string kFaceLine = kFace + "\n";
inline const Corners kCorners{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};

inline std::string repeated(std::string_view part, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

/// Reads a room.wrl whose second line this begins at; fails the test if it is refused.
inline Result<Environment> parse(const std::string& body, const EnvironmentOptions& options = {}) {
  Result<Environment> room = io::parse_vrml(kHeader + body, "room.wrl", options);
  EXPECT_TRUE(room.ok()) << room.error().message << '\n' << body;
  return room;
}

/// Fails the test unless a whole room.wrl is refused with this message, and soon.
inline void expect_message(std::string_view text, const std::string& message) {
  SCOPED_TRACE(text.substr(0, 300));
  const auto begin = std::chrono::steady_clock::now();
  const Result<Environment> room = io::parse_vrml(text, "room.wrl");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  ASSERT_FALSE(room.ok());
  EXPECT_EQ(room.error().code, ErrorCode::kInput);
  EXPECT_EQ(room.error().message, message);
}

/// The same for one whose second line `body` begins at.
inline void expect_refused(const std::string& body, int line, const std::string& cause) {
  expect_message(kHeader + body, fmt::format("room.wrl:{}: {}", line, cause));
}

}  // namespace tocsin::test
