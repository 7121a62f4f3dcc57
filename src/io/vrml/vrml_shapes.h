// From VRML geometries to triangles in metres.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/import/affine.h"
#include "io/vrml/vrml_faces.h"
#include "io/vrml/vrml_fields.h"
#include "io/vrml/vrml_mesh.h"
#include "io/vrml/vrml_round.h"
#include "tocsin/io.h"

namespace tocsin::io {

/// Reads geometries, and counts what was special about them.
class VrmlShapeReader {
 public:
  VrmlShapeReader(VrmlFieldReader& fields, const EnvironmentOptions& options,
                  std::uint64_t concave_work)
      : fields_(fields), options_(options), faces_(concave_work) {}

  /// The triangles of a geometry in the world, its points in metres, not rounded. False after an
  /// error, which `fields` then tells; `mesh` stays empty if the geometry has no surface.
  bool read(const VrmlBound& geometry, const Affine& frame, VrmlMesh& mesh);

  /// Work so far, in the unit of VrmlLimits; grows.
  [[nodiscard]] std::uint64_t work() const { return work_; }
  [[nodiscard]] const VrmlFaceCounts& face_counts() const { return counts_; }
  /// "2 Sphere, 1 Cone replaced by ..."; empty if there were none.
  [[nodiscard]] std::string round_notice() const;

 private:
  bool face_set(const VrmlBound& node, VrmlMesh& mesh);
  bool grid(const VrmlBound& node, VrmlMesh& mesh);
  bool extrusion(const VrmlBound& node, VrmlMesh& mesh);
  bool box(const VrmlBound& node, const Affine& frame, VrmlMesh& mesh);
  bool round(const VrmlBound& node, const Affine& frame, VrmlMesh& mesh);
  bool size_fault(const VrmlBound& node, std::string_view name, double value);
  [[nodiscard]] Vec3 metres(const Vec3& p) const;

  VrmlFieldReader& fields_;
  const EnvironmentOptions& options_;
  VrmlFaceReader faces_;
  VrmlFaceCounts counts_;
  std::uint64_t work_ = 0;
  std::int64_t spheres_ = 0;
  std::int64_t cylinders_ = 0;
  std::int64_t cones_ = 0;
  double tolerance_ = 0.0;  ///< the greatest so far
};

}  // namespace tocsin::io
