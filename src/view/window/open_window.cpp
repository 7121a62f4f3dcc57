#include "view/window/open_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <thread>
#include <utility>

#include "core/vector/vec.h"
#include "view/png.h"

namespace tocsin::view {
namespace {

using Kind = gl::WindowEvent::Kind;

constexpr double kSecondsAPicture = 1.0 / 60.0;

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

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

OpenWindow::OpenWindow(StoryChecker& source, const WindowWish& wish)
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
    const bool moves = player_.playing() || !drawn_fine_ || source_.busy();
    take_events(moves ? 0 : 40);
    const double gone = seconds_since(last);
    last = Clock::now();
    if (auto drawn = frame(gone, true); !drawn) return drawn;
    // A driver that does not wait for the screen would draw without a pause.
    const double left = kSecondsAPicture - seconds_since(last);
    if (left > 0.0) std::this_thread::sleep_for(std::chrono::duration<double>(left));
  }
  return Nothing{};
}

Status OpenWindow::adopt() {
  auto story = source_.latest();
  if (story == player_.shared_story()) return Nothing{};
  player_.tell(story);
  drawn_key_.clear();
  return on_device_->scenery->tell(std::move(story));
}

Status OpenWindow::frame(double seconds, bool picture) {
  if (auto adopted = adopt(); !adopted) return adopted;
  feed();
  if (auto fitted = fit(); !fitted) return fitted;
  player_.tick(seconds);
  on_device_->scenery->pose(player_);
  if (player_.take_camera_wish()) look_at_chosen();
  if (picture) {
    if (auto drawn = draw_paced(); !drawn) return drawn;
  }
  on_device_->ui->begin(width_, height_, seconds);
  PanelTexts texts;
  texts.device = device_->info().renderer;
  texts.message = message_;
  texts.check = source_.state();
  texts.checks = true;
  texts.filming = film_.is_open();
  texts.study = on_device_->scenery->study_texts();
  const PanelWishes wishes = panels_.draw(player_, layout_, texts, source_.wish(), scale_);
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
    if (auto drawn = frame(0.0, false); !drawn) return drawn;
  }
  return Nothing{};
}

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
      if (on_device_->ui->writes() && !is_function_key(event.text)) return;
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
  if (action != Action::kKeys) message_.clear();
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
      panels_.write_margin();
      return;
    case Action::kIgnore:
      panels_.write_ignore();
      return;
    case Action::kInBetween: {
      CheckWish wish = source_.wish();
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
  source_.ask(wish);
}

void OpenWindow::tell_problem(const Status& status) {
  if (!status) message_ = status.error().message;
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
  const int coarser = quality == Quality::kQuick ? coarser_ : 1;
  picture_width_ = std::max(1, layout_.view.width / coarser);
  picture_height_ = std::max(1, layout_.view.height / coarser);
  return on_device_->scenery->draw(player_, picture_width_, picture_height_, samples, quality);
}

Status OpenWindow::draw_fine() {
  on_device_->scenery->pose(player_);
  if (player_.take_camera_wish()) look_at_chosen();
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

std::array<double, 2> OpenWindow::aim() const {
  if (pointer_ && layout_.view.has((*pointer_)[0], (*pointer_)[1])) return *pointer_;
  return {layout_.view.left + 0.5 * layout_.view.width,
          layout_.view.top + 0.5 * layout_.view.height};
}

std::optional<SeenThing> OpenWindow::seen_at(double x, double y) {
  if (wish_.scripted || drawn_key_ != picture_key()) {
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

std::string OpenWindow::free_name(const char* ending) const {
  for (int n = 1;; ++n) {
    const auto path = std::filesystem::path(wish_.folder) / fmt::format("tocsin-{}{}", n, ending);
    std::error_code problem;
    if (!std::filesystem::exists(path, problem)) return path.string();
  }
}

Status OpenWindow::save(const std::string& file) {
  if (auto drawn = draw_fine(); !drawn) return drawn;
  if (auto drawn = frame(0.0, false); !drawn) return drawn;
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
  out.message = message_;
  out.check = source_.state();
  out.width = width_;
  out.height = height_;
  out.scale = scale_;
  out.overlapping_letters = on_device_->ui->overlapping_letters();
  out.filming = film_.is_open();
  out.lost_contexts = lost_contexts_;
  out.controls = panels_.names();
  out.study = on_device_->scenery->study_texts();
  out.wish = source_.wish();
  return out;
}

bool has_window() { return true; }

Status show_window(StoryChecker& source, const WindowWish& wish) {
  return OpenWindow(source, wish).run();
}

}  // namespace tocsin::view
