// Reading the fields of VRML nodes, through PROTOs.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/vector/vec.h"
#include "io/vrml/vrml_scene.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// The instance of a PROTO in whose body a node stands: IS means its fields.
struct VrmlScope {
  const VrmlNode* instance = nullptr;
  const VrmlProto* proto = nullptr;
  const VrmlScope* outer = nullptr;  ///< of the instance itself; null in the file
};

/// A node and where it stands.
struct VrmlBound {
  const VrmlNode* node = nullptr;
  const VrmlScope* scope = nullptr;
};

/// Nodes that a field holds, and the scope that they stand in.
struct VrmlBoundRefs {
  std::span<const VrmlRef> refs;
  const VrmlScope* scope = nullptr;
};

/// Every get() leaves `out` unchanged if the node does not have the field. It returns false after
/// an error, which error() then gives.
class VrmlFieldReader {
 public:
  VrmlFieldReader(const VrmlScene& scene, std::string_view file) : scene_(scene), file_(file) {}

  bool get(const VrmlBound& of, std::string_view name, bool& out);
  bool get(const VrmlBound& of, std::string_view name, double& out);
  bool get(const VrmlBound& of, std::string_view name, Vec3& out);
  /// A rotation as a matrix.
  bool get(const VrmlBound& of, std::string_view name, core::Mat3& out);
  /// A list of values of so many numbers each.
  bool get(const VrmlBound& of, std::string_view name, std::size_t components,
           std::span<const double>& out);
  bool get(const VrmlBound& of, std::string_view name, VrmlBoundRefs& out);
  bool get(const VrmlBound& of, std::string_view name, std::string_view& text);

  /// The node that a reference means: of an instance of a PROTO, the first node of its body, and so
  /// on. An instance of which there is no body (an EXTERNPROTO's, or an empty one's) is itself.
  VrmlBound resolve(const VrmlRef& ref, const VrmlScope* scope);

  /// Scopes that resolve() makes live until they are released.
  [[nodiscard]] std::size_t scopes() const { return scopes_.size(); }
  void release(std::size_t scopes) { scopes_.resize(scopes); }

  /// Work so far, in the unit of VrmlLimits; grows.
  [[nodiscard]] std::uint64_t work() const { return work_; }

  bool stop(std::int64_t line, std::string_view cause);
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  struct Found {
    const VrmlField* field = nullptr;  ///< null: not given, or an error
    const VrmlScope* scope = nullptr;
    std::int64_t line = 0;  ///< where the node itself says it
  };
  /// False after an error.
  bool find(const VrmlBound& of, std::string_view name, Found& out);
  /// Where the node says it; `line` stays 0 where it does not.
  bool numbers(const VrmlBound& of, std::string_view name, std::span<const double>& out,
               std::int64_t& line);
  /// The same for a single value of so many numbers.
  bool fixed(const VrmlBound& of, std::string_view name, std::size_t count,
             std::span<const double>& out, std::int64_t& line);

  const VrmlScene& scene_;
  std::string_view file_;
  std::deque<VrmlScope> scopes_;  // whose elements stay where they are
  std::uint64_t work_ = 0;
  std::optional<Error> error_;
};

}  // namespace tocsin::io
