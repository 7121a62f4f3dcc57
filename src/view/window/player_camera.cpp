// What a player looks at: its camera, what it follows, the tape.
#include <algorithm>
#include <cmath>

#include "core/vector/vec.h"
#include "view/step_scene.h"
#include "view/window/player.h"

namespace tocsin::view {
namespace {

constexpr double kTurnOfKey = 0.1;     // radians a key press
constexpr double kShiftOfKey = 0.05;   // of the distance, a key press
constexpr double kNearerOfKey = 0.85;  // factor of the distance, a key press
constexpr double kStrideOfKey = 0.25;  // metres a key press

}  // namespace

bool Player::act_on_camera(Action action) {
  const bool walks = rig_.mode() == Rig::Mode::kWalk;
  switch (action) {
    case Action::kTurnLeft:
      rig_.turn(-kTurnOfKey, 0.0);
      return true;
    case Action::kTurnRight:
      rig_.turn(kTurnOfKey, 0.0);
      return true;
    case Action::kTurnUp:
      rig_.turn(0.0, kTurnOfKey);
      return true;
    case Action::kTurnDown:
      rig_.turn(0.0, -kTurnOfKey);
      return true;
    case Action::kMoveLeft:
      rig_.shift(-kShiftOfKey, 0.0);
      return true;
    case Action::kMoveRight:
      rig_.shift(kShiftOfKey, 0.0);
      return true;
    case Action::kMoveUp:
      rig_.shift(0.0, kShiftOfKey);
      return true;
    case Action::kMoveDown:
      rig_.shift(0.0, -kShiftOfKey);
      return true;
    case Action::kNearer:
      rig_.zoom(kNearerOfKey);
      return true;
    case Action::kFarther:
      rig_.zoom(1.0 / kNearerOfKey);
      return true;
    case Action::kForward:
    case Action::kBack:
      if (walks) rig_.walk(action == Action::kForward ? kStrideOfKey : -kStrideOfKey, 0.0, 0.0);
      return true;
    case Action::kStepLeft:
    case Action::kStepRight:
      if (walks) rig_.walk(0.0, action == Action::kStepRight ? kStrideOfKey : -kStrideOfKey, 0.0);
      return true;
    case Action::kRise:
    case Action::kSink:
      if (walks) rig_.walk(0.0, 0.0, action == Action::kRise ? kStrideOfKey : -kStrideOfKey);
      return true;
    case Action::kCamera:
      rig_.set_mode(walks ? Rig::Mode::kOrbit : Rig::Mode::kWalk);
      return true;
    case Action::kOverview:
      overview();
      return true;
    case Action::kLookAgain:
      wishes_camera_ = chosen_.has_value();
      return true;
    default:
      return false;
  }
}

void Player::overview() {
  // Some places of every figure's way are enough.
  constexpr std::size_t kPlaces = 32;
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  Vec3 high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (const StoryFigure& figure : story_->figures) {
    const std::size_t stride = std::max<std::size_t>(1, figure.steps.size() / kPlaces);
    for (std::size_t i = 0; i < figure.steps.size(); i += stride) {
      for (const PosedLink& link :
           pose_of_step(figure.avatar, figure.steps[i], margin_of(*story_, figure), 0.0)) {
        for (const Vec3& p : {link.a, link.b}) {
          low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
          high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
      }
    }
  }
  const Environment& room = story_->rooms.front().room;
  if (story_->figures.empty() && !room.triangles().empty()) {
    const auto bounds = room.bounds();
    low = core::to_double(bounds[0]);
    high = core::to_double(bounds[1]);
  }
  if (!(low.x <= high.x)) low = high = {0.0, 1.0, 0.0};  // nothing is there yet
  const Vec3 middle = 0.5 * (low + high);
  const double far = std::max(2.5, 1.1 * core::norm(high - low));
  rig_.look(middle + far * Vec3{0.55, 0.45, 0.8}, middle, 36.0);
  rig_.set_mode(Rig::Mode::kOrbit);
  follow(std::nullopt);
  opened_ = {};
  over_ = std::array<Vec3, 2>{rig_.eye(), rig_.target()};
  wishes_overview_ = true;
}

void Player::look_over(const View& view) {
  look(view);
  over_ = std::array<Vec3, 2>{rig_.eye(), rig_.target()};
}

void Player::look(const View& view) {
  rig_.set_mode(Rig::Mode::kOrbit);
  rig_.look(view.camera.eye, view.camera.target, view.camera.fov_degrees);
  opened_ = view;
}

void Player::follow(const std::optional<Followed>& what, bool centres) {
  followed_ = what;
  centres_ = centres;
  followed_place_.reset();
}

void Player::followed_at(const Vec3& place) {
  if (!followed_) return;
  if (followed_place_) {
    rig_.carry(place - *followed_place_);
  } else if (centres_ && rig_.mode() == Rig::Mode::kOrbit) {
    rig_.centre(place);
  }
  followed_place_ = place;
}

void Player::measure(const Vec3& point) {
  if (tape_.size() == 2) tape_.clear();
  tape_.push_back(point);
}

}  // namespace tocsin::view
