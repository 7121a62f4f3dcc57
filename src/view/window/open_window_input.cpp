// What a person does to a window: events, keys, the pointer.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "view/window/open_window.h"

namespace tocsin::view {
namespace {

using Kind = gl::WindowEvent::Kind;

constexpr const char* kNoChecks = "of a server: its sessions are checked by their own options";

/// What a text names among keys: " " is "space".
std::string key_of_text(const std::string& text) {
  if (text == " ") return "space";
  if (text == "=") return "+";
  std::string out = text;
  if (out.size() == 1) {
    out.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(out.front())));
  }
  return out;
}

bool is_function_key(const std::string& key) {
  return key.size() > 1 && key.front() == 'f' &&
         std::isdigit(static_cast<unsigned char>(key[1])) != 0;
}

}  // namespace

void OpenWindow::take_events(int wait_ms) {
  if (window_ == nullptr) return;
  std::vector<gl::WindowEvent> events;
  window_->events(events, events_.empty() ? wait_ms : 0);
  for (gl::WindowEvent& event : events) events_.push_back(std::move(event));
}

void OpenWindow::feed() {
  while (!events_.empty()) {
    const gl::WindowEvent event = events_.front();
    if (!on_device_->ui->feed(event)) return;
    events_.pop_front();
    handle(event);
  }
}

void OpenWindow::handle(const gl::WindowEvent& event) {
  switch (event.kind) {
    case Kind::kClose:
      closed_ = true;
      return;
    case Kind::kResize:
    case Kind::kShow:
      drawn_key_.clear();
      return;
    case Kind::kKey:
      if (on_device_->ui->writes() && !is_function_key(event.text) &&
          action_of(event.text) != Action::kQuit) {
        return;
      }
      if (const auto action = action_of(event.text)) act(*action);
      return;
    case Kind::kText:
      if (on_device_->ui->writes()) return;
      if (const auto action = action_of(key_of_text(event.text))) act(*action);
      return;
    default:
      handle_pointer(event);
      return;
  }
}

void OpenWindow::handle_pointer(const gl::WindowEvent& event) {
  constexpr double kTurn = 0.006;      // radians a point
  constexpr double kClickReach = 3.0;  // points: nearer, and a press is a click
  const bool in_view = layout_.view.has(event.x, event.y) && !on_device_->ui->covers();
  switch (event.kind) {
    case Kind::kWheel:
      if (pointer_ && layout_.view.has((*pointer_)[0], (*pointer_)[1]) &&
          !on_device_->ui->covers()) {
        player_.rig().zoom(std::pow(0.88, event.y));
      }
      return;
    case Kind::kPress:
      pointer_ = {event.x, event.y};
      pressed_.reset();
      dragged_ = false;
      if (in_view) pressed_ = event;
      return;
    case Kind::kMove: {
      const std::array<double, 2> was = pointer_.value_or(std::array<double, 2>{event.x, event.y});
      pointer_ = {event.x, event.y};
      if (!pressed_) return;
      const double far = std::hypot(event.x - pressed_->x, event.y - pressed_->y);
      dragged_ = dragged_ || far > kClickReach * scale_;
      if (!dragged_) return;
      const double dx = event.x - was[0];
      const double dy = event.y - was[1];
      if (pressed_->button == 0) {
        player_.rig().turn(-kTurn * dx / scale_, kTurn * dy / scale_);
      } else {
        player_.rig().shift(-dx / layout_.view.height, dy / layout_.view.height);
      }
      return;
    }
    case Kind::kRelease:
      pointer_ = {event.x, event.y};
      if (pressed_ && !dragged_ && pressed_->button == 0) click_at(event.x, event.y);
      pressed_.reset();
      return;
    default:
      return;
  }
}

void OpenWindow::act(Action action) {
  if (action != Action::kKeys) {
    message_.clear();
    panels_.forget_error();
  }
  if (player_.act(action)) return;
  switch (action) {
    case Action::kPick: {
      const auto at = aim();
      click_at(at[0], at[1]);
      return;
    }
    case Action::kMeasure:
      measure_at_pointer();
      return;
    case Action::kMargin:
      if (source_.checker() == nullptr) message_ = kNoChecks;
      panels_.write_margin();
      return;
    case Action::kIgnore:
      if (source_.checker() == nullptr) message_ = kNoChecks;
      panels_.write_ignore();
      return;
    case Action::kInBetween: {
      StoryChecker* const checker = source_.checker();
      if (checker == nullptr) {
        message_ = kNoChecks;
        return;
      }
      CheckWish wish = checker->wish();
      wish.in_between =
          wish.in_between == InBetween::kScrew ? InBetween::kTranslateRotate : InBetween::kScrew;
      ask(wish);
      return;
    }
    case Action::kScreenshot: {
      const std::string file = free_name(".png");
      tell_problem(save(file));
      return;
    }
    case Action::kFilm:
      tell_problem(toggle_film(free_name(".mp4")));
      return;
    case Action::kQuit:
      closed_ = true;
      return;
    default:
      return;
  }
}

void OpenWindow::ask(const CheckWish& wish) {
  message_.clear();
  if (StoryChecker* const checker = source_.checker()) checker->ask(wish);
}

void OpenWindow::tell_problem(const Status& status) {
  if (!status) message_ = status.error().message;
}

std::array<double, 2> OpenWindow::aim() const {
  if (pointer_ && layout_.view.has((*pointer_)[0], (*pointer_)[1])) return *pointer_;
  return {layout_.view.left + 0.5 * layout_.view.width,
          layout_.view.top + 0.5 * layout_.view.height};
}

std::optional<SeenThing> OpenWindow::seen_at(double x, double y) {
  if (wish_.scripted || drawn_key_ != picture_key()) {
    on_device_->scenery->pose(player_);
    look_where_wished();
    if (const Status drawn = draw_fine(); !drawn) {
      tell_problem(drawn);
      return std::nullopt;
    }
  }
  return on_device_->scenery->seen_at(player_, (x - layout_.view.left) / layout_.view.width,
                                      (y - layout_.view.top) / layout_.view.height);
}

void OpenWindow::click_at(double x, double y) {
  const auto seen = seen_at(x, y);
  if (!seen) {
    player_.pick(std::nullopt);
    player_.follow(std::nullopt);
    return;
  }
  if (seen->contact) {
    const StoryContact& contact = player_.story().contacts[*seen->contact];
    const double now = player_.now();
    player_.choose(contact.episode);
    player_.seek(now);
    player_.pick(std::nullopt);
    player_.act(Action::kFollow);
    return;
  }
  player_.pick(seen->thing);
  const bool is_link = seen->thing->avatar >= 0;
  player_.follow(seen->thing, is_link);
  if (!is_link && player_.rig().mode() == Rig::Mode::kOrbit) player_.rig().centre(seen->point);
}

void OpenWindow::measure_at_pointer() {
  const auto at = aim();
  if (const auto seen = seen_at(at[0], at[1])) {
    player_.measure(seen->point);
  } else {
    message_ = "the tape needs a surface: there is none";
  }
}

}  // namespace tocsin::view
