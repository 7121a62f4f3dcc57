// `tocsin view` without a window, on the pole's take.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/scenes.h"
#include "support/contains.h"

namespace tocsin::test::view_test {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;

/// Small: drawn by the CPU it is fast.
inline const Texts kSmall{"--offscreen", "--size", "1000x640"};

/// Skips, by name, where there is no OpenGL or no Dear ImGui (TOCSIN_NEEDS_GL=1: no OpenGL fails).
class View : public testing::Test {
 protected:
  void SetUp() override {
    static const CommandResult tried = [this] {
      return view("", {"take.bvh", "--env", "room.obj", "--avatar", "./pole.json"});
    }();
    if (tried.status == 0) return;
    if (contains(tried.err, "Dear ImGui")) GTEST_SKIP() << tried.err;
    if (std::getenv("TOCSIN_NEEDS_GL") != nullptr) FAIL() << tried.err;
    GTEST_SKIP() << tried.err;
  }
  CommandResult view(const std::string& script, Texts inputs, Texts more = kSmall) const {
    scene.write("s.txt", script);
    inputs.insert(inputs.begin(), "view");
    inputs.insert(inputs.end(), {"--script", "s.txt"});
    inputs.insert(inputs.end(), more.begin(), more.end());
    return run_tocsin(inputs, scene.path());
  }
  /// What `tell` said, line by line, of a view of the pole.
  std::vector<Json> told(const std::string& script, const Texts& more = {}) const {
    Texts inputs{"take.bvh", "--env", "room.obj", "--avatar", "./pole.json"};
    inputs.insert(inputs.end(), more.begin(), more.end());
    const CommandResult done = view(script, inputs);
    EXPECT_EQ(done.status, 0) << done.err;
    std::vector<Json> out;
    for (const std::string& line : lines_of(done.out)) out.push_back(Json::parse(line));
    return out;
  }
  PoleScene scene;
};

}  // namespace tocsin::test::view_test
