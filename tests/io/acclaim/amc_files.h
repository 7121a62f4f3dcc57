// A small skeleton and motion, hand-made, for the tests of the ASF and AMC readers.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "io/acclaim/amc.h"
#include "io/acclaim/asf.h"

namespace tocsin::test {

/// A metre a unit. The arm lies along x, the hand stands on its end along y, and its axes are
/// turned by 90 degrees about z: its x is the world's y.
inline constexpr const char* kSmallAsf = R"(# hand-made
:version 1.10
:name small
:units
  mass 1.0
  length 0.0254
  angle deg
:documentation
  :-) nothing of this (is a field) # begin
  root 1 2 3
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name arm
    direction 1 0 0
    length 2
    axis 0 0 0 XYZ
    dof rx ry rz
    limits (-180.0 180.0)
           (-180, 180)
           (-inf inf)
    bodymass 10
    cofmass 1.0
  end
  begin
    id 2
    name hand
    direction 0 1 0
    length 1
    axis 0 0 90 XYZ
    dof rx
    limits (-10 10)
  end
:hierarchy
  begin
    root arm
    arm hand
  end
)";

inline constexpr const char* kSmallAmc = R"(#!OML:ASF C:\small.asf
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 0 0 0
arm 90 90 0
hand 90
2
root 0 1 0 -1.6201e-014 0 0
arm 0 0 0
hand 0
)";

/// `text` with its only or first `from` changed.
inline std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// A change that spoils a file, and what is then said of which line.
struct BadCase {
  const char* from;
  const char* to;
  int line;
  const char* message;
};

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

template <class T>
void expect_input_error(const Result<T>& read, const std::string& message) {
  ASSERT_FALSE(read.ok()) << message;
  EXPECT_EQ(read.error().code, ErrorCode::kInput);
  EXPECT_EQ(read.error().message, message);
}

inline Result<Motion> parse(std::string_view asf, std::string_view amc,
                            const MotionOptions& options = {}) {
  const Result<io::AsfSkeleton> skeleton = io::parse_asf(asf, "small.asf");
  if (!skeleton.ok()) return skeleton.error();
  return io::parse_amc(amc, "take.amc", *skeleton, options);
}

}  // namespace tocsin::test
