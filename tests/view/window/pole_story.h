// A story whose every time can be worked out by hand: that of tests/cli/scenes.h. A pole goes along
// x in eight steps of 0.1 s, and touches Wall (steps 2 to 5, and 7) and Shelf (2, 5, 7).
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "view/rooms.h"
#include "view/window/story.h"

namespace tocsin::test {

inline view::StoryContact pole_contact(std::size_t episode, std::int64_t step, double t,
                                       ContactStatus status, const std::string& object) {
  view::StoryContact out;
  out.episode = episode;
  out.told.pair.link = "pole";
  out.told.pair.object = object;
  out.told.step = step;
  out.told.frames = {step, step + 1};
  const double begin = 0.1 * static_cast<double>(step);
  out.told.seconds = {begin + 0.1 * t, begin + 0.1 * t};
  out.told.toc = {t, t};
  out.told.status = status;
  out.told.triangle = 0;
  out.told.point = {2.5, 1.0, 0.0};
  out.told.normal = Vec3{-1.0, 0.0, 0.0};
  out.span = {begin, begin + 0.1};
  out.object = object == "Wall" ? 0 : 1;
  return out;
}

inline view::StoryFigure pole_figure() {
  auto skeleton = Skeleton::create({{"Hips", -1, {}}});
  EXPECT_TRUE(skeleton.ok());
  std::vector<Transform> poses;
  for (const double x : {0.0, 1.0, 2.0, 2.5, 2.55, 2.5, 2.0, 1.0, 3.0}) {
    poses.push_back({{}, {x, 0.0, 0.0}});
  }
  view::StoryFigure out;
  out.name = "take";
  out.avatar =
      Avatar::create("pole", *skeleton, {{"pole", 0, {0, 0, 0}, {0, 1.7, 0}, 0.1}}).value();
  out.steps = Motion::create(*skeleton, 0.1, poses).value().steps().value();
  return out;
}

inline std::shared_ptr<view::Story> pole_story() {
  auto out = std::make_shared<view::Story>();
  out->figures.push_back(pole_figure());
  out->times = {0.0, 0.8};
  out->rooms.push_back(
      {view::StoryRoom().from, room_of({box("Wall", {2.5F, -0.5F, -1}, {2.6F, 2, 1}),
                                        box("Shelf", {2.3F, -0.5F, -1}, {2.31F, 2, 1})})});
  constexpr auto kHit = ContactStatus::kHit;
  constexpr auto kOverlap = ContactStatus::kOverlap;
  // In order of first touch: Shelf 0.24, Wall 0.28, Shelf 0.52, Shelf 0.76, Wall 0.77.
  out->contacts = {
      pole_contact(0, 2, 0.4, kHit, "Shelf"),    pole_contact(1, 2, 0.8, kHit, "Wall"),
      pole_contact(1, 3, 0.0, kOverlap, "Wall"), pole_contact(1, 4, 0.0, kOverlap, "Wall"),
      pole_contact(1, 5, 0.0, kOverlap, "Wall"), pole_contact(2, 5, 0.2, kHit, "Shelf"),
      pole_contact(3, 7, 0.6, kHit, "Shelf"),    pole_contact(4, 7, 0.7, kHit, "Wall")};
  for (std::size_t e = 0; e < 5; ++e) {
    view::StoryEpisode episode;
    for (std::size_t i = 0; i < out->contacts.size(); ++i) {
      const view::StoryContact& contact = out->contacts[i];
      if (contact.episode != e) continue;
      if (episode.told.contacts.empty()) {
        episode.told.first = contact.told;
        episode.told.seconds[0] = contact.told.seconds[1];
      }
      episode.told.contacts.push_back(i);
      episode.told.seconds[1] = contact.span[1];
      ++episode.told.steps;
    }
    episode.link_text = "pole";
    episode.thing_text = episode.told.pair().object;
    out->episodes.push_back(episode);
  }
  make_lanes(*out);
  return out;
}

}  // namespace tocsin::test
