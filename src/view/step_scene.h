// The content of a picture of a step, independent of the camera: bodies, swept surfaces, touched
// triangles.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scene/swept/step_motion.h"
#include "tocsin/step_report.h"
#include "view/choose_camera.h"
#include "view/mesh.h"
#include "view/posed.h"

namespace tocsin::view {

/// The parts of a picture.
struct Show {
  bool poses = true;     ///< the avatar at both ends of the step
  bool sweep = true;     ///< the swept surfaces of its links
  bool stop = true;      ///< the avatar at the end of the time proved free
  bool contacts = true;  ///< points, normals, triangles and links that touch
};

/// The avatar at frames further apart, as in a photograph with a strobe light.
struct TrailPose {
  std::int64_t frame = 0;
  Pose pose;
};

/// A vertex of something translucent, coloured by time.
struct GlassVertex {
  Vec3f position;         ///< world, metres
  Vec3f normal;           ///< unit
  float time = 0.0F;      ///< 0 to 1 on the picture's scale of times
  float strength = 1.0F;  ///< 0 to 1: opacity
};

struct Glass {
  std::vector<GlassVertex> vertices;
  std::vector<TriangleIndices> triangles;
};

/// A step, its report, and the avatar's poses.
class StepScene {
 public:
  /// `margin`: as the detector's, metres. Precondition: a report of this step, without an error.
  StepScene(const Avatar& avatar, const Environment& room, const Step& step,
            const StepReport& report, double margin, const Show& show,
            std::vector<TrailPose> trail);
  StepScene(const StepScene&) = delete;
  StepScene& operator=(const StepScene&) = delete;

  [[nodiscard]] const Environment& room() const { return room_; }
  [[nodiscard]] const Show& show() const { return show_; }
  /// The contacts that are shown.
  [[nodiscard]] std::span<const Contact> contacts() const;
  /// Frames that the scale of times begins and ends with.
  [[nodiscard]] std::array<std::int64_t, 2> time_scale() const { return scale_; }
  /// A step's local time on that scale, 0 to 1.
  [[nodiscard]] double scaled_time(double t) const;
  /// Time of the stopped pose, step-local.
  [[nodiscard]] double stop_time() const { return stop_time_; }

  [[nodiscard]] Subject subject() const;
  /// The room. `cut`: objects that are opened (View::cut).
  [[nodiscard]] Mesh room_bodies(std::span<const std::uint32_t> cut) const;
  /// The avatar's solid bodies, and the triangles touched.
  [[nodiscard]] Mesh bodies() const;
  /// The translucent surfaces.
  [[nodiscard]] Glass glass() const;

 private:
  void find_links();
  void add_ghost(Glass& glass, const PosedLink& link, double t) const;
  void add_touched(Mesh& mesh, const RoomTriangle& touched) const;
  [[nodiscard]] Paint paint_of(std::size_t link, const Colour& colour) const;

  Avatar avatar_;
  Environment room_;
  StepReport report_;
  Show show_;
  std::vector<TrailPose> trail_;
  std::array<std::int64_t, 2> frames_{};
  std::array<std::int64_t, 2> scale_{};
  scene::StepMotion motion_;
  Pose start_;
  Pose end_;
  Pose stop_;
  double stop_time_ = 0.0;
  std::vector<bool> moves_;    ///< per link: enough to be drawn more than once
  std::vector<bool> touches_;  ///< per link
  std::vector<Colour> object_colours_;
};

/// The avatar at a frame; metres, world. Precondition: the avatar's skeleton is the motion's.
Pose pose_of_frame(const Avatar& avatar, const Motion& motion, std::int64_t frame, double margin);

/// An id with this bit belongs to an object that is touched: its outline stands out.
inline constexpr std::uint32_t kTouchedBit = 0x80000000;

}  // namespace tocsin::view
