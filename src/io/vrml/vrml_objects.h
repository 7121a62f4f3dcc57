// The objects of a VRML file, filled shape by shape.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/vrml/vrml_mesh.h"
#include "tocsin/environment.h"

namespace tocsin::io {

/// A node whose shapes make one object, if it turns out to hold any triangles.
struct VrmlHolder {
  std::string_view name;
  std::size_t order = 0;  ///< in which such nodes begin; 0: the file itself
  std::size_t object = kNone;
  static constexpr std::size_t kNone = ~std::size_t{0};
};

class VrmlObjects {
 public:
  /// A holder that begins after all before.
  VrmlHolder begin(std::string_view name) { return {name, ++order_, VrmlHolder::kNone}; }

  /// Gives a holder its object. True if its name had to be changed, as it was no UTF-8 text.
  /// Precondition: it has none yet.
  bool open(VrmlHolder& holder);

  /// Appends triangles, points in metres, to the object of a holder. Empty, or what is wrong: a
  /// point out of reach, or too many of them. Precondition: it has an object.
  std::string append(const VrmlMesh& mesh, const VrmlHolder& holder);

  [[nodiscard]] std::size_t count() const { return objects_.size(); }

  /// All objects, in the order in which their holders begin; they are gone from here.
  std::vector<ObjectMesh> take();

 private:
  struct Ordered {
    std::size_t order = 0;
    ObjectMesh mesh;
  };
  std::vector<Ordered> objects_;
  std::size_t order_ = 0;
};

}  // namespace tocsin::io
