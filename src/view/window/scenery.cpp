#include "view/window/scenery.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/vector/vec.h"
#include "view/colours.h"
#include "view/marks.h"

namespace tocsin::view {
namespace {

void append(Mesh& mesh, const Mesh& more) {
  const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), more.vertices.begin(), more.vertices.end());
  for (const TriangleIndices& t : more.triangles) {
    mesh.triangles.push_back({base + t[0], base + t[1], base + t[2]});
  }
}

/// Metres that a pixel is wide at a point; none: it lies behind the eye.
std::optional<double> pixel_at(const Vec3& point, const Camera& camera) {
  const auto seen = camera.project(point);
  if (!seen) return std::nullopt;
  return 2.0 * seen->depth / camera.height *
         std::tan(camera.fov_degrees * std::numbers::pi / 360.0);
}

/// Depth of the farthest corner of the room's box, metres.
double farthest_of(const Environment& room, const Camera& camera) {
  const auto [low, high] = room.bounds();
  double out = 0.0;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner{(i & 1) != 0 ? high.x : low.x, (i & 2) != 0 ? high.y : low.y,
                      (i & 4) != 0 ? high.z : low.z};
    out = std::max(out, core::dot(corner - camera.eye, camera.forward()));
  }
  return out;
}

bool same_room(const Environment& a, const Environment& b) {
  return a.vertices().data() == b.vertices().data() && a.objects().size() == b.objects().size();
}

/// True if links of one story are those of another, one by one: their steps may differ.
bool same_figures(const Story& a, const Story& b) {
  return std::equal(a.figures.begin(), a.figures.end(), b.figures.begin(), b.figures.end(),
                    [&](const StoryFigure& p, const StoryFigure& q) {
                      return p.avatar.links().data() == q.avatar.links().data() &&
                             margin_of(a, p) == margin_of(b, q);
                    });
}

}  // namespace

Result<std::unique_ptr<Scenery>> Scenery::make(std::shared_ptr<const Story> story) {
  std::unique_ptr<Scenery> out(new Scenery);
  auto stage = Stage::make(true);
  if (!stage) return stage.error();
  out->stage_ = std::move(stage).value();
  if (auto told = out->tell(std::move(story)); !told) return told.error();
  return out;
}

Status Scenery::tell(std::shared_ptr<const Story> story) {
  const bool same = live_ && room_ < live_->story().rooms.size() && room_ < story->rooms.size() &&
                    same_room(live_->story().rooms[room_].room, story->rooms[room_].room);
  if (!same) {
    room_ = SIZE_MAX;
    study_.reset();
  }
  const bool same_links = live_ && same_figures(live_->story(), *story);
  live_ = std::make_unique<LiveScene>(std::move(story));
  if (!same_links) stage_->set_links(live_->link_models(), live_->link_count());
  glass_key_ = {};
  studied_key_ = {};
  return gl::check_device("the bodies of a window");
}

Status Scenery::put_room(std::size_t room) {
  if (room == room_) return Nothing{};
  const bool same = room_ < live_->story().rooms.size() &&
                    same_room(live_->story().rooms[room_].room, live_->story().rooms[room].room);
  room_ = room;
  if (same) return Nothing{};
  study_.reset();
  const Environment& drawn = live_->story().rooms[room].room;
  stage_->set_room(live_->room_of(room), drawn.objects().size());
  const std::string what = fmt::format("a room of {} triangles", drawn.triangles().size());
  return gl::check_device(what.c_str());
}

void Scenery::pose(Player& player) {
  live_->set_time(player.now());
  if (!player.followed()) return;
  if (const auto place = live_->middle_of(*player.followed())) player.followed_at(*place);
}

void Scenery::put_glass(const Player& player) {
  const std::array<std::uint64_t, 2> key{player.shown().sweep ? 1U : 0U, live_->step_key() + 1};
  if (key == glass_key_) return;
  glass_key_ = key;
  stage_->set_glass(player.shown().sweep ? live_->swept() : Glass{});
}

