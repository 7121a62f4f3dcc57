#include "view/picture.h"

#include <algorithm>
#include <utility>

#include "core/vector/vec.h"
#include "view/marks.h"
#include "view/renderer.h"

namespace tocsin::view {
namespace {

/// True if there is nothing below the avatar to stand on.
bool floats(const Subject& subject, const Sight& sight) {
  constexpr double kFarBelow = 10.0;  // metres
  const Vec3 from = subject.body.front().a;
  return !sight.first_hit(from, from - Vec3{0.0, kFarBelow, 0.0});
}

void append_mesh(Mesh& mesh, const Mesh& more) {
  const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), more.vertices.begin(), more.vertices.end());
  for (const TriangleIndices& t : more.triangles) {
    mesh.triangles.push_back({base + t[0], base + t[1], base + t[2]});
  }
}

/// Adds the rows of the legend below the picture.
void add_rows(Image& image, int rows) {
  image.height += rows;
  image.rgb.resize(image.offset(0, image.height), 0xFF);
}

}  // namespace

Result<Picture> draw_step(gl::DeviceThread& device, const StepScene& scene, const Sight& sight,
                          CameraWish wish, const std::optional<LegendText>& legend) {
  const int rows = legend ? legend_height(wish.width, wish.height, legend->contacts.size()) : 0;
  wish.height -= rows;
  const Subject subject = scene.subject();
  auto view = choose_camera(subject, scene.room(), sight, wish);
  if (!view) return view.error();

  Drawing drawing;
  drawing.view = std::move(view).value();
  drawing.solids = scene.room_bodies(drawing.view.cut);
  Mesh bodies = scene.bodies();
  append_mesh(drawing.solids, bodies);
  append_mesh(drawing.solids, scene.touched_parts());
  if (wish.cut) drawing.bodies = std::move(bodies);
  drawing.glass = scene.glass();
  drawing.marks = contact_marks(scene.contacts(), scene.room(), drawing.view.camera);
  const Ball around = ball_around(subject);
  drawing.middle = around.centre;
  drawing.reach = around.radius;
  drawing.ground = floats(subject, sight);

  auto image = draw(device, drawing);
  if (!image) return image.error();
  Picture out{std::move(image).value(), std::move(drawing.view)};
  if (rows > 0) {
    add_rows(out.image, rows);
    draw_legend(out.image, *legend);
  }
  return out;
}

}  // namespace tocsin::view
