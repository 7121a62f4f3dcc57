// Dear ImGui over OpenGL 4.5 and our own events, in our own letters. Everything in jobs of a
// DeviceThread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/gl/context/objects.h"
#include "gpu/gl/context/window.h"
#include "tocsin/result.h"

struct ImDrawData;
struct ImGuiContext;

namespace tocsin::view {

class Ui {
 public:
  /// scale: pixels a point. Errors: kUnavailable: a shader that the driver refuses.
  static Result<std::unique_ptr<Ui>> make(double scale);
  Ui(const Ui&) = delete;
  Ui& operator=(const Ui&) = delete;
  ~Ui();

  /// False: it must wait for the next picture, as what it ends began in this one.
  bool feed(const gl::WindowEvent& event);
  /// Begins a picture of that size; `seconds` since the last one.
  void begin(int width, int height, double seconds);
  /// Ends it; draws it into the framebuffer.
  void draw(GLuint framebuffer, int width, int height);
  /// True if keys that write go to a field.
  [[nodiscard]] bool writes() const;
  /// True if something is open over the panels and the view: a list of choices.
  [[nodiscard]] bool covers() const;
  [[nodiscard]] double scale() const { return scale_; }
  /// Of the last picture: how many letters lie over one another. 0, but for a layout that is wrong.
  [[nodiscard]] int overlapping_letters() const { return overlapping_; }

 private:
  explicit Ui(double scale);
  Status build();
  void make_letters();
  void upload(const ImDrawData& data);

  double scale_;
  ImGuiContext* context_ = nullptr;
  gl::Program program_;
  gl::Texture letters_;
  gl::VertexArray array_ = gl::make_vertex_array();
  gl::Buffer vertices_;
  gl::Buffer indices_;
  std::vector<int> changed_keys_;
  bool pressed_ = false;
  bool covered_ = false;
  int overlapping_ = 0;
};

}  // namespace tocsin::view