void Scenery::study(const Player& player) {
  const bool volumes = player.shown().tree;
  const bool triangles = player.shown().candidates;
  const auto link = player.studied();
  const std::uint64_t which =
      link ? static_cast<std::uint64_t>(link->avatar) << 32U | (link->index + 1) : 0;
  const std::array<std::uint64_t, 3> key{(volumes ? 1U : 0U) + (triangles ? 2U : 0U), which,
                                         live_->step_key() + 1};
  if (key == studied_key_) return;
  studied_key_ = key;
  studied_ = {};
  study_texts_.clear();
  if (!volumes && !triangles) return;
  const scene::StepMotion* const motion = link ? live_->motion_of(link->avatar) : nullptr;
  if (motion == nullptr || link->index >= motion->link_count()) {
    study_texts_.emplace_back("tree: pick a link first (Enter), or choose an episode");
    return;
  }
  const StoryFigure* figure = nullptr;
  for (const StoryFigure& one : live_->story().figures) {
    if (one.index == link->avatar) figure = &one;
  }
  const std::size_t now = room_at(live_->story(), player.now());
  if (now != room_) study_.reset();  // that of another room, until a picture is drawn
  const Environment& room = live_->story().rooms[now].room;
  if (!study_) study_ = std::make_shared<const CullStudy>(room);
  const Step& step = figure->steps[moment_at(*figure, player.now()).step];
  const CullAnswer answer =
      study_->about(figure->avatar, step, margin_of(live_->story(), *figure), link->index);
  constexpr std::size_t kMostVolumes = 400;
  studied_ = study_->mesh(answer, volumes, triangles, kMostVolumes);
  const auto entered = static_cast<std::size_t>(
      std::count_if(answer.volumes.begin(), answer.volumes.end(),
                    [](const StudiedVolume& volume) { return volume.entered; }));
  study_texts_.push_back(fmt::format("{}, step {}: volumes tested {}, entered {}",
                                     player.name_of(*link), step.index(), answer.volumes.size(),
                                     entered));
  study_texts_.push_back(fmt::format(
      "{} triangles: {} behind volumes, {} by their boxes, {} by directions; {} candidates",
      room.triangles().size(), answer.never_reached, answer.count(CulledBy::kLeafBox),
      answer.count(CulledBy::kDirections), answer.count(CulledBy::kNothing)));
}

Mesh Scenery::overlays(const Player& player, const Camera& camera) const {
  Mesh out = live_->marks(camera);
  const auto& tape = player.tape();
  constexpr Colour kTapeColour{0.13F, 0.15F, 0.18F};
  const Paint paint{kTapeColour, kGlows, 0};
  for (const Vec3& point : tape) {
    if (const auto pixel = pixel_at(point, camera)) {
      add_capsule(out, point, point, std::max(0.007 * camera.height, 3.0) * *pixel, paint);
    }
  }
  if (tape.size() == 2) {
    const auto pixel = pixel_at(0.5 * (tape[0] + tape[1]), camera);
    if (pixel) {
      add_capsule(out, tape[0], tape[1], std::max(0.002 * camera.height, 1.0) * *pixel, paint);
    }
  }
  return out;
}

Status Scenery::draw(const Player& player, int width, int height, int samples, Quality quality) {
  const Story& story = live_->story();
  if (auto put = put_room(room_at(story, player.now())); !put) return put;
  const Environment& room = story.rooms[room_].room;
  View view = player.opened();
  camera_ = player.rig().camera(width, height);
  view.camera = camera_;
  put_glass(player);
  study(player);
  const auto marked = player.followed() ? player.followed() : player.picked();
  const auto places = live_->places(marked);
  stage_->set_places(places);
  const auto states = live_->object_states(view.cut, marked);
  if (!states.empty()) stage_->set_objects(states);
  Mesh solids = player.shown().room ? live_->touched_parts() : Mesh{};
  append(solids, studied_);
  stage_->set_solids(solids);
  stage_->set_marks(overlays(player, camera_));
  stage_->set_shining(!view.cut.empty() && quality == Quality::kFine);
  stage_->show_room(player.shown().room);
  const Ball around = live_->around();
  const double beyond = core::norm(around.centre - camera_.eye) + 2.0 * around.radius;
  const double farthest =
      room.triangles().empty() ? beyond : std::max(beyond, farthest_of(room, camera_));
  const bool bare = room.triangles().empty() || !player.shown().room;
  const FrameView frame{view, around.centre, around.radius, bare, farthest};
  const std::string what = fmt::format("a view of {} x {} pixels", width, height);
  return stage_->draw(frame, samples, quality, what.c_str());
}

std::optional<SeenThing> Scenery::seen_at(const Player& player, double x, double y) const {
  if (camera_.width == 0) return std::nullopt;
  const double px = x * camera_.width;
  const double py = y * camera_.height;
  SeenThing out;
  const double near = std::max(8.0, 0.02 * camera_.height);  // pixels about a mark
  double least = near;
  const Story& story = player.story();
  for (const std::size_t i : live_->touching()) {
    const auto seen = camera_.project(story.contacts[i].told.point);
    if (!seen) continue;
    const double away = std::hypot(seen->x - px, seen->y - py);
    if (away > least) continue;
    least = away;
    out.contact = i;
    out.point = story.contacts[i].told.point;
  }
  if (out.contact) return out;
  const Picked picked =
      stage_->pick(static_cast<int>(std::floor(px)), static_cast<int>(std::floor(py)));
  out.thing = live_->thing_of(picked.id);
  if (!out.thing) return std::nullopt;
  const Vec3 ray = ray_of(camera_, px, py);
  out.point = camera_.eye + (picked.depth / core::dot(ray, camera_.forward())) * ray;
  return out;
}

}  // namespace tocsin::view
