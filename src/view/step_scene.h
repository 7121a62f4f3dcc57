// The content of a picture of a step, independent of the camera: bodies, swept surfaces, touched
// triangles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scene/swept/step_motion.h"
#include "tocsin/step_report.h"
#include "view/choose_camera.h"
#include "view/mesh.h"
#include "view/posed.h"
#include "view/stage/glass.h"

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

/// One of the avatars of a picture, over the step that all of them make at the same time.
struct Actor {
  Avatar avatar;
  Step step;
  StepReport report;  ///< of this step, without an error; `avatar` is what OtherLink names
  std::vector<TrailPose> trail = {};
};

/// The contact that a picture is about.
struct Choice {
  std::size_t actor = 0;
  std::size_t contact = 0;  ///< index into the actor's report
};

/// Avatars over one step, and their reports.
class StepScene {
 public:
  /// `margin`: as the detector's, metres. `about`: the contact that the camera looks for, at the
  /// beginning of whose bracket the avatars stop; none: the earliest, and they stop at the end of
  /// the time that is proved free for all. Precondition: at least one actor; all steps are of one
  /// time.
  StepScene(std::span<const Actor> actors, const Environment& room, double margin, const Show& show,
            const std::optional<Choice>& about = std::nullopt);
  StepScene(const StepScene&) = delete;
  StepScene& operator=(const StepScene&) = delete;

  [[nodiscard]] const Environment& room() const { return room_; }
  [[nodiscard]] const Show& show() const { return show_; }
  /// The contacts that are shown, actor by actor.
  [[nodiscard]] std::span<const Contact> contacts() const { return contacts_; }
  /// Frames that the scale of times begins and ends with.
  [[nodiscard]] std::array<std::int64_t, 2> time_scale() const { return scale_; }
  /// A step's local time on that scale, 0 to 1.
  [[nodiscard]] double scaled_time(double t) const;
  /// Time of the stopped pose, step-local.
  [[nodiscard]] double stop_time() const { return stop_time_; }

  [[nodiscard]] Subject subject() const;
  /// The room. `cut`: objects that are opened (View::cut).
  [[nodiscard]] Mesh room_bodies(std::span<const std::uint32_t> cut) const;
  /// The avatars' solid bodies.
  [[nodiscard]] Mesh bodies() const;
  /// The touched parts of the room's triangles.
  [[nodiscard]] Mesh touched_parts() const;
  /// The translucent surfaces.
  [[nodiscard]] Glass glass() const;

 private:
  /// An actor's links.
  struct Figure {
    std::int32_t avatar = 0;
    Colour colour;
    std::vector<TrailPose> trail;
    scene::StepMotion motion;
    Pose start;
    Pose end;
    Pose stop;
    std::vector<bool> moves;  ///< per link: enough to be drawn more than once
    std::vector<std::optional<ContactStatus>> touches;  ///< per link: how it touches
    std::uint32_t first_id = 0;                         ///< of its first link
    std::vector<std::size_t> head;                      ///< links that are its head
  };
  /// The contact that the camera looks for.
  struct About {
    std::size_t figure = 0;
    Contact contact;
  };

  void add_figure(const Actor& actor, double margin);
  void choose_contact(std::span<const Actor> actors, const std::optional<Choice>& about);
  void mark_touching(std::int32_t avatar, std::int32_t link, ContactStatus status);
  void add_solids(Mesh& mesh, const Figure& figure) const;
  void add_trail(Mesh& mesh, const Figure& figure) const;
  void add_glass(Glass& glass, const Figure& figure) const;

  Environment room_;
  Show show_;
  std::array<std::int64_t, 2> frames_{};
  std::array<std::int64_t, 2> scale_{};
  std::vector<Figure> figures_;
  std::vector<Contact> contacts_;
  std::optional<About> about_;
  double stop_time_ = 1.0;
  std::vector<Colour> object_colours_;
};

/// The avatar at a frame; metres, world. Precondition: the avatar's skeleton is the motion's.
Pose pose_of_frame(const Avatar& avatar, const Motion& motion, std::int64_t frame, double margin);

/// The avatar at local time t of a step.
Pose pose_of_step(const Avatar& avatar, const Step& step, double margin, double t);

}  // namespace tocsin::view
