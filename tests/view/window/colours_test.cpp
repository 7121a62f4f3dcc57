// The colours of a window: those of the pages, and far apart for everybody.
// Simulation: G. Machado, M. Oliveira, L. Fernandes, "A Physiologically-based Model for Simulation
// of Color Vision Deficiency", IEEE TVCG 15(6), 2009, severity 1.0, in linear RGB. Distance: CIE
// 1976 dE in L*a*b* (D65); 2.3 is just noticeable. As tests/browser/colours.py has both.
#include "view/colours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "view/window/live_scene.h"
#include "view/window/pole_story.h"

namespace tocsin::view::colours_test {
namespace {

using Rows = std::array<std::array<double, 3>, 3>;

struct Sight {
  const char* who;
  double least;  ///< the least distance that is asked for
  Rows rows;
};

/// Those who see no colours have lightness alone, and the outline.
constexpr std::array<Sight, 5> kSights{
    {{"everybody else", 20.0, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
     {"protanopes",
      20.0,
      {{{0.152286, 1.052583, -0.204868},
        {0.114503, 0.786281, 0.099216},
        {-0.003882, -0.048116, 1.051998}}}},
     {"deuteranopes",
      20.0,
      {{{0.367322, 0.860646, -0.227968},
        {0.280085, 0.672501, 0.047413},
        {-0.011820, 0.042940, 0.968881}}}},
     {"tritanopes",
      20.0,
      {{{1.255528, -0.076749, -0.178779},
        {-0.078411, 0.930809, 0.147602},
        {0.004733, 0.691367, 0.303900}}}},
     {"those who see no colours",
      10.0,
      {{{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}}}}}};

std::array<double, 3> times(const Rows& rows, const std::array<double, 3>& v) {
  std::array<double, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) out.at(i) += rows.at(i).at(j) * v.at(j);
  }
  return out;
}

std::array<double, 3> lab_of(const Colour& colour, const Sight& sight) {
  const Colour linear = to_linear(colour);
  std::array<double, 3> rgb = times(sight.rows, {linear.r, linear.g, linear.b});
  for (double& c : rgb) c = std::clamp(c, 0.0, 1.0);
  constexpr Rows kXyz{{{0.4124564, 0.3575761, 0.1804375},
                       {0.2126729, 0.7151522, 0.0721750},
                       {0.0193339, 0.1191920, 0.9503041}}};
  constexpr std::array<double, 3> kWhite{0.95047, 1.0, 1.08883};
  std::array<double, 3> f = times(kXyz, rgb);
  for (std::size_t i = 0; i < 3; ++i) {
    const double t = f.at(i) / kWhite.at(i);
    constexpr double kSmall = 6.0 / 29.0;
    f.at(i) =
        t > kSmall * kSmall * kSmall ? std::cbrt(t) : t / (3.0 * kSmall * kSmall) + 4.0 / 29.0;
  }
  return {116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])};
}

