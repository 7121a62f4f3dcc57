// Chooses a camera that sees a contact.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tocsin/environment.h"
#include "view/camera.h"
#include "view/posed.h"
#include "view/sight.h"

namespace tocsin::view {

/// The contact that the picture must show.
struct Focus {
  Vec3 point;  ///< world, metres
  std::optional<Vec3> normal;
  std::size_t link = 0;  ///< index into Subject::body
  Vec3 movement;         ///< of the link over the step, metres: best seen from the side
};

/// The subject of a picture; world, metres.
struct Subject {
  Pose body;               ///< the avatar: must be seen, and may hide the focus
  std::vector<Pose> more;  ///< other poses in the picture
  Pose heads;              ///< the avatars' heads: the picture's edge must not cut them
  std::optional<Focus> focus;
};

/// All points within `radius` metres of `centre`.
struct Ball {
  Vec3 centre;
  double radius = 0.0;
};

/// A ball that holds the whole subject.
Ball ball_around(const Subject& subject);

/// CameraWish::zoom of an overview: room to move about.
inline constexpr double kOverviewZoom = 0.7;

/// Given properties of the camera; the others are chosen.
struct CameraWish {
  std::optional<Vec3> eye;
  std::optional<Vec3> target;
  double fov_degrees = 36.0;
  /// 1: the whole subject fills the picture; 2: half of it, nearer to the focus, and so on, or less
  /// near where the picture's edge would cut a head. Only where the eye is not given. Above 0.
  double zoom = 1.0;
  int width = 0;  ///< pixels
  int height = 0;
  bool cut = true;  ///< objects in front may be opened
};

/// A camera, and what it must open to see the subject.
struct View {
  Camera camera;
  /// Objects between the eye and the subject. Their parts nearer than cut_depth metres to the eye
  /// are not drawn.
  std::vector<std::uint32_t> cut;
  double cut_depth = 0.0;
  /// 0 to 1: how much of the focus is seen with these opened; 1 without a focus.
  double focus_seen = 1.0;
  /// True if the picture's edge cuts a head: with a given eye only.
  bool cuts_head = false;
};

/// True if a ball is partly in a camera's picture and partly not.
bool cut_by_edge(const Camera& camera, const Ball& ball);

/// Tries directions all around the subject and takes the one from which focus, link and body are
/// seen best. The distance makes the subject fill the picture. Errors: as check_camera(), for the
/// given properties. Precondition: a body of at least one link.
Result<View> choose_camera(const Subject& subject, const Environment& room, const Sight& sight,
                           const CameraWish& wish);

}  // namespace tocsin::view
