// What draws pictures with OpenGL: a room and links that stay on the device from picture to
// picture, and whatever else a picture shows. Everything in jobs of a DeviceThread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "view/frame_block.h"
#include "view/stage/gl_parts.h"

namespace tocsin::view {

/// Where a link is, as shaders have it: three rows of a map from its model to the world, metres.
struct LinkPlace {
  std::array<std::array<float, 4>, 3> rows{};
  std::array<float, 4> colour{};  ///< sRGB; alpha 0: it is not there; kOutlined: it stands out
};
/// Alpha of a link whose outline has the colour of contacts, as that of a touched object.
inline constexpr float kOutlined = 2.0F;

/// How an object of the room is drawn now; bits.
enum ObjectState : std::uint32_t {
  kAsItIs = 0,
  kOpened = 1,     ///< as kCutOpen
  kIsTouched = 2,  ///< its outline stands out
  kIsMarked = 4,   ///< brighter: it was picked
};

/// Pictures that move are drawn with less light and fewer samples.
enum class Quality : std::uint8_t { kFine, kQuick };

/// What is seen at a pixel.
struct Picked {
  std::uint32_t id = 0;  ///< object + 1, or kFirstLinkId + link; 0: nothing
  double depth = 0.0;    ///< metres in front of the eye
};

class Stage {
 public:
  /// `live`: with the programs of rooms and links that stay. Errors: kUnavailable (a shader that
  /// the driver refuses), kResource.
  static Result<std::unique_ptr<Stage>> make(bool live);
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage();

  /// The room: ids are object + 1. It stays until the next one.
  void set_room(const Mesh& room, std::size_t objects);
  /// One ObjectState each.
  void set_objects(std::span<const std::uint32_t> states);
  /// All links' models, each in its own frame: ids are kFirstLinkId + link.
  void set_links(const Mesh& models, std::size_t links);
  void set_places(std::span<const LinkPlace> places);
  /// As Drawing has them; they stay, too.
  void set_solids(const Mesh& solids);
  void set_bodies(const Mesh& bodies);
  void set_glass(const Glass& glass);
  void set_marks(const Mesh& marks);
  /// Links shine through what hides them.
  void set_shining(bool shining) { shining_ = shining; }
  void show_room(bool shown) { room_shown_ = shown; }

  /// Draws into picture(). `samples`: across a pixel. `what`: for errors. Errors: kResource.
  Status draw(const FrameView& frame, int samples, Quality quality, const char* what);
  /// The last picture, GL_RGBA8.
  [[nodiscard]] GLuint picture() const;
  [[nodiscard]] GLuint picture_frame() const;
  /// What the last picture shows at a pixel, from the upper left corner.
  [[nodiscard]] Picked pick(int x, int y) const;

 private:
  struct Programs;
  struct Targets;
  Stage();
  Status build(bool live);
  Status fit(const Camera& camera, int samples, const char* what);
  void draw_solids(bool light) const;
  void draw_bodies() const;
  void draw_shadows(Quality quality) const;
  void draw_over() const;

  std::unique_ptr<Programs> programs_;
  std::unique_ptr<Targets> targets_;
  FullDraw fill_;
  DeviceMesh room_, links_, solids_, bodies_, glass_, marks_;
  gl::Buffer objects_{std::size_t{4}, GL_DYNAMIC_STORAGE_BIT};
  gl::Buffer places_{sizeof(LinkPlace), GL_DYNAMIC_STORAGE_BIT};
  bool live_ = false;
  bool shining_ = false;
  bool room_shown_ = true;
};

}  // namespace tocsin::view
