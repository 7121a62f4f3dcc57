#include "selftest/compare/case_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "make/make.h"
#include "selftest/scenes/adversarial_scene.h"
#include "selftest/scenes/crowd_scene.h"
#include "selftest/scenes/moving_meshes.h"
#include "selftest/scenes/standing_crowd.h"
#include "selftest/scenes/wave.h"

namespace tocsin::selftest {

namespace {

constexpr std::uint64_t kSmall = 10'000;  // triangles
constexpr std::uint64_t kHouse = 156'000;
constexpr std::uint64_t kLarge = 2'000'000;
/// Frames of a step at 120 Hz: a tenth of a second, in which links move a decimetre.
constexpr std::int64_t kFast = 12;
/// Scenes of an adversarial batch: every kind of the batch comes several times.
constexpr int kScenes = 120;
constexpr std::uint64_t kScenesFrom = 20'261;

Result<Case> adversarial(std::uint64_t seed, std::uint64_t number) {
  AdversarialBatch batch = make_adversarial_batch(seed, number, kScenes);
  Case out;
  out.name = fmt::format("adversarial {}.{}", seed, number);
  out.what = number % kRound < 6
                 ? "slivers, edge-on, sub-pixel, coplanar, grazing, folded, still, points"
                 : "the same up to 300 km from the origin, and huge triangles";
  out.rooms = {std::move(batch.environment)};
  out.members.assign(batch.steps.size(), Member(batch.avatar));
  out.instants = {{batch.steps.begin(), batch.steps.end()}};
  return out;
}

/// Avatars all over a made room, each alone.
Result<Case> in_a_room(std::uint64_t triangles, std::size_t avatars, std::size_t instants,
                       std::int64_t stride, InBetween in_between) {
  auto room = make_room({triangles, 1});
  if (!room) return room.error();
  const auto crowd = StandingCrowd::in(std::move(room).value(), stride, in_between);
  if (!crowd) return crowd.error();
  Case out;
  out.name =
      fmt::format("room of {}, {} avatars", crowd->environment().triangles().size(), avatars);
  out.what = fmt::format("walk, reach, kick and cartwheel; steps of {:.0f} ms",
                         1000.0 * static_cast<double>(stride) / 120.0);
  out.rooms = {crowd->environment()};
  out.members.assign(avatars, Member(crowd->avatar()));
  for (std::size_t i = 0; i < instants; ++i) out.instants.push_back(crowd->frame(avatars, i));
  return out;
}

Result<Case> with_margin() {
  auto out = in_a_room(kSmall, 64, 1, kFast, InBetween::kTranslateRotate);
  if (!out) return out.error();
  out->name += ", margin";
  out->what += ", 20 mm margin";
  out->margin = 0.02;
  return out;
}

Result<Case> failing() {
  auto out = in_a_room(kSmall, 48, 2, kFast, InBetween::kScrew);
  if (!out) return out.error();
  out->name = "device that fails half-way";
  out->what = "the CPU takes over what is left";
  out->fails = true;
  return out;
}

Result<Case> deforming() {
  constexpr std::size_t kVersions = 4;
  auto out = in_a_room(kSmall, 32, kVersions, kFast, InBetween::kScrew);
  if (!out) return out.error();
  out->name = "deforming room";
  out->what = fmt::format("all vertices move, {} versions", kVersions);
  for (std::size_t i = 1; i < kVersions; ++i) {
    auto moved = out->rooms.front().with_vertices(wave(out->rooms.front(), i));
    if (!moved) return moved.error();
    out->rooms.push_back(std::move(moved).value());
  }
  return out;
}

/// Avatars that meet each other; with pairs of their own links if `self`.
Result<Case> crowd(std::size_t count, std::size_t instants, bool self) {
  auto scene = make_crowd(Layout::kCrowd, count, instants);
  if (!scene) return scene.error();
  Case out;
  out.name = fmt::format("crowd of {}{}", count, self ? ", own links" : "");
  out.what = self ? "they meet each other, and each its own links" : "they meet each other";
  out.rooms = {std::move(scene->hall)};
  out.members = std::move(scene->members);
  if (self) {
    for (Member& member : out.members) member.self = LinkPairs::of(member.avatar);
  }
  out.instants = std::move(scene->steps);
  out.meet = true;
  return out;
}

/// Persons of meshes in a made room, each alone.
Result<Case> meshes_in_a_room() {
  auto out = in_a_room(kSmall, 24, 2, kFast, InBetween::kScrew);
  if (!out) return out.error();
  out->name += ", of meshes";
  out->what += "; every link a mesh of 100 triangles";
  const Avatar body = meshed(out->members.front().avatar, 100);
  out->members.assign(out->members.size(), Member(body));
  return out;
}

/// A floor with a box on it, in a cube about the origin of this size.
Environment stage(float size) {
  const float h = 0.5F * size;
  ObjectMesh floor{
      "Floor", {{-h, -h, -h}, {h, -h, -h}, {h, -h, h}, {-h, -h, h}}, {{2, 1, 0}, {3, 2, 0}}};
  ObjectMesh box{"Box", {}, {}};
  for (int i = 0; i < 8; ++i) {
    const auto at = [&](int bit) { return (i & bit) != 0 ? 0.2F * size : -0.2F * size; };
    box.vertices.push_back({at(1), at(2), at(4)});
  }
  box.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                   {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return Environment::create({std::move(floor), std::move(box)}).value();
}

/// Convex bodies that drift and turn, and meet; among them two of many waves.
Result<Case> meshes_that_meet() {
  constexpr std::size_t kInstants = 3;
  MeshScene scene = many_bodies(60, 0.05, kInstants);
  const MeshScene waves = two_bodies({wavy_ball({24, 24, 0.5, 0.1}), 0.85, 1.35, 10, kInstants});
  scene.members.insert(scene.members.end(), waves.members.begin(), waves.members.end());
  for (std::size_t i = 0; i < kInstants; ++i) {
    scene.steps[i].insert(scene.steps[i].end(), waves.steps[i].begin(), waves.steps[i].end());
  }
  Case out;
  out.name = fmt::format("{} bodies of meshes", scene.members.size());
  out.what = "convex ones and two with waves meet each other, a box and a floor";
  out.rooms = {stage(8.0F)};
  out.members = std::move(scene.members);
  out.instants = std::move(scene.steps);
  out.meet = true;
  return out;
}

struct Kind {
  const char* name;  ///< of several
  double share;      ///< of the time, beside others: about what it costs
  double least;      ///< what nothing can stop, beside others: making it, and the CPU's answer
  Result<Case> (*make)();
};
constexpr const char* kAdversarial = "adversarial";
constexpr const char* kCrowd = "crowd";
constexpr const char* kSmallRoom = "room of 10,000";
/// The most telling first; what takes a second to make last.
constexpr std::array kCases{
    Kind{kAdversarial, 2, 3, [] { return adversarial(kScenesFrom, 0); }},
    Kind{"pairs of links", 1, 3, [] { return crowd(24, 3, true); }},
    Kind{kSmallRoom, 3, 14, [] { return in_a_room(kSmall, 64, 2, kFast, InBetween::kScrew); }},
    Kind{"device that fails", 1, 13, failing},
    Kind{"meshes", 2, 4, meshes_that_meet},
    Kind{"meshes in a room", 2, 12, meshes_in_a_room},
    Kind{kAdversarial, 2, 3, [] { return adversarial(kScenesFrom, 6); }},
    Kind{kAdversarial, 2, 3, [] { return adversarial(kScenesFrom, 7); }},
    Kind{"deforming room", 3, 9, deforming},
    Kind{"room of 156,000", 6, 28,
         [] { return in_a_room(kHouse, 400, 1, 1, InBetween::kTranslateRotate); }},
    Kind{kCrowd, 4, 13, [] { return crowd(400, 2, false); }},
    Kind{kAdversarial, 2, 3, [] { return adversarial(kScenesFrom, 8); }},
    Kind{kAdversarial, 2, 3, [] { return adversarial(kScenesFrom, 9); }},
    Kind{kSmallRoom, 3, 12, with_margin},
    Kind{kCrowd, 3, 44, [] { return crowd(2000, 1, false); }},
    Kind{"room of 2,000,000", 10, 270,
         [] { return in_a_room(kLarge, 1000, 1, kFast, InBetween::kScrew); }},
};

}  // namespace

std::size_t kinds_of_cases() { return kCases.size(); }

std::vector<std::string> case_kinds() {
  std::vector<std::string> out;
  for (const Kind& kind : kCases) {
    if (std::ranges::find(out, kind.name) == out.end()) out.emplace_back(kind.name);
  }
  return out;
}

double share_of_case(std::size_t number) {
  double all = 0.0;
  for (std::size_t i = number; i < kCases.size(); ++i) all += kCases[i].share;
  return number < kCases.size() ? kCases[number].share / all : 1.0;
}

double least_of_case(std::size_t number) {
  return number < kCases.size() ? kCases[number].least : kCases.front().least;
}

void CaseCosts::add(std::size_t number, double seconds) {
  least_ += least_of_case(number);
  seconds_ += seconds;
}

bool CaseCosts::fits(std::size_t number, double left) const {
  return least_ == 0.0 || seconds_ / least_ * least_of_case(number) <= left;
}

Result<Case> make_case(std::size_t number) {
  const std::size_t more = number - std::min(number, kCases.size());
  auto out = number < kCases.size() ? kCases[number].make()
                                    : adversarial(kScenesFrom + 1 + more / kRound, more % kRound);
  if (out) out->kind = number < kCases.size() ? kCases[number].name : kAdversarial;
  return out;
}

}  // namespace tocsin::selftest