double apart(const Colour& a, const Colour& b, const Sight& sight) {
  const auto p = lab_of(a, sight);
  const auto q = lab_of(b, sight);
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

TEST(TouchingLinks, DifferFromTheOthersOfTheirAvatarForEverybody) {
  constexpr int kAvatars = 8;  // as many differ
  for (const Sight& sight : kSights) {
    for (int avatar = 0; avatar < kAvatars; ++avatar) {
      const Colour own = avatar_colour(avatar);
      for (const auto status :
           {ContactStatus::kHit, ContactStatus::kOverlap, ContactStatus::kGraze}) {
        const Colour kind = kind_colour(status);
        EXPECT_GE(apart(kind, pale_colour(own), sight), sight.least)
            << sight.who << ", avatar " << avatar << ", kind " << static_cast<int>(status);
        EXPECT_GE(apart(kind, picked_pale_colour(own), sight), sight.least)
            << sight.who << ", avatar " << avatar << ", picked";
      }
    }
  }
}

constexpr std::array<ContactStatus, 3> kStatuses{ContactStatus::kHit, ContactStatus::kOverlap,
                                                 ContactStatus::kGraze};

// At rest an avatar must not look as if it touched: in films, pictures and pages, too.
TEST(AvatarsAtRest, DifferFromEveryKindForEverybody) {
  constexpr int kAvatars = 8;
  constexpr double kLeast = 28.0;
  constexpr double kLeastOfLightness = 10.0;
  for (const Sight& sight : kSights) {
    const bool grey = &sight == &kSights.back();
    for (int avatar = 0; avatar < kAvatars; ++avatar) {
      for (const ContactStatus status : kStatuses) {
        EXPECT_GE(apart(kind_colour(status), avatar_colour(avatar), sight),
                  grey ? kLeastOfLightness : kLeast)
            << sight.who << ", avatar " << avatar << ", kind " << static_cast<int>(status);
      }
    }
  }
  for (int avatar = 0; avatar < kAvatars; ++avatar) {
    EXPECT_GE(apart(kContactColour, avatar_colour(avatar), kSights[0]), kLeast) << avatar;
    for (int other = 0; other < avatar; ++other) {
      EXPECT_GE(apart(avatar_colour(other), avatar_colour(avatar), kSights[0]), kLeast)
          << avatar << " and " << other;
    }
  }
  // What it is for: a yellow avatar is taken for a graze, an orange one for a hit.
  EXPECT_LT(apart(kind_colour(ContactStatus::kGraze), {0.90F, 0.76F, 0.20F}, kSights[2]), 10.0);
  EXPECT_LT(apart(kind_colour(ContactStatus::kHit), {0.925F, 0.545F, 0.196F}, kSights[2]), 13.0);
}

/// A pole of two links, which the story's contacts name.
std::shared_ptr<Story> two_links() {
  auto story = test::pole_story();
  StoryFigure& figure = story->figures[0];
  figure.avatar = Avatar::create("pole", figure.avatar.skeleton(),
                                 {{"pole", 0, {0, 0, 0}, {0, 1.7, 0}, 0.1},
                                  {"flag", 0, {0, 1.7, 0}, {0, 1.9, 0}, 0.1}})
                      .value();
  return story;
}

TEST(TouchingLinks, StandOutAndTheOthersArePale) {
  const auto story = two_links();
  LiveScene live(story);
  const auto colour = [](const LinkPlace& place) {
    return Colour{place.colour[0], place.colour[1], place.colour[2]};
  };
  live.set_time(0.1);  // free
  auto places = live.places(std::nullopt);
  ASSERT_EQ(places.size(), 2U);
  for (const LinkPlace& place : places) {
    EXPECT_EQ(colour(place), avatar_colour(0));
    EXPECT_EQ(place.colour[3], 1.0F);
  }
  live.set_time(0.25);  // Shelf is hit
  places = live.places(Followed{0, 1});
  EXPECT_EQ(colour(places[0]), kind_colour(ContactStatus::kHit));
  EXPECT_EQ(places[0].colour[3], kOutlined);
  EXPECT_EQ(colour(places[1]), picked_pale_colour(avatar_colour(0)));
  EXPECT_EQ(places[1].colour[3], 1.0F);
  EXPECT_EQ(colour(live.places(std::nullopt)[1]), pale_colour(avatar_colour(0)));
}

// In step 2 Shelf is hit, and later Wall may be touched: the link touches.
TEST(TouchingLinks, AreNotPaintedOverByAGraze) {
  const auto story = two_links();
  story->contacts[1].told.status = ContactStatus::kGraze;
  LiveScene live(story);
  live.set_time(0.29);
  ASSERT_EQ(live.touching().size(), 2U);
  const LinkPlace place = live.places(std::nullopt)[0];
  const Colour hit = kind_colour(ContactStatus::kHit);
  EXPECT_EQ(place.colour, (std::array<float, 4>{hit.r, hit.g, hit.b, kOutlined}));
}

}  // namespace
}  // namespace tocsin::view::colours_test
