// The picture of a window's view: its camera, and when it is drawn anew.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/vector/vec.h"
#include "view/window/open_window.h"

namespace tocsin::view {

void OpenWindow::look_where_wished() {
  const bool over = player_.take_overview_wish();
  if (player_.take_camera_wish()) {
    look_at_chosen();
  } else if (over && player_.story().overview) {
    if (const auto view =
            player_.story().overview(player_.now(), layout_.view.width, layout_.view.height)) {
      player_.look_over(*view);
    }
  }
}

void OpenWindow::look_at_chosen() {
  if (!player_.chosen()) return;
  const Story& story = player_.story();
  if (story.camera) {
    if (const auto view =
            story.camera(*player_.chosen(), layout_.view.width, layout_.view.height)) {
      player_.look(*view);
      return;
    }
  }
  // In front of the contact, as the pages of `tocsin report` do.
  const io::ToldContact& first = story.episodes[*player_.chosen()].told.first;
  const Vec3 n = first.normal.value_or(Vec3{0.6, 0.0, 0.8});
  const Vec3 side = std::fabs(n.y) > 0.8 ? Vec3{0.8, 0.5, 0.8} : Vec3{n.x, n.y + 0.35, n.z};
  View view;
  view.camera.eye = first.point + 2.4 * side;
  view.camera.target = first.point;
  view.camera.fov_degrees = 36.0;
  player_.look(view);
}

std::vector<double> OpenWindow::picture_key() const {
  const Rig& rig = player_.rig();
  const Shown& shown = player_.shown();
  const auto number = [](const std::optional<Followed>& what) {
    return what ? 1e6 * what->avatar + static_cast<double>(what->index) : -1.0;
  };
  return {player_.now(),
          rig.eye().x,
          rig.eye().y,
          rig.eye().z,
          rig.target().x,
          rig.target().y,
          rig.target().z,
          static_cast<double>(layout_.view.width),
          static_cast<double>(layout_.view.height),
          shown.room ? 1.0 : 0.0,
          shown.sweep ? 1.0 : 0.0,
          shown.tree ? 1.0 : 0.0,
          shown.candidates ? 1.0 : 0.0,
          number(player_.picked()),
          number(player_.followed()),
          player_.chosen() ? static_cast<double>(*player_.chosen()) : -1.0,
          static_cast<double>(player_.tape().size())};
}

Status OpenWindow::draw_picture(Quality quality, int samples) {
  ++pace_.pictures;
  const int coarser = quality == Quality::kQuick ? coarser_ : 1;
  picture_width_ = std::max(1, layout_.view.width / coarser);
  picture_height_ = std::max(1, layout_.view.height / coarser);
  return on_device_->scenery->draw(player_, picture_width_, picture_height_, samples, quality);
}

Status OpenWindow::draw_fine() {
  drawn_key_ = picture_key();
  drawn_fine_ = true;
  return draw_picture(Quality::kFine, 2);
}

/// A quick picture while something moves, a fine one once it has stopped; where the device draws
/// fine ones fast enough, all are fine.
Status OpenWindow::draw_paced() {
  constexpr double kSlow = 0.02;      // seconds a picture: above, quick ones while it moves
  constexpr double kVerySlow = 0.06;  // then with fewer pixels
  constexpr int kCoarsest = 3;
  constexpr double kRest = 0.25;  // seconds without a change, before a fine one
  const int fine_samples = device_->info().software ? 1 : 2;  // four times the work else
  if (film_.is_open() && wish_.scripted) {
    drawn_key_.clear();
    return draw_picture(Quality::kFine, fine_samples);
  }
  std::vector<double> key = picture_key();
  const auto begin = Clock::now();
  if (key != drawn_key_) {
    drawn_key_ = std::move(key);
    changed_ = begin;
    const bool quick = quick_seconds_ > kSlow || device_->info().software;
    drawn_fine_ = !quick;
    auto drawn = quick ? draw_picture(Quality::kQuick, 1) : draw_picture(Quality::kFine, 2);
    glFinish();
    const double took = seconds_since(begin);
    if (!quick || took > kVerySlow) quick_seconds_ = took;
    if (quick && took > kVerySlow) coarser_ = std::min(kCoarsest, coarser_ + 1);
    if (quick && took < 0.3 * kVerySlow) coarser_ = std::max(1, coarser_ - 1);
    return drawn;
  }
  if (drawn_fine_ || seconds_since(changed_) < kRest || !events_.empty()) return Nothing{};
  drawn_fine_ = true;
  return draw_picture(Quality::kFine, fine_samples);
}

}  // namespace tocsin::view
