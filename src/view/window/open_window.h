// A window that is open: its state, and one picture after another.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/gl/context/device_thread.h"
#include "gpu/gl/context/window.h"
#include "view/window/canvas.h"
#include "view/window/film_pipe.h"
#include "view/window/panels/panels.h"
#include "view/window/panels/ui.h"
#include "view/window/scenery.h"
#include "view/window/state_line.h"
#include "view/window/window.h"

namespace tocsin::view {

class OpenWindow {
 public:
  OpenWindow(StorySource& source, const WindowWish& wish);

  /// Until it is closed, or the script ends. A context that is lost is opened again. Errors: as
  /// show_window().
  Status run();

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }

  /// What is on the device, and goes with its context.
  struct OnDevice {
    std::unique_ptr<Scenery> scenery;
    std::unique_ptr<Ui> ui;
    Canvas canvas;
  };

  Result<std::shared_ptr<gl::DeviceThread>> open();
  Status session();
  /// As for a person, for so many seconds.
  Status play(double seconds);
  Status follow_script();
  /// What is drawn of the view: the picture that is there, one in time for the eye, or a fine one.
  enum class Draw { kNothing, kPaced, kFine };
  /// Shows what is known now, in the view and around it alike.
  Status frame(double seconds, Draw picture);
  Status frames(int count);
  Status adopt();
  Status fit();
  void take_events(int wait_ms);
  void feed();
  void handle(const gl::WindowEvent& event);
  void handle_pointer(const gl::WindowEvent& event);
  void act(Action action);
  Status draw_picture(Quality quality, int samples);
  /// One as fine as a screenshot, of the time and the camera that the scenery was posed with.
  Status draw_fine();
  Status draw_paced();
  void look_where_wished();
  void look_at_chosen();
  void click_at(double x, double y);
  void measure_at_pointer();
  [[nodiscard]] std::optional<SeenThing> seen_at(double x, double y);
  [[nodiscard]] std::array<double, 2> aim() const;
  Status save(const std::string& file);
  Status toggle_film(const std::string& file);
  Status film(double seconds);
  [[nodiscard]] std::string free_name(const char* ending) const;
  void ask(const CheckWish& wish);
  void tell_problem(const Status& status);
  [[nodiscard]] std::vector<double> picture_key() const;
  [[nodiscard]] StateNotes notes() const;

  // Scripts.
  Status do_line(const ScriptLine& line);
  Status do_pointer(const ScriptLine& line);
  Status do_wait(const ScriptLine& line);
  Status do_await(const ScriptLine& line);
  Status do_files(const ScriptLine& line);
  Result<std::vector<double>> numbers(const ScriptLine& line, std::size_t from,
                                      std::size_t count) const;
  void press(gl::WindowEvent event);

  StorySource& source_;
  const WindowWish& wish_;
  Player player_;
  Panels panels_;
  FilmPipe film_;
  double film_time_ = 0.0;  ///< seconds of the film that are not pictures yet
  std::shared_ptr<gl::DeviceThread> device_;
  gl::Window* window_ = nullptr;  ///< null: offscreen
  std::unique_ptr<OnDevice> on_device_;
  std::deque<gl::WindowEvent> events_;
  std::size_t script_at_ = 0;
  bool closed_ = false;
  std::string message_;
  int lost_contexts_ = 0;
  int width_ = 0;
  int height_ = 0;
  double scale_ = 1.0;
  std::optional<double> asked_scale_;
  Panes layout_;
  std::optional<std::array<double, 2>> pointer_;
  std::optional<gl::WindowEvent> pressed_;  ///< in the view
  bool dragged_ = false;
  std::vector<double> drawn_key_;
  bool drawn_fine_ = false;
  std::size_t drawn_rooms_ = 0;  ///< of a live story
  Clock::time_point changed_{};
  double quick_seconds_ = 0.0;  ///< of the last picture that moved
  FramePace pace_;
  int coarser_ = 1;  ///< pixels of the view a pixel of a quick picture
  int picture_width_ = 0;
  int picture_height_ = 0;
};

}  // namespace tocsin::view
