// What keys and panels change: time, what is chosen and listed, the camera.
#include "view/window/player.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "core/vector/vec.h"
#include "view/window/pole_story.h"

namespace tocsin::view::player_test {
namespace {

using test::pole_story;
using List = std::vector<std::size_t>;

double distance(const Vec3& a, const Vec3& b) { return core::norm(a - b); }

TEST(Player, BeginsAtTheFirstContact) {
  Player player(pole_story());
  EXPECT_EQ(player.chosen(), 0U);
  EXPECT_NEAR(player.now(), 0.24, 1e-12);
  EXPECT_FALSE(player.playing());
  EXPECT_TRUE(player.take_camera_wish());
  EXPECT_FALSE(player.take_camera_wish()) << "once";
}

// Where one step of an episode ends and the next begins, the next is shown, as its pose is.
TEST(Player, ShowsTheStepThatBeginsNow) {
  const auto story = pole_story();
  ASSERT_EQ(story->contacts[1].span[1], story->contacts[2].span[0]);
  EXPECT_EQ(contact_step_at(*story, story->contacts[1].span[1], 1), 2U);
  EXPECT_EQ(contact_step_at(*story, story->contacts[1].span[0], 1), 1U);
  // The last one has none behind it.
  EXPECT_EQ(contact_step_at(*story, story->contacts[4].span[1], 1), 4U);
}

TEST(Player, BeginsAtTheBeginWithoutAContact) {
  const auto story = pole_story();
  story->contacts.clear();
  story->episodes.clear();
  make_lanes(*story);
  Player player(story);
  EXPECT_EQ(player.now(), 0.0);
  EXPECT_FALSE(player.chosen());
  player.act(Action::kNextContact);
  EXPECT_FALSE(player.chosen());
  EXPECT_TRUE(story->lanes.empty());
  EXPECT_EQ(story->links, 1U);
}

TEST(Player, PlaysAsFastAsAskedAndStopsAtTheEnd) {
  Player player(pole_story());
  player.act(Action::kBegin);
  EXPECT_EQ(player.now(), 0.0);
  player.act(Action::kPlay);
  player.tick(0.1);
  EXPECT_NEAR(player.now(), 0.1, 1e-12);
  for (int i = 0; i < 9; ++i) player.act(Action::kSlower);
  EXPECT_EQ(player.speed(), kSpeeds.size() - 1) << "1/1000 is the slowest";
  player.tick(1.0);
  EXPECT_NEAR(player.now(), 0.101, 1e-12);
  for (int i = 0; i < 9; ++i) player.act(Action::kFaster);
  player.act(Action::kPlay);
  player.tick(1.0);
  EXPECT_NEAR(player.now(), 0.101, 1e-12) << "paused";
  player.act(Action::kPlay);
  player.tick(9.0);
  EXPECT_EQ(player.now(), 0.8);
  EXPECT_FALSE(player.playing());
  player.act(Action::kPlay);
  EXPECT_EQ(player.now(), 0.0) << "from the begin again";
}

TEST(Player, JumpsFromContactToContactAndAround) {
  Player player(pole_story());
  for (const double at : {0.28, 0.52, 0.76, 0.77, 0.24}) {
    player.act(Action::kNextContact);
    EXPECT_NEAR(player.now(), at, 1e-12);
  }
  player.act(Action::kPreviousContact);
  EXPECT_EQ(player.chosen(), 4U);
}

TEST(Player, JumpsFromWhereItIsIfWhatIsChosenIsFilteredOut) {
  Player player(pole_story());
  player.act(Action::kThingFilter);  // Shelf
  ASSERT_EQ(player.filters().thing, "Shelf");
  player.choose(1);
  player.seek(0.6);
  player.act(Action::kNextContact);
  EXPECT_EQ(player.chosen(), 3U);
  player.choose(1);
  player.seek(0.6);
  player.act(Action::kPreviousContact);
  EXPECT_EQ(player.chosen(), 2U);
}

TEST(Player, GoesStepByStepAndWithinAStep) {
  Player player(pole_story());
  player.act(Action::kBegin);
  player.act(Action::kNextStep);
  EXPECT_NEAR(player.now(), 0.1, 1e-12);
  player.seek(0.15);
  player.act(Action::kPreviousStep);
  EXPECT_NEAR(player.now(), 0.1, 1e-12);
  player.act(Action::kPreviousStep);
  EXPECT_NEAR(player.now(), 0.0, 1e-12);
  player.act(Action::kPreviousStep);
  EXPECT_NEAR(player.now(), 0.0, 1e-12) << "there is none before";

  player.choose(0);
  auto in = player.within();
  ASSERT_TRUE(in.has_value());
  EXPECT_EQ(in->frames, (std::array<std::int64_t, 2>{2, 3}));
  EXPECT_NEAR(in->t, 0.4, 1e-9);
  EXPECT_TRUE(in->contact);
  player.act(Action::kLater);
  EXPECT_NEAR(player.within()->t, 0.41, 1e-9);
  player.act(Action::kEarlier);
  player.act(Action::kEarlier);
  EXPECT_NEAR(player.within()->t, 0.39, 1e-9);
  player.seek_within(2.0);
  EXPECT_LT(player.now(), 0.3) << "not beyond the step";
  EXPECT_NEAR(player.now(), 0.3, 1e-6);
  player.seek(0.05);
  EXPECT_FALSE(player.within()->contact);
  EXPECT_EQ(within_text(player.story(), *player.within(), 0.5),
            "frames 0 to 1, t = 0.5000, no contact");
}

// Of several: whose step it is, and nothing about the contacts of the others.
TEST(Player, SaysWhoseStepItLooksInto) {
  const auto story = pole_story();
  StoryFigure late = test::pole_figure();
  late.name = "late";
  late.index = 1;
  late.steps = Motion::create(late.avatar.skeleton(), 0.1, {{}, {{}, {1, 0, 0}}})
                   .value()
                   .steps({0, -1, 1, InBetween::kScrew, false})
                   .value();
  story->figures.push_back(late);
  Player player(story);
  player.seek(0.05);
  EXPECT_EQ(player.within()->avatar, 0);
  EXPECT_EQ(within_text(*story, *player.within(), 0.5), "frames 0 to 1, t = 0.5000, of take");
  player.pick(Followed{1, 0});
  EXPECT_EQ(within_text(*story, *player.within(), 0.5), "frames 0 to 1, t = 0.5000, of late");
  player.follow(Followed{0, 0});
  EXPECT_EQ(player.within()->avatar, 0) << "what is followed counts more";
  player.choose(0);
  EXPECT_TRUE(player.within()->contact);
  EXPECT_EQ(within_text(*story, *player.within(), 0.5), "frames 2 to 3, t = 0.5000, of take");
  // The first one is over: the second one moves.
  std::swap(story->figures[0].steps, story->figures[1].steps);
  Player other(story);
  other.seek(0.15);
  EXPECT_EQ(other.within()->avatar, 1);
}

TEST(Player, ListsWhatTheFiltersLeave) {
  Player player(pole_story());
  EXPECT_EQ(player.listed(), (List{0, 1, 2, 3, 4}));
  player.act(Action::kThingFilter);
  EXPECT_EQ(player.listed(), (List{0, 2, 3})) << "Shelf";
  player.act(Action::kThingFilter);
  EXPECT_EQ(player.listed(), (List{1, 4})) << "Wall";
  player.act(Action::kThingFilter);
  EXPECT_EQ(player.listed().size(), 5U) << "all again";
  player.act(Action::kLinkFilter);
  EXPECT_EQ(player.filters().link, "pole");
  player.act(Action::kHits);
  EXPECT_TRUE(player.listed().empty()) << "all episodes begin with a hit";
  player.act(Action::kOverlaps);
  player.act(Action::kHits);
  EXPECT_EQ(player.listed().size(), 5U);
  player.act(Action::kNoFilter);
  EXPECT_EQ(player.filters().link, "");
  EXPECT_TRUE(player.filters().kinds[0] && player.filters().kinds[1] && player.filters().kinds[2]);
}

TEST(Player, KnowsWhatTouchesNow) {
  const auto story = pole_story();
  EXPECT_EQ(contacts_at(*story, 0.239), List{});
  EXPECT_EQ(contacts_at(*story, 0.25), List{0});
  EXPECT_EQ(contacts_at(*story, 0.29), (List{0, 1}));
  EXPECT_EQ(contacts_at(*story, 0.35), List{2});
  EXPECT_EQ(contacts_at(*story, 0.65), List{});
  EXPECT_EQ(contacts_at(*story, 0.79), (List{6, 7}));
}

TEST(Player, PosesBetweenFramesByTheProvedMotion) {
  const StoryFigure figure = test::pole_figure();
  const StoryMoment moment = moment_at(figure, 0.24);
  EXPECT_EQ(moment.step, 2U);
  EXPECT_NEAR(moment.t, 0.4, 1e-9);
  EXPECT_EQ(moment_at(figure, -1.0).step, 0U);
  EXPECT_EQ(moment_at(figure, -1.0).t, 0.0);
  EXPECT_EQ(moment_at(figure, 9.0).step, 7U);
  EXPECT_EQ(moment_at(figure, 9.0).t, 1.0);
  EXPECT_TRUE(moment_at(figure, 9.0).there);
  StoryFigure goes = figure;
  goes.goes = true;
  EXPECT_FALSE(moment_at(goes, 9.0).there);
  EXPECT_TRUE(moment_at(goes, 0.8).there);
}

TEST(Player, KeepsTimeAndEpisodeWhenItIsCheckedAgain) {
  Player player(pole_story());
  player.choose(4);
  const auto again = pole_story();
  again->episodes.erase(again->episodes.begin());  // another margin: one episode fewer
  for (StoryContact& contact : again->contacts) {
    if (contact.episode > 0) --contact.episode;
  }
  player.tell(again);
  EXPECT_EQ(player.chosen(), 3U) << "the same pair at the same time";
  EXPECT_NEAR(player.now(), 0.77, 1e-12);
  const auto none = pole_story();
  none->episodes.clear();
  none->contacts.clear();
  player.tell(none);
  EXPECT_FALSE(player.chosen());
}

TEST(Player, OrbitsAtOneDistanceAndWalksLevel) {
  Player player(pole_story());
  player.rig().look({3.0, 1.0, 4.0}, {0.0, 1.0, 0.0}, 36.0);
  for (const Action action : {Action::kTurnLeft, Action::kTurnUp, Action::kTurnRight,
                              Action::kTurnDown, Action::kTurnDown}) {
    player.act(action);
    EXPECT_NEAR(player.rig().distance(), 5.0, 1e-12);
    EXPECT_EQ(player.rig().target(), (Vec3{0.0, 1.0, 0.0}));
  }
  for (int i = 0; i < 99; ++i) player.act(Action::kTurnUp);
  EXPECT_LT(std::fabs(player.rig().camera(4, 3).forward().y), 0.9999) << "never straight down";
  player.act(Action::kNearer);
  EXPECT_NEAR(player.rig().distance(), 4.25, 1e-9);
  const Vec3 was = player.rig().eye();
  player.act(Action::kForward);
  EXPECT_EQ(player.rig().eye(), was) << "only the walk camera walks";

  player.rig().look({3.0, 1.6, 4.0}, {0.0, 1.0, 0.0}, 36.0);
  player.act(Action::kCamera);
  ASSERT_EQ(player.rig().mode(), Rig::Mode::kWalk);
  player.act(Action::kForward);
  EXPECT_EQ(player.rig().eye().y, 1.6);
  // A quarter of a metre along (-3, 0, -4) / 5.
  EXPECT_NEAR(distance(player.rig().eye(), {3.0 - 0.15, 1.6, 4.0 - 0.2}), 0.0, 1e-12);
  player.act(Action::kBack);
  player.act(Action::kStepRight);
  EXPECT_NEAR(distance(player.rig().eye(), {3.0 + 0.2, 1.6, 4.0 - 0.15}), 0.0, 1e-12);
  const Vec3 eye = player.rig().eye();
  player.act(Action::kTurnLeft);
  EXPECT_EQ(player.rig().eye(), eye) << "it turns where it stands";
}

TEST(Player, FollowsALinkAndStops) {
  Player player(pole_story());
  player.act(Action::kFollow);
  ASSERT_TRUE(player.followed().has_value());
  EXPECT_EQ(player.name_of(*player.followed()), "pole");
  player.followed_at({1.0, 0.85, 0.0});
  EXPECT_EQ(player.rig().target(), (Vec3{1.0, 0.85, 0.0}));
  const Vec3 from = player.rig().eye();
  player.followed_at({1.5, 0.85, 0.25});
  EXPECT_NEAR(distance(player.rig().eye() - from, {0.5, 0.0, 0.25}), 0.0, 1e-12);
  player.act(Action::kCancel);
  EXPECT_FALSE(player.followed());
  player.follow(Followed{-1, 1}, false);
  EXPECT_EQ(player.name_of(*player.followed()), "Shelf");
  const Vec3 target = player.rig().target();
  player.followed_at({9.0, 9.0, 9.0});
  EXPECT_EQ(player.rig().target(), target) << "asked not to centre";
}

TEST(Player, MeasuresBetweenTwoPoints) {
  Player player(pole_story());
  player.measure({0.0, 0.0, 0.0});
  player.measure({3.0, 0.0, 4.0});
  EXPECT_EQ(player.tape().size(), 2U);
  player.measure({1.0, 0.0, 0.0});
  ASSERT_EQ(player.tape().size(), 1U) << "the next tape";
  EXPECT_EQ(player.tape()[0].x, 1.0);
  player.act(Action::kCancel);
  EXPECT_TRUE(player.tape().empty());
}

TEST(Player, TogglesWhatIsShown) {
  Player player(pole_story());
  const Shown& shown = player.shown();
  player.act(Action::kRoom);
  player.act(Action::kSweep);
  player.act(Action::kTree);
  player.act(Action::kCandidates);
  player.act(Action::kKeys);
  EXPECT_TRUE(!shown.room && shown.sweep && shown.tree && shown.candidates && shown.keys);
  player.act(Action::kCancel);
  EXPECT_FALSE(shown.keys);
  EXPECT_TRUE(shown.sweep);
}

TEST(PlayerKeys, AreTold) {
  std::set<std::string_view> keys;
  std::set<Action> actions;
  for (const KeyRow& row : key_rows()) {
    EXPECT_TRUE(keys.insert(row.key).second) << row.key << " is there twice";
    EXPECT_EQ(action_of(row.key), row.action);
    EXPECT_NE(key_list().find(row.text), std::string::npos);
    actions.insert(row.action);
  }
  EXPECT_EQ(actions.size(), static_cast<std::size_t>(Action::kQuit) + 1) << "each has a key";
  EXPECT_EQ(shown_key("shift+left"), "Shift+Left");
  EXPECT_EQ(shown_key("n"), "n");
  EXPECT_EQ(shown_key("+"), "+");
  EXPECT_FALSE(action_of("z"));
}

TEST(PlayerLanes, AreThoseOfLinksInContact) {
  const auto story = pole_story();
  ASSERT_EQ(story->lanes.size(), 1U);
  EXPECT_EQ(story->lanes[0].name, "pole");
  EXPECT_EQ(story->lanes[0].episodes, (List{0, 1, 2, 3, 4}));
  EXPECT_EQ(story->lanes[0].contacts.size(), 8U);
}

}  // namespace
}  // namespace tocsin::view::player_test
