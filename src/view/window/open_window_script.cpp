// A window that does what a script says.
#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "base/json_text.h"
#include "view/window/open_window.h"

namespace tocsin::view {
namespace {

using Kind = gl::WindowEvent::Kind;

Error wrong_line(const std::string& file, const ScriptLine& line, const std::string& why) {
  return {ErrorCode::kInput, fmt::format("{}:{}: {}", file, line.number, why)};
}

gl::WindowEvent pointer_event(Kind kind, double x, double y, int button = 0) {
  gl::WindowEvent out;
  out.kind = kind;
  out.x = x;
  out.y = y;
  out.button = button;
  return out;
}

}  // namespace

Result<std::vector<double>> OpenWindow::numbers(const ScriptLine& line, std::size_t from,
                                                std::size_t count) const {
  std::vector<double> out;
  for (std::size_t i = from; i < from + count; ++i) {
    const auto number = script_number(line, i, wish_.script_file);
    if (!number) return number.error();
    out.push_back(*number);
  }
  return out;
}

/// Through the window system's queue where there is one.
void OpenWindow::press(gl::WindowEvent event) {
  if (window_ != nullptr) {
    window_->push(event);
  } else {
    events_.push_back(std::move(event));
  }
}

Status OpenWindow::follow_script() {
  if (auto drawn = frames(2); !drawn) return drawn;
  while (!closed_ && script_at_ < wish_.script.size()) {
    const ScriptLine& line = wish_.script[script_at_++];
    if (auto done = do_line(line); !done) return done;
    do {  // what it began must be seen before the next
      if (auto drawn = frames(3); !drawn) return drawn;
    } while (!events_.empty() && !closed_);
  }
  return Nothing{};
}

Status OpenWindow::do_line(const ScriptLine& line) {
  const std::string& command = line.command;
  if (command == "key") {
    std::string key = line.words.front();
    const bool writes = key.size() == 1 || key == "space";
    if (key.size() == 1 && !action_of(key) && !on_device_->ui->writes()) {
      return wrong_line(wish_.script_file, line,
                        fmt::format("the key \"{}\" does nothing here", base::printable(key)));
    }
    gl::WindowEvent down;
    down.kind = writes ? Kind::kText : Kind::kKey;
    down.text = key == "space" ? " " : key;
    press(down);
    if (writes) return Nothing{};
    down.kind = Kind::kKeyUp;
    for (const std::string_view held : {"ctrl+", "shift+"}) {
      if (down.text.starts_with(held)) down.text.erase(0, held.size());
    }
    press(down);
    return Nothing{};
  }
  if (command == "text") {
    gl::WindowEvent event;
    event.kind = Kind::kText;
    event.text = line.rest;
    press(event);
    return Nothing{};
  }
  if (command == "wait" || command == "settle") return do_wait(line);
  if (command == "await") return do_await(line);
  if (command == "live") {
    const auto seconds = numbers(line, 0, 1);
    pace_ = {};
    return seconds ? play(seconds->front()) : Status(seconds.error());
  }
  if (command == "seek") {
    const auto seconds = numbers(line, 0, 1);
    if (!seconds) return seconds.error();
    player_.set_playing(false);
    player_.seek(seconds->front());
    return Nothing{};
  }
  if (command == "tell") {
    on_device_->scenery->pose(player_);
    on_device_->scenery->tell_study(player_);
    const bool told = !wish_.tell || wish_.tell(state_line(player_, notes()));
    return told ? Status(Nothing{})
                : Status(ErrorCode::kResource, "standard output could not be written");
  }
  if (command == "lose") {
    device_->inject(gl::DeviceThread::Fault::kContextLost, 0);
    return Nothing{};
  }
  if (command == "close") {
    press({Kind::kClose});
    return Nothing{};
  }
  if (command == "screenshot" || command == "film") return do_files(line);
  return do_pointer(line);
}

Status OpenWindow::do_pointer(const ScriptLine& line) {
  const std::string& command = line.command;
  if (command == "click") {
    const auto place = panels_.place_of(line.rest);
    std::array<double, 2> at{};
    if (place) {
      at = {place->left + 0.5 * place->width, place->top + 0.5 * place->height};
    } else if (line.words.size() == 2) {
      const auto given = numbers(line, 0, 2);
      if (!given) return given.error();
      at = {(*given)[0], (*given)[1]};
    } else {
      return wrong_line(wish_.script_file, line,
                        fmt::format("there is no control \"{}\" now", base::printable(line.rest)));
    }
    press(pointer_event(Kind::kMove, at[0], at[1]));
    press(pointer_event(Kind::kPress, at[0], at[1]));
    press(pointer_event(Kind::kRelease, at[0], at[1]));
    return Nothing{};
  }
  const std::size_t wanted = command == "drag"    ? 4
                             : command == "look"  ? 6
                             : command == "wheel" ? 1
                             : command == "scale" ? 1
                                                  : 2;
  const auto given = numbers(line, 0, wanted);
  if (!given) return given.error();
  const std::vector<double>& n = *given;
  if (command == "move") {
    press(pointer_event(Kind::kMove, n[0], n[1]));
  } else if (command == "drag") {
    const int button = line.words.size() == 5 && line.words[4] == "right" ? 1 : 0;
    press(pointer_event(Kind::kMove, n[0], n[1]));
    press(pointer_event(Kind::kPress, n[0], n[1], button));
    press(pointer_event(Kind::kMove, 0.5 * (n[0] + n[2]), 0.5 * (n[1] + n[3])));
    press(pointer_event(Kind::kMove, n[2], n[3]));
    press(pointer_event(Kind::kRelease, n[2], n[3], button));
  } else if (command == "wheel") {
    if (line.words.size() == 3) {
      const auto at = numbers(line, 1, 2);
      if (!at) return at.error();
      press(pointer_event(Kind::kMove, (*at)[0], (*at)[1]));
    }
    press({Kind::kWheel, {}, 0.0, n[0]});
  } else if (command == "size") {
    constexpr double kMost = 8192.0;  // pixels
    if (!(n[0] >= 16.0 && n[1] >= 16.0 && n[0] <= kMost && n[1] <= kMost)) {
      return wrong_line(wish_.script_file, line, "a window has 16 to 8192 pixels either way");
    }
    width_ = static_cast<int>(n[0]);
    height_ = static_cast<int>(n[1]);
    if (window_ != nullptr) window_->resize(width_, height_);
  } else if (command == "scale") {
    if (!(n[0] >= 0.5 && n[0] <= 4.0)) {
      return wrong_line(wish_.script_file, line, "a scale is from 0.5 to 4");
    }
    asked_scale_ = n[0];
  } else if (command == "look") {
    double fov = 36.0;
    if (line.words.size() == 7) {
      const auto more = numbers(line, 6, 1);
      if (!more) return more.error();
      fov = more->front();
    }
    View view;
    view.camera = {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}, fov, 16, 16};
    if (const auto sound = check_camera(view.camera); !sound) {
      return wrong_line(wish_.script_file, line, sound.error().message);
    }
    player_.look(view);
  }
  return Nothing{};
}

