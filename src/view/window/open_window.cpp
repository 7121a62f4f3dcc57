#include "view/window/open_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>
#include <utility>

#include "view/png.h"

namespace tocsin::view {
namespace {

constexpr double kSecondsAPicture = 1.0 / 60.0;

}  // namespace

OpenWindow::OpenWindow(StorySource& source, const WindowWish& wish)
    : source_(source), wish_(wish), player_(source.latest()), panels_(wish.scripted) {
  width_ = wish.width;
  height_ = wish.height;
  asked_scale_ = wish.scale;
  scale_ = wish.scale.value_or(1.0);
}

Result<std::shared_ptr<gl::DeviceThread>> OpenWindow::open() {
  window_ = nullptr;
  if (wish_.offscreen) {
    gl::ContextOptions options;
    options.device = wish_.device;
    return gl::DeviceThread::start(options);
  }
  return gl::DeviceThread::start_with([this]() -> Result<std::unique_ptr<gl::Context>> {
    gl::WindowOptions options;
    options.width = wish_.width;
    options.height = wish_.height;
    options.dense = true;
    options.least_width = std::min(kLeastWidth, wish_.width);
    options.least_height = std::min(kLeastHeight, wish_.height);
    auto window = gl::make_sdl_window(options);
    if (!window) return window.error();
    window_ = window->get();
    return std::unique_ptr<gl::Context>(std::move(window).value());
  });
}

Status OpenWindow::run() {
  // A driver that loses one context after the other is of no use.
  constexpr int kMostLosses = 3;
  for (;;) {
    auto device = open();
    if (!device) return device.error();
    device_ = std::move(device).value();
    Status shown = device_->run([this] { return session(); });
    const bool lost = device_->lost();
    device_.reset();
    if (!lost && shown && wish_.stop.stop_requested()) {
      return Error{ErrorCode::kCancelled, "interrupted"};
    }
    if (!lost) return shown;
    if (++lost_contexts_ > kMostLosses) return shown;
    message_ = shown ? "the OpenGL context was lost, and opened again" : shown.error().message;
  }
}

Status OpenWindow::session() {
  on_device_ = std::make_unique<OnDevice>();
  drawn_key_.clear();
  picture_width_ = picture_height_ = 0;  // a picture of a context that is lost is lost with it
  auto status = [this]() -> Status {
    auto scenery = Scenery::make(player_.shared_story());
    if (!scenery) return scenery.error();
    on_device_->scenery = std::move(scenery).value();
    if (auto fitted = fit(); !fitted) return fitted;
    Status done = wish_.scripted ? follow_script() : play(HUGE_VAL);
    if (done && film_.is_open()) return film_.close();
    return done;
  }();
  on_device_.reset();  // while its context is there
  return status;
}

/// Makes canvas and panels as large, and as dense, as the window is now.
Status OpenWindow::fit() {
  if (window_ != nullptr) {
    const auto [width, height] = window_->pixels();
    width_ = width;
    height_ = height;
    scale_ = window_->scale();
  }
  scale_ = asked_scale_.value_or(scale_);
  layout_ = panes_of(width_, height_, scale_);
  on_device_->canvas.fit(width_, height_);
  if (!on_device_->ui || on_device_->ui->scale() != scale_) {
    on_device_->ui.reset();
    auto ui = Ui::make(scale_);
    if (!ui) return ui.error();
    on_device_->ui = std::move(ui).value();
  }
  return gl::check_device("a window");
}

Status OpenWindow::play(double seconds) {
  const auto begin = Clock::now();
  auto last = begin;
  while (!closed_ && seconds_since(begin) < seconds) {
    const StoryChecker* const checker = source_.checker();
    const bool moves = player_.playing() || !drawn_fine_ || (checker != nullptr && checker->busy());
    take_events(moves ? 0 : 40);
    const double gone = seconds_since(last);
    last = Clock::now();
    if (auto drawn = frame(gone, Draw::kPaced); !drawn) return drawn;
    if (wish_.scripted) glFinish();  // what is measured was drawn
    pace_.add(seconds_since(last));
    // A driver that does not wait for the screen would draw without a pause.
    const double left = kSecondsAPicture - seconds_since(last);
    if (left > 0.0) std::this_thread::sleep_for(std::chrono::duration<double>(left));
  }
  pace_.seconds += seconds_since(begin);
  return Nothing{};
}

Status OpenWindow::adopt() {
  auto story = source_.latest();
  if (story == player_.shared_story()) return Nothing{};
  player_.tell(story);
  // What is added to a live one at its end does not change the picture of an earlier time.
  const std::size_t rooms = story->rooms.size();
  const bool same = !story->complete && !player_.live() && rooms == drawn_rooms_;
  if (!same) drawn_key_.clear();
  drawn_rooms_ = rooms;
  return on_device_->scenery->tell(std::move(story));
}

Status OpenWindow::frame(double seconds, Draw picture) {
  closed_ = closed_ || wish_.stop.stop_requested();
  if (auto adopted = adopt(); !adopted) return adopted;
  feed();
  if (auto fitted = fit(); !fitted) return fitted;
  player_.tick(seconds);
  on_device_->scenery->pose(player_);
  look_where_wished();
  if (picture != Draw::kNothing) {
    if (auto drawn = picture == Draw::kFine ? draw_fine() : draw_paced(); !drawn) return drawn;
  }
  on_device_->ui->begin(width_, height_, seconds);
  PanelTexts texts;
  texts.device = device_->info().renderer;
  texts.message = message_;
  StoryChecker* const checker = source_.checker();
  if (checker != nullptr) texts.check = checker->state();
  texts.checks = checker != nullptr;
  texts.live = source_.lines();
  texts.filming = film_.is_open();
  texts.study = on_device_->scenery->study_texts();
  const PanelWishes wishes = panels_.draw(
      player_, layout_, texts, checker != nullptr ? checker->wish() : CheckWish{}, scale_);
  const Canvas& canvas = on_device_->canvas;
  canvas.clear();
  if (picture_width_ > 0) {
    canvas.put(on_device_->scenery->stage().picture_frame(), picture_width_, picture_height_,
               layout_.view);
  }
  on_device_->ui->draw(canvas.frame(), width_, height_);
  for (const Action action : wishes.actions) act(action);
  if (wishes.check) ask(*wishes.check);
  if (auto filmed = film(seconds); !filmed) tell_problem(filmed);
  if (window_ != nullptr) {
    canvas.show();
    window_->swap();
  }
  return gl::check_device("a picture of a window");
}

Status OpenWindow::frames(int count) {
  for (int i = 0; i < count; ++i) {
    take_events(0);
    if (auto drawn = frame(0.0, Draw::kNothing); !drawn) return drawn;
  }
  return Nothing{};
}

std::string OpenWindow::free_name(const char* ending) const {
  for (int n = 1;; ++n) {
    const auto path = std::filesystem::path(wish_.folder) / fmt::format("tocsin-{}{}", n, ending);
    std::error_code problem;
    if (!std::filesystem::exists(path, problem)) return path.string();
  }
}

Status OpenWindow::save(const std::string& file) {
  if (auto drawn = frame(0.0, Draw::kFine); !drawn) return drawn;
  const Image image = on_device_->canvas.read();
  if (auto read = gl::check_device("a screenshot"); !read) return read;
  if (auto saved = save_png(image, file); !saved) return saved;
  message_ = "saved " + file;
  return Nothing{};
}

Status OpenWindow::toggle_film(const std::string& file) {
  if (film_.is_open()) {
    const std::string name = film_.file();
    if (auto ended = film_.close(); !ended) return ended;
    message_ = "saved " + name;
    return Nothing{};
  }
  film_time_ = 0.0;
  return film_.open(file, width_, height_);
}

Status OpenWindow::film(double seconds) {
  if (!film_.is_open()) return Nothing{};
  film_time_ += seconds * kFilmRate;
  const int due = static_cast<int>(std::floor(film_time_ + 1e-6));
  if (due < 1) return Nothing{};
  film_time_ -= due;
  return film_.add(on_device_->canvas.read(), due);
}

StateNotes OpenWindow::notes() const {
  StateNotes out;
  out.device = device_->info().renderer;
  out.message = message_;
  if (const StoryChecker* const checker = source_.checker()) {
    out.check = checker->state();
    out.wish = checker->wish();
  }
  out.live = source_.live();
  out.live_lines = panels_.live_texts();  // those of the picture: the source goes on
  out.shown_lines = panels_.live_lines();
  out.cut_texts = panels_.cut_texts();
  out.pace = pace_;
  out.width = width_;
  out.height = height_;
  out.scale = scale_;
  out.overlapping_letters = on_device_->ui->overlapping_letters();
  out.filming = film_.is_open();
  out.lost_contexts = lost_contexts_;
  out.controls = panels_.names();
  out.labels = panels_.labels();
  out.field_error = panels_.field_error();
  out.study = on_device_->scenery->study_texts();
  return out;
}

bool has_window() { return true; }

Status check_window(const WindowWish& wish) {
  if (wish.offscreen) {
    gl::ContextOptions options;
    options.device = wish.device;
    const auto device = gl::DeviceThread::start(options);
    return device ? Status(Nothing{}) : device.error();
  }
  const auto device = gl::DeviceThread::start_with([]() -> Result<std::unique_ptr<gl::Context>> {
    gl::WindowOptions options;
    options.visible = false;
    options.displayed = true;
    auto window = gl::make_sdl_window(options);
    if (!window) return window.error();
    return std::unique_ptr<gl::Context>(std::move(window).value());
  });
  return device ? Status(Nothing{}) : device.error();
}

Status show_window(StorySource& source, const WindowWish& wish) {
  return OpenWindow(source, wish).run();
}

}  // namespace tocsin::view
