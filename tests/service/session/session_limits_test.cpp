// What a session may be made of: pairs, patterns, a margin.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "service/session/session_fixture.h"
#include "service/session/session_setup.h"

namespace tocsin::service::session_limits_test {
namespace {

/// Objects of one triangle each, 2 m and more from the origin, with names of `length` bytes.
Environment many_objects(std::size_t count, std::size_t length = 8) {
  std::vector<ObjectMesh> meshes(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    meshes[i].name = std::string(length - number.size(), 'a') + number;
    const float x = 2.0F + static_cast<float>(i);
    meshes[i].vertices = {{x, 0, 0}, {x + 0.5F, 0, 0}, {x, 0.5F, 0}};
    meshes[i].triangles = {{0, 1, 2}};
  }
  return Environment::create(std::move(meshes)).value();
}

class SessionLimitsTest : public test::SessionTest {
 protected:
  /// What a session of `links` links in the room is refused with; an empty message: it is made.
  Problem made(const Room& room, std::size_t links) {
    TrackOptions options = options_;
    options.model->links.resize(links, options.model->links[0]);
    for (std::size_t i = 0; i < links; ++i) options.model->links[i].name = std::to_string(i);
    Problem problem;
    const auto setup = SessionSetup::make(options, room, *rig_.principal, problem);
    EXPECT_EQ(setup.has_value(), problem.message.empty()) << problem.message;
    return problem;
  }
};

TEST_F(SessionLimitsTest, PairsAreLimitedWithPatternsAndWithout) {
  const auto fits = test::room_of(many_objects(2048));  // 2^11; 128 links make 2^18 pairs
  const auto too_many = test::room_of(many_objects(2049));
  for (const bool patterns : {false, true}) {
    options_.spec.ignore.clear();
    if (patterns) options_.spec.ignore = {"*:*"};
    EXPECT_EQ(made(*fits, 128).message, "");
    const Problem problem = made(*too_many, 128);
    EXPECT_EQ(problem.refusal, Refusal::kOverloaded);
    EXPECT_NE(problem.message.find("128 links and 2049 objects make 262272 pairs; the limit is "
                                   "262144"),
              std::string::npos)
        << problem.message;
  }
}

TEST_F(SessionLimitsTest, MorePairsWithTheFirstContactOnly) {
  options_.spec.contacts = Contacts::kFirst;
  const auto fits = test::room_of(many_objects(4096));  // 2^12; 1024 links make 2^22 pairs
  EXPECT_EQ(made(*fits, 1024).message, "");
  const auto too_many = test::room_of(many_objects(4097));
  const Problem problem = made(*too_many, 1024);
  EXPECT_EQ(problem.refusal, Refusal::kOverloaded);
  EXPECT_NE(problem.message.find("1024 links and 4097 objects"), std::string::npos)
      << problem.message;
}

TEST_F(SessionLimitsTest, PatternsAreLimitedByTheTextTheyAreMatchedWith) {
  // 4,000 names of 256 bytes, 1,024,000 in all, beside one of a link's: 2^28 is 262 times that.
  const auto room = test::room_of(many_objects(4000, 256));
  options_.spec.ignore = {std::string(200, '?') + ":*", std::string(58, '?') + ":*"};  // 262 bytes
  EXPECT_EQ(made(*room, 1).message, "");
  options_.spec.ignore[1] += "*";
  const Problem problem = made(*room, 1);
  EXPECT_EQ(problem.refusal, Refusal::kOverloaded);
  EXPECT_EQ(problem.message,
            "ignore: 2 patterns with 263 bytes, and 1024001 bytes of links' and objects' names: "
            "the limit of their product is 268435456");
}

TEST_F(SessionLimitsTest, MarginsReachNoFurtherThanTenMetres) {
  options_.spec.margin = 10.0;
  EXPECT_EQ(made(*room_, 1).message, "");
  options_.spec.margin = std::nextafter(10.0, 11.0);
  EXPECT_EQ(made(*room_, 1).message, "margin is 10.000000000000002; must be from 0 to 10 m");
  options_.spec.margin = HUGE_VAL;
  EXPECT_EQ(made(*room_, 1).refusal, Refusal::kInvalid);
  options_.spec.margin = std::nan("");
  EXPECT_EQ(made(*room_, 1).refusal, Refusal::kInvalid);
}

}  // namespace
}  // namespace tocsin::service::session_limits_test