Status OpenWindow::do_wait(const ScriptLine& line) {
  if (line.command == "settle") {
    const StoryChecker* const checker = source_.checker();
    while (checker != nullptr && checker->busy()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return Nothing{};
  }
  const auto given = numbers(line, 0, 1);
  if (!given) return given.error();
  // Of a film every picture is drawn; else time goes by at once, in parts as a person would see.
  constexpr double kLongest = 3600.0;  // seconds: more is a slip, and would fill a disk with a film
  if (!(given->front() <= kLongest)) {
    return {ErrorCode::kInput, fmt::format("{}:{}: wait takes at most {} seconds",
                                           wish_.script_file, line.number, kLongest)};
  }
  const double part = film_.is_open() ? 1.0 / kFilmRate : 1.0 / 60.0;
  double left = given->front();
  while (left > 1e-9 && !closed_) {
    const double now = std::min(part, left);
    left -= now;
    if (film_.is_open()) {
      if (auto drawn = frame(now, Draw::kPaced); !drawn) return drawn;
    } else {
      player_.tick(now);
    }
  }
  return Nothing{};
}

/// Pictures go on meanwhile, as for a person.
Status OpenWindow::do_await(const ScriptLine& line) {
  constexpr double kPatience = 60.0;  // seconds
  const auto wanted = numbers(line, 1, line.words.size() - 1);
  if (!wanted) return wanted.error();
  const double patience = wanted->size() > 1 ? (*wanted)[1] : kPatience;
  const auto begin = Clock::now();
  for (;;) {
    const auto counts = source_.live();
    if (!counts) return wrong_line(wish_.script_file, line, "nothing comes: it is no server's");
    const auto got = count_named(*counts, line.words.front());
    if (!got) return wrong_line(wish_.script_file, line, "there is no such count");
    if (static_cast<double>(*got) >= wanted->front()) return Nothing{};
    if (closed_) return Nothing{};
    if (seconds_since(begin) > patience) {
      return Error{ErrorCode::kResource,
                   fmt::format("{}:{}: after {} s there are {} {}", wish_.script_file, line.number,
                               patience, *got, line.words.front())};
    }
    if (auto played = play(0.05); !played) return played;
  }
}

Status OpenWindow::do_files(const ScriptLine& line) {
  if (line.command == "screenshot") return save(line.rest);
  if (line.rest == "end") {
    if (film_.is_open()) return toggle_film({});
    return wrong_line(wish_.script_file, line, "no film has begun");
  }
  if (!film_.is_open()) return toggle_film(line.rest);
  return wrong_line(wish_.script_file, line, "a film has begun already");
}

}  // namespace tocsin::view
