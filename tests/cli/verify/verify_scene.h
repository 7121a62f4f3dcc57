// A report to verify: changed, or with other files beside it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/scenes.h"

namespace tocsin::test {

/// A scene with the report of its check.
class Verify : public testing::Test {
 protected:
  void SetUp() override { make({}); }

  void make(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = more;
    arguments.insert(arguments.end(), {"--out", "report.jsonl"});
    const CommandResult result = scene_.check(arguments);
    ASSERT_EQ(result.status, 0) << result.err;
    report_ = scene_.read("report.jsonl");
  }

  [[nodiscard]] CommandResult verify(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"verify", "report.jsonl"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_tocsin(arguments, scene_.path());
  }

  /// Writes the report with the first `from` replaced, and verifies it.
  [[nodiscard]] CommandResult verify_changed(const std::string& from, const std::string& to) const {
    std::string text = report_;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    scene_.write("report.jsonl", text);
    return verify();
  }

  PoleScene scene_;
  std::string report_;
};

}  // namespace tocsin::test
