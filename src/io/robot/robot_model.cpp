#include "io/robot/robot_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "base/extension.h"
#include "base/quoted.h"
#include "base/text_file.h"
#include "base/text_scanner.h"
#include "core/vector/rotation.h"
#include "core/vector/vec.h"
#include "io/nodes/xml_tags.h"
#include "tocsin/shape.h"

namespace tocsin::io {
namespace {

namespace fs = std::filesystem;

/// Metres that the prism of a cylinder may reach beyond it: half a millimetre is what a robot's
/// cell is measured to; 1 % of a thin one's radius takes 23 sides. Finer ones cost time, coarser
/// ones report touches that the round body does not have.
double cylinder_tolerance(double radius) {
  constexpr double kFinest = 5e-4;
  constexpr double kOfRadius = 0.01;
  constexpr double kLeastOfRadius = 1e-6;  // 2,222 sides; Shape has a limit of 4,096
  return std::max(std::min(kFinest, kOfRadius * radius), kLeastOfRadius * radius);
}

bool is_file(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error);
}

Result<fs::path> package_file(const fs::path& urdf, const std::string& name) {
  const std::size_t slash = name.find('/');
  const std::string package = name.substr(0, slash);
  const fs::path rest = slash == std::string::npos ? fs::path() : fs::path(name.substr(slash + 1));
  std::error_code error;
  // Names of folders are those of the absolute path; the path that is opened stays as short as the
  // user's, so that a report names the file as it can be found from the same folder.
  fs::path folder = fs::weakly_canonical(fs::absolute(urdf, error), error).parent_path();
  fs::path short_folder = urdf.parent_path();
  for (;;) {
    if (folder.filename() == package && is_file(folder / rest)) {
      return (short_folder / rest).lexically_normal();
    }
    if (is_file(folder / package / rest)) {
      return (short_folder / package / rest).lexically_normal();
    }
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
    short_folder /= "..";
  }
  return Error{ErrorCode::kInput,
               fmt::format("package {} with {} is in no folder from the robot's upward",
                           base::in_quotes(package), base::in_quotes(rest.string(), 200))};
}

/// The axis that a Collada file calls up.
Result<UpAxis> collada_up(const fs::path& file) {
  const auto text = base::read_file(file);
  if (!text) return text.error();
  XmlTags tags(*text);
  XmlTag tag;
  while (tags.next(tag)) {
    if (tag.closes || tag.name != "up_axis") continue;
    const std::string_view up = tags.content(tag);
    if (up.find("X_UP") != std::string_view::npos) return UpAxis::kX;
    if (up.find("Z_UP") != std::string_view::npos) return UpAxis::kZ;
    break;
  }
  return UpAxis::kY;
}

/// The file's own coordinates again: turned_up() the other way round.
Vec3 turned_back(const Vec3& p, UpAxis up) {
  if (up == UpAxis::kZ) return {p.x, -p.z, p.y};
  if (up == UpAxis::kX) return {p.y, -p.x, p.z};
  return p;
}

class ModelMaker {
 public:
  ModelMaker(const Robot& robot, MeshFiles& files) : robot_(robot), files_(files) {}

  Result<AvatarModel> make() {
    AvatarModel out;
    out.file = robot_.file;
    out.name = robot_.name.empty() ? fs::path(robot_.file).stem().string() : robot_.name;
    out.description = fmt::format("A robot of {} links", robot_.links.size());
    for (const RobotLink& link : robot_.links) {
      for (std::size_t i = 0; i < link.collisions.size(); ++i) {
        const RobotCollision& part = link.collisions[i];
        auto shape = shape_of(part);
        if (!shape) return fault(link, part, shape.error());
        LinkModel one;
        one.name = link.collisions.size() == 1 ? link.name : fmt::format("{}.{}", link.name, i + 1);
        one.joint = link.name;
        one.shape = std::move(shape).value();
        if (!names_.insert(one.name).second) {
          return fault(link, part,
                       {ErrorCode::kInput, fmt::format("{} is the name of another link, too",
                                                       base::in_quotes(one.name))});
        }
        out.links.push_back(std::move(one));
      }
    }
    if (!out.links.empty()) return out;
    return base::file_error(robot_.file, "no link has a collision element: nothing could touch");
  }

 private:
  [[nodiscard]] Error fault(const RobotLink& link, const RobotCollision& part,
                            const Error& cause) const {
    return {cause.code, fmt::format("{}:{}: link {}: {}", robot_.file, part.line,
                                    base::in_quotes(link.name), cause.message)};
  }

  Result<Shape> shape_of(const RobotCollision& part) {
    ShapePlacement at{part.origin.translation, part.origin.rotation, {1.0, 1.0, 1.0}};
    const Vec3& size = part.size;
    switch (part.kind) {
      case RobotGeometry::kSphere:
        return Shape::sphere(part.origin.translation, size.x);
      case RobotGeometry::kBox:
        return placed(Shape::box({0.5 * size.x, 0.5 * size.y, 0.5 * size.z}), at);
      case RobotGeometry::kCylinder:
        // Shape's axis is y, a URDF's is z.
        at.rotation = at.rotation * core::about_x(90.0);
        return placed(Shape::cylinder(size.x, size.y, cylinder_tolerance(size.x)), at);
      case RobotGeometry::kMesh:
        break;
    }
    at.scale = size;
    return placed(mesh_of(part), at);
  }

  static Result<Shape> placed(const Result<Shape>& shape, const ShapePlacement& at) {
    return shape ? shape->placed(at) : shape;
  }

  Result<Shape> mesh_of(const RobotCollision& part) {
    const auto file = robot_mesh_file(robot_.file, part.mesh);
    if (!file) return file.error();
    auto mesh = files_.read(*file);
    if (!mesh) return mesh.error();
    if (base::lower_extension(*file) == ".dae") {
      const auto up = collada_up(*file);
      if (!up) return up.error();
      for (Vec3& corner : mesh->corners) corner = turned_back(corner, *up);
    }
    return Shape::mesh(std::move(mesh->corners), std::move(mesh->triangles));
  }

  const Robot& robot_;
  MeshFiles& files_;
  std::set<std::string> names_;
};

}  // namespace

Result<fs::path> robot_mesh_file(const fs::path& urdf, const std::string& name) {
  constexpr std::string_view kPackage = "package://";
  constexpr std::string_view kFile = "file://";
  const auto refuse = [&](std::string_view why) {
    return Error{ErrorCode::kInput, fmt::format("mesh {} {}", base::in_quotes(name, 200), why)};
  };
  if (name.empty()) return refuse("has no name");
  if (name.starts_with(kPackage)) {
    auto found = package_file(urdf, name.substr(kPackage.size()));
    return found ? found : Result<fs::path>(refuse("is not found: " + found.error().message));
  }
  fs::path file;
  if (name.starts_with(kFile)) {
    file = name.substr(kFile.size());
  } else if (name.find("://") != std::string::npos) {
    return refuse("is no file: package://, file:// and relative names are read");
  } else {
    file = (urdf.parent_path() / name).lexically_normal();
  }
  if (!is_file(file)) return refuse(fmt::format("is not found: there is no {}", file.string()));
  return file;
}

Result<AvatarModel> robot_model(const Robot& robot, MeshFiles& files) {
  return ModelMaker(robot, files).make();
}

}  // namespace tocsin::io
