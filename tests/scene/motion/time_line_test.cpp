// Several takes on one time line.
#include "tocsin/time_line.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <Eigen/Dense>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/sanitized.h"

namespace tocsin::time_line_test {
namespace {

using Bits = std::vector<std::uint64_t>;

Bits bits_of(std::span<const Transform> pose) {
  Bits out;
  for (const Transform& t : pose) {
    for (const double x : {t.rotation.w, t.rotation.x, t.rotation.y, t.rotation.z, t.translation.x,
                           t.translation.y, t.translation.z}) {
      out.push_back(std::bit_cast<std::uint64_t>(x));
    }
  }
  return out;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double in(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Transform transform() {
    std::normal_distribution<double> normal;
    const Quat q{normal(engine_), normal(engine_), normal(engine_), normal(engine_)};
    const double n = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {{q.w / n, q.x / n, q.y / n, q.z / n}, {in(-3, 3), in(-3, 3), in(-3, 3)}};
  }

 private:
  std::mt19937_64 engine_;
};

Skeleton chain(int joints) {
  std::vector<Joint> out;
  for (int j = 0; j < joints; ++j) out.push_back({"j" + std::to_string(j), j - 1, {}});
  return *Skeleton::create(out);
}

std::vector<Transform> random_poses(Random& random, int frames, int joints) {
  std::vector<Transform> out;
  for (int i = 0; i < frames * joints; ++i) out.push_back(random.transform());
  return out;
}

Motion even(Random& random, int frames, double frame_time, int joints = 2) {
  return *Motion::create(chain(joints), frame_time, random_poses(random, frames, joints));
}

/// Frame f of one joint at (f, 0, 0).
Motion line(std::vector<double> seconds) {
  std::vector<Transform> poses;
  for (std::size_t f = 0; f < seconds.size(); ++f) {
    poses.push_back({{}, {static_cast<double>(f), 0.0, 0.0}});
  }
  return *Motion::create_timed(chain(1), 1.0, std::move(seconds), poses);
}

/// x of the joint at each instant that the take has steps at.
std::vector<double> x_of(const StepList& steps) {
  std::vector<double> out;
  for (const Step& step : steps) {
    if (out.empty()) out.push_back(step.pose0()[0].translation.x);
    EXPECT_EQ(out.back(), step.pose0()[0].translation.x);
    out.push_back(step.pose1()[0].translation.x);
  }
  return out;
}

using Numbers = std::vector<double>;

TEST(TimeLine, ASingleTakeKeepsItsOwnPosesAndTimes) {
  Random random(1);
  const std::vector<Motion> motions{
      even(random, 9, 1.0 / 120.0),
      *Motion::create_timed(chain(2), 0.5, {3, 4, 4.25, 9, 9.5, 17, 20, 21, 22},
                            random_poses(random, 9, 2))};
  for (const Motion& motion : motions) {
    for (const StepRange range :
         {StepRange{}, StepRange{1, 7, 4}, StepRange{2, -1, 3, InBetween::kTranslateRotate}}) {
      const StepList own = motion.steps(range).value();
      const TakePart take{motion, range};
      for (const Absence absence : {Absence::kGone, Absence::kStays}) {
        const auto line = on_one_time_line({&take, 1}, absence);
        ASSERT_TRUE(line.ok()) << line.error().message;
        ASSERT_EQ(line->steps.size(), 1U);
        ASSERT_EQ(line->steps[0].size(), own.size());
        ASSERT_EQ(line->instants.size(), own.size() + 1);
        for (std::size_t k = 0; k < own.size(); ++k) {
          const Step& step = line->steps[0][k];
          const auto index = static_cast<std::int64_t>(k);
          EXPECT_EQ(step.index(), index);
          EXPECT_EQ(step.frames(), (std::array<std::int64_t, 2>{index, index + 1}));
          EXPECT_EQ(step.in_between(), range.in_between);
          EXPECT_EQ(bits_of(step.pose0()), bits_of(own[k].pose0()));
          EXPECT_EQ(bits_of(step.pose1()), bits_of(own[k].pose1()));
          EXPECT_EQ(step.seconds(0.0), own[k].seconds(0.0));
          EXPECT_EQ(step.seconds(0.0), line->instants[k]);
          EXPECT_EQ(step.seconds(1.0), own[k].seconds(1.0));
          EXPECT_EQ(step.skeleton().size(), 2);
        }
      }
    }
  }
}

// Times in 1/1800 s: the frames of 120, 60, 100 and 90 Hz are at multiples of 15, 30, 18 and 20.
TEST(TimeLine, CutsAtTheUnionOfAllFrameTimes) {
  struct Rate {
    double hz;
    int ticks;
    int frames;
    int start;  ///< ticks
  };
  const std::vector<Rate> rates{
      {120, 15, 40, 0}, {60, 30, 31, 7}, {100, 18, 11, 0}, {90, 20, 50, 95}};
  Random random(2);
  std::vector<TakePart> takes;
  std::set<int> expected;
  for (const Rate& rate : rates) {
    takes.push_back({even(random, rate.frames, 1.0 / rate.hz), {}, rate.start / 1800.0});
    for (int f = 0; f < rate.frames; ++f) expected.insert(rate.start + f * rate.ticks);
  }
  const auto line = on_one_time_line(takes);
  ASSERT_TRUE(line.ok()) << line.error().message;
  const std::vector<int> ticks(expected.begin(), expected.end());
  ASSERT_EQ(line->instants.size(), ticks.size());
  for (std::size_t k = 0; k < ticks.size(); ++k) {
    EXPECT_NEAR(line->instants[k], ticks[k] / 1800.0, 1e-12);
  }
  for (std::size_t i = 0; i < takes.size(); ++i) {
    const int first = rates[i].start;
    const int last = first + (rates[i].frames - 1) * rates[i].ticks;
    std::size_t seen = 0;
    for (const Step& step : line->steps[i]) {
      const auto k = static_cast<std::size_t>(step.index());
      ASSERT_LT(k + 1, ticks.size());
      EXPECT_EQ(step.seconds(0.0), line->instants[k]);
      EXPECT_EQ(step.seconds(1.0), line->instants[k + 1]);
      EXPECT_EQ(ticks[k], seen == 0 ? first : ticks[k]);
      // Where the take has a frame its pose is there, bit for bit; elsewhere between the two.
      if ((ticks[k] - first) % rates[i].ticks == 0) {
        const int frame = (ticks[k] - first) / rates[i].ticks;
        EXPECT_EQ(bits_of(step.pose0()), bits_of(takes[i].motion.pose(frame)));
        EXPECT_EQ(static_cast<std::size_t>(frame), seen++);
      }
    }
    EXPECT_EQ(ticks[static_cast<std::size_t>(line->steps[i].back().index()) + 1], last);
    EXPECT_EQ(bits_of(line->steps[i].back().pose1()),
              bits_of(takes[i].motion.pose(rates[i].frames - 1)));
    EXPECT_EQ(seen + 1, static_cast<std::size_t>(rates[i].frames));
  }
}

using Real = long double;
using Screw = Eigen::Transform<Real, 3, Eigen::Isometry>;

Screw to_eigen(const Transform& t) {
  Screw out = Screw::Identity();
  out.linear() = Eigen::Quaternion<Real>(t.rotation.w, t.rotation.x, t.rotation.y, t.rotation.z)
                     .normalized()
                     .toRotationMatrix();
  out.translation() << t.translation.x, t.translation.y, t.translation.z;
  return out;
}

Screw power(const Screw& base, int exponent) {
  Screw out = Screw::Identity();
  for (int i = 0; i < exponent; ++i) out = base * out;
  return out;
}

/// The displacement of joint j over a step, in its parent's frame.
Screw displacement(const Step& step, std::size_t j) {
  return to_eigen(step.pose1()[j]) * to_eigen(step.pose0()[j]).inverse();
}

/// One take with frames at 0 and 1 s, cut by one with frames at these eighths.
StepList cut_in_eighths(const Motion& whole, InBetween in_between,
                        const std::vector<int>& eighths) {
  std::vector<double> seconds;
  for (const int e : eighths) seconds.push_back(e / 8.0);
  const std::vector<TakePart> takes{{whole, {.in_between = in_between}}, {line(seconds)}};
  const auto made = on_one_time_line(takes);
  EXPECT_TRUE(made.ok()) << made.error().message;
  return made->steps[0];
}

// A step from p0 to p1 moves by D = p1 p0^-1. The displacement E over its first eighth is the one
// of which eight make D and that turns by at most 180/8 degrees; over n eighths it is E^n. Only
// products in long double, no logarithm and no trigonometry.
TEST(TimeLine, APartOfAScrewIsOnTheWholeScrew) {
  Random random(3);
  const std::vector<int> eighths{0, 1, 3, 4, 7, 8};
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Motion whole = even(random, 2, 1.0, 3);
    const StepList cuts = cut_in_eighths(whole, InBetween::kScrew, eighths);
    ASSERT_EQ(cuts.size(), 5U);
    for (std::size_t j = 0; j < 3; ++j) {
      const Screw d = to_eigen(whole.pose(1)[j]) * to_eigen(whole.pose(0)[j]).inverse();
      const Screw e = displacement(cuts[0], j);
      EXPECT_LT((power(e, 8).matrix() - d.matrix()).norm(), 1e-12L);
      // The trace of a turn by a is 1 + 2 cos a; cos(22.5 degrees) = 0.9238...
      EXPECT_GE(e.linear().trace(), 1.0L + 2.0L * 0.92387953251L - 1e-9L);
      for (std::size_t k = 0; k < cuts.size(); ++k) {
        const int n = eighths[k + 1] - eighths[k];
        EXPECT_LT((displacement(cuts[k], j).matrix() - power(e, n).matrix()).norm(), 1e-12L);
      }
      // The cut step's own in-between motion goes on along the same screw: cuts[2] is the fourth
      // eighth; after half of the fifth to seventh, cuts[3], 5.5 eighths are gone: twice that, 11.
      const std::vector<Transform> half =
          pose_between(cuts[3].pose0(), cuts[3].pose1(), cuts[3].in_between(), 0.5);
      const Screw gone = to_eigen(half[j]) * to_eigen(whole.pose(0)[j]).inverse();
      EXPECT_LT((power(gone, 2).matrix() - power(e, 11).matrix()).norm(), 1e-12L);
    }
  }
}

TEST(TimeLine, APartOfATranslationAndTurnIsOnTheWholeOne) {
  Random random(4);
  const std::vector<int> eighths{0, 1, 2, 7, 8};
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Motion whole = even(random, 2, 1.0);
    const StepList cuts = cut_in_eighths(whole, InBetween::kTranslateRotate, eighths);
    ASSERT_EQ(cuts.size(), 4U);
    for (std::size_t j = 0; j < 2; ++j) {
      const Screw p0 = to_eigen(whole.pose(0)[j]);
      const Screw p1 = to_eigen(whole.pose(1)[j]);
      const Screw e = displacement(cuts[0], j);
      const Screw d = p1 * p0.inverse();
      EXPECT_LT((power(e, 8).linear() - d.linear()).norm(), 1e-12L);
      for (std::size_t k = 0; k < cuts.size(); ++k) {
        const Screw at = to_eigen(cuts[k].pose1()[j]);
        const Real t = eighths[k + 1] / Real(8);
        EXPECT_LT((at.translation() - (p0.translation() * (1 - t) + p1.translation() * t)).norm(),
                  1e-12L);
        EXPECT_LT((at.linear() - power(e, eighths[k + 1]).linear() * p0.linear()).norm(), 1e-12L);
      }
    }
  }
}

TEST(TimeLine, GoneOrStaysOutsideItsOwnTime) {
  // 0 .. 4 s; 1.5 .. 3 s; a single frame at 2 s.
  const std::vector<TakePart> takes{
      {line({0, 2, 4})}, {line({0, 1.5}), {}, 1.5}, {line({0, 1, 2}), {1, 1}, 1.0}};
  const auto gone = on_one_time_line(takes, Absence::kGone);
  ASSERT_TRUE(gone.ok());
  EXPECT_EQ(gone->instants, (Numbers{0, 1.5, 2, 3, 4}));
  EXPECT_EQ(x_of(gone->steps[0]), (Numbers{0, 0.75, 1, 1.5, 2}));
  ASSERT_EQ(gone->steps[1].size(), 2U);
  EXPECT_EQ(gone->steps[1][0].index(), 1);
  EXPECT_EQ(gone->steps[1][0].seconds(0.5), 1.75);
  EXPECT_EQ(gone->steps[1][1].frames(), (std::array<std::int64_t, 2>{2, 3}));
  EXPECT_NEAR(gone->steps[1][1].pose0()[0].translation.x, 1.0 / 3.0, 1e-15);
  EXPECT_EQ(gone->steps[1][1].pose1()[0].translation.x, 1.0);
  EXPECT_TRUE(gone->steps[2].empty());

  const auto stays = on_one_time_line(takes, Absence::kStays);
  ASSERT_TRUE(stays.ok());
  EXPECT_EQ(stays->instants, gone->instants);
  EXPECT_EQ(x_of(stays->steps[0]), x_of(gone->steps[0]));
  const Numbers second = x_of(stays->steps[1]);
  ASSERT_EQ(second.size(), 5U);
  EXPECT_EQ(second[0], 0.0);
  EXPECT_EQ(second[1], 0.0);
  EXPECT_EQ(second[3], 1.0);
  EXPECT_EQ(second[4], 1.0);
  EXPECT_EQ(x_of(stays->steps[2]), (Numbers{1, 1, 1, 1, 1}));
  for (const StepList& steps : stays->steps) {
    ASSERT_EQ(steps.size(), 4U);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(steps[k].index(), static_cast<std::int64_t>(k));
  }
}

TEST(TimeLine, OnlySelectedFramesCut) {
  // Frames 1, 3, 5 and 6 of the first, at 1, 3, 5 and 6 s; frame 2 of the second is at 4 s.
  const std::vector<TakePart> takes{{line({0, 1, 2, 3, 4, 5, 6, 7}), {1, 6, 2}},
                                    {line({0, 1, 3}), {1, -1}, 1.0}};
  const auto made = on_one_time_line(takes);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->instants, (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(x_of(made->steps[0]), (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(x_of(made->steps[1]), (Numbers{1, 1.5, 2}));
  EXPECT_EQ(made->steps[1][0].index(), 1);
}

TEST(TimeLine, InstantsWithinANanosecondAreOne) {
  const auto instants = [](const std::vector<Numbers>& seconds) {
    std::vector<TakePart> takes;
    for (const Numbers& s : seconds) {
      takes.push_back({line({0, s[1] - s[0]}), {}, s[0]});
    }
    const auto made = on_one_time_line(takes);
    EXPECT_TRUE(made.ok()) << made.error().message;
    for (const StepList& steps : made->steps) {
      EXPECT_EQ(steps.front().pose0()[0].translation.x, 0.0);
      EXPECT_EQ(steps.back().pose1()[0].translation.x, 1.0);
    }
    return made->instants;
  };
  EXPECT_EQ(instants({{0, 1}, {0.9e-9, 1}}).size(), 2U);
  EXPECT_EQ(instants({{0, 1}, {1.1e-9, 1}}).size(), 3U);
  // Each joins the first of its instant, not the last: no chain grows without end.
  EXPECT_EQ(instants({{0, 1}, {0.6e-9, 1}, {1.2e-9, 1}}), (Numbers{0, 1.2e-9, 1}));
  // The order of the takes does not matter.
  EXPECT_EQ(instants({{1.2e-9, 1}, {0, 1}, {0.6e-9, 1}}), (Numbers{0, 1.2e-9, 1}));
}

TEST(TimeLine, TakesMayDiffer) {
  Random random(5);
  const std::vector<TakePart> takes{
      {even(random, 3, 0.5, 1), {.in_between = InBetween::kTranslateRotate}},
      {even(random, 4, 0.3, 5)}};
  const auto made = on_one_time_line(takes, Absence::kStays);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->instants.size(), 6U);  // 0, 0.3, 0.5, 0.6, 0.9, 1
  EXPECT_EQ(made->steps[0][1].pose1().size(), 1U);
  EXPECT_EQ(made->steps[0][1].in_between(), InBetween::kTranslateRotate);
  EXPECT_EQ(made->steps[1][1].pose1().size(), 5U);
  EXPECT_EQ(made->steps[1][1].skeleton().joints()[4].name, "j4");
  EXPECT_EQ(made->steps[1][1].in_between(), InBetween::kScrew);
}

TEST(TimeLine, RefusesWhatMakesNoSense) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const Motion good = line({0, 1, 2});
  struct Bad {
    TakePart take;
    ErrorCode code;
    const char* phrase;
  };
  for (const Bad& bad :
       std::vector<Bad>{{{Motion{}}, ErrorCode::kInput, "the motion is empty"},
                        {{good, {0, 3}}, ErrorCode::kUsage, "frames 0 to 3 are not a range"},
                        {{good, {2, 1}}, ErrorCode::kUsage, "frames 2 to 1 are not a range"},
                        {{good, {-1, 1}}, ErrorCode::kUsage, "frames -1 to 1"},
                        {{good, {0, -1, 0}}, ErrorCode::kUsage, "stride"},
                        {{good, {.still = true}}, ErrorCode::kUsage, "single frames"},
                        {{good, {}, nan}, ErrorCode::kUsage, "starts at nan s"},
                        {{good, {}, inf}, ErrorCode::kUsage, "starts at inf s"},
                        {{good, {}, -1.0001e6}, ErrorCode::kUsage, "starts at -1000100 s"},
                        {{line({0, 1, 1 + 0.5e-9})},
                         ErrorCode::kInput,
                         "frames 1 and 2 are less than a nanosecond apart"}}) {
    const std::vector<TakePart> takes{{good}, bad.take};
    const auto made = on_one_time_line(takes);
    ASSERT_FALSE(made.ok()) << bad.phrase;
    EXPECT_EQ(made.error().code, bad.code) << made.error().message;
    EXPECT_EQ(made.error().message.find("take 1: "), 0U) << made.error().message;
    EXPECT_NE(made.error().message.find(bad.phrase), std::string::npos) << made.error().message;
  }
  const auto none = on_one_time_line({});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kUsage);
}

// Frames of one take that another's instant lies between stay two, however near.
TEST(TimeLine, ATakeNeverLosesAFrame) {
  const std::vector<TakePart> takes{{line({0, 1.5e-9, 3e-9})}, {line({0, 1}), {}, -0.7e-9}};
  const auto made = on_one_time_line(takes);
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_EQ(x_of(made->steps[0]), (Numbers{0, 1, 2}));
}

TEST(TimeLine, RefusesWhatWouldNotFitBeforeItTakesMemory) {
  // 16,384 joints at 20,000 instants are 17 GiB of poses.
  const auto wide = Motion::create(chain(16'384), 1.0, std::vector<Transform>(2 * 16'384));
  const auto fine = Motion::create(chain(1), 0.5e-4, std::vector<Transform>(20'001));
  ASSERT_TRUE(wide.ok() && fine.ok());
  const std::vector<TakePart> takes{{*wide}, {*fine}};
  const auto made = on_one_time_line(takes);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, ErrorCode::kResource);
  EXPECT_NE(made.error().message.find("20001 instants"), std::string::npos) << made.error().message;
}

/// Ends the process with 0 if the time line says that its memory, 1 GiB in all, does not suffice.
[[noreturn]] void ask_for_too_much() {
  // 2000 joints at 20,000 instants are 2.2 GB of poses.
  const auto wide = Motion::create(chain(2000), 1.0, std::vector<Transform>(4000));
  const auto fine = Motion::create(chain(1), 0.5e-4, std::vector<Transform>(20'000));
  const std::vector<TakePart> takes{{*wide}, {*fine}};
  const rlimit limit{std::size_t{1} << 30U, std::size_t{1} << 30U};
  if (!wide.ok() || !fine.ok() || ::setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(2);
  const auto made = on_one_time_line(takes);
  std::_Exit(!made.ok() && made.error().code == ErrorCode::kResource ? 0 : 1);
}

TEST(TimeLine, SaysSoWhereMemoryDoesNotSuffice) {
  if (base::kSanitized) GTEST_SKIP() << "sanitizers reserve terabytes: no limit there";
  EXPECT_EXIT(ask_for_too_much(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tocsin::time_line_test
