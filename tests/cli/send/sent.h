// What tests of `tocsin send` share: a take that is sent, and what must hold of the result.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "soak/serve_process.h"
#include "support/places.h"

namespace tocsin::test {

using Json = nlohmann::json;

inline const std::string kSource = source_dir();
inline const std::string kTake = kSource + "/motions/walk_and_reach.bvh";
inline const std::string kRoom = kSource + "/environments/music_room.obj";

/// send TAKE --to the server MORE... --out -, which must end with `status`; the object.
inline Json sent(const ServeProcess& server, const std::string& take, std::vector<std::string> more,
                 int status = 0) {
  std::vector<std::string> arguments{"send", take, "--to", server.address(), "--out", "-"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const CommandResult result = run_tocsin(arguments);
  EXPECT_EQ(result.status, status) << result.err;
  Json out = Json::parse(result.out, nullptr, false);
  EXPECT_TRUE(out.is_object()) << result.out << result.err;
  return out;
}

/// A report's summary.
inline Json summary_of(const CommandResult& checked) {
  EXPECT_EQ(checked.status, 0) << checked.err;
  return Json::parse(lines_of_type(checked.out, "summary").at(0));
}

inline void expect_no_gap(const Json& object) {
  EXPECT_EQ(object["gaps"], 0) << object["first_gap"];
  EXPECT_EQ(object["sessions"]["ended"], object["sessions"]["opened"]);
  EXPECT_EQ(object["problems"], Json::array());
  // Every frame that arrived is covered, or named.
  const Json& frames = object["frames"];
  const auto arrived =
      frames["sent"].get<std::int64_t>() + frames["sent_twice"].get<std::int64_t>();
  const auto covered = object["steps"].get<std::int64_t>() +
                       object["sessions"]["opened"].get<std::int64_t>();  // the first poses
  EXPECT_EQ(arrived,
            covered + frames["skipped"].get<std::int64_t>() + frames["stale"].get<std::int64_t>() +
                frames["duplicate"].get<std::int64_t>() + frames["bad"].get<std::int64_t>());
}

}  // namespace tocsin::test
