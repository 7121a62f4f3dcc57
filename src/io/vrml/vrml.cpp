#include "io/vrml/vrml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/text_scanner.h"
#include "io/import/nesting.h"
#include "io/nodes/turns.h"
#include "io/vrml/vrml_fields.h"
#include "io/vrml/vrml_notes.h"
#include "io/vrml/vrml_objects.h"
#include "io/vrml/vrml_parser.h"
#include "io/vrml/vrml_shapes.h"

namespace tocsin::io {
namespace {

// Work, in the unit of VrmlLimits, as measured.
constexpr std::uint64_t kVisitWork = 8;
constexpr std::uint64_t kTransformWork = 16;
constexpr std::uint64_t kNoteWork = 32;
constexpr std::uint64_t kObjectWork = 64;
constexpr std::size_t kStepsPerWork = 16;  // that are compared with a node, on the way to it

/// Unfolds a scene into objects.
class SceneWalker {
 public:
  SceneWalker(const VrmlScene& scene, std::string_view file, std::uint64_t bytes,
              const EnvironmentOptions& options, const VrmlLimits& limits)
      : scene_(scene),
        file_(file),
        max_triangles_(std::max(limits.free_triangles, bytes)),
        max_objects_(std::max(limits.free_objects, bytes / 4)),
        max_work_(limits.free_work + 16 * bytes),
        fields_(scene, file),
        shapes_(fields_, options, limits.free_concave_work + 64 * bytes) {}

  Result<Environment> read() {
    const std::string stem = std::filesystem::path(file_).stem().string();
    VrmlHolder whole{stem};
    for (const VrmlRef& root : scene_.roots) {
      if (!visit(root, nullptr, {}, whole, 1)) return *fields_.error();
    }
    if (triangles_ == 0) {
      // What was left out may be why.
      constexpr std::size_t kShown = 3;
      std::string text = fmt::format("{}: holds no triangles", file_);
      const std::vector<std::string> all = warnings();
      for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i) text += "; " + all[i];
      return {ErrorCode::kInput, text};
    }
    return finish();
  }

 private:
  /// A node on the way from the file to where the walk is.
  struct Step {
    const VrmlNode* node = nullptr;
    const VrmlScope* scope = nullptr;
    friend bool operator==(const Step&, const Step&) = default;
  };

  bool within_limits(std::int64_t line) {
    const std::uint64_t work = work_ + fields_.work() + shapes_.work();
    if (triangles_ > max_triangles_) {
      return fields_.stop(line, fmt::format("nodes are used so often that they make more than {} "
                                            "triangles",
                                            max_triangles_));
    }
    if (objects_.count() > max_objects_) {
      return fields_.stop(
          line,
          fmt::format("nodes are used so often that they make more than {} objects", max_objects_));
    }
    if (work > max_work_) {
      return fields_.stop(
          line,
          fmt::format("nodes are used so often that they take more than {} steps", max_work_));
    }
    return true;
  }

  bool visit(const VrmlRef& ref, const VrmlScope* scope, const Affine& frame, VrmlHolder& around,
             int depth) {
    work_ += kVisitWork;
    if (ref.by_use) work_ += path_.size() / kStepsPerWork;
    if (!within_limits(ref.line)) return false;
    if (depth > kMaxNesting) {
      return fields_.stop(ref.line, fmt::format("nested more than {} deep", kMaxNesting));
    }
    const VrmlNode& node = scene_.nodes[ref.node];
    const Step step{&node, scope};
    if (ref.by_use && std::find(path_.begin(), path_.end(), step) != path_.end()) {
      return fields_.stop(ref.line,
                          fmt::format("USE of {} inside of itself", base::in_quotes(node.name)));
    }
    path_.push_back(step);
    const std::size_t scopes = fields_.scopes();
    const VrmlBound bound = fields_.resolve(ref, scope);
    bool good = true;
    if (scope == nullptr && !node.name.empty()) {
      VrmlHolder own = objects_.begin(node.name);
      good = read_node(bound, frame, own, depth);
    } else {
      good = read_node(bound, frame, around, depth);
    }
    fields_.release(scopes);
    path_.pop_back();
    return good;
  }

  bool read_node(const VrmlBound& node, const Affine& frame, VrmlHolder& holder, int depth) {
    switch (node.node->kind) {
      case VrmlKind::kBillboard:
        note("Billboard read as a Group: it does not turn", node.node->line);
        return children(node, "children", frame, holder, depth);
      case VrmlKind::kGroup:
        return children(node, "children", frame, holder, depth);
      case VrmlKind::kTransform: {
        Affine local;
        return transform(node, local) &&
               children(node, "children", product(frame, local), holder, depth);
      }
      case VrmlKind::kCollision:
        return collision(node, frame, holder, depth);
      case VrmlKind::kSwitch:
        return choice(node, frame, holder, depth);
      case VrmlKind::kLod:
        return finest(node, frame, holder, depth);
      case VrmlKind::kShape:
        return shape(node, frame, holder);
      case VrmlKind::kInline:
        return pass_inline(node);
      case VrmlKind::kUnknown:
      case VrmlKind::kInstance:
        return unknown(node, frame, holder, depth);
      case VrmlKind::kPassed:
        return true;
      default:
        note(fmt::format("{} outside of a Shape left out", node.node->type), node.node->line);
        return true;
    }
  }

  bool children(const VrmlBound& node, std::string_view field, const Affine& frame,
                VrmlHolder& holder, int depth) {
    VrmlBoundRefs all;
    if (!fields_.get(node, field, all)) return false;
    return std::all_of(all.refs.begin(), all.refs.end(), [&](const VrmlRef& child) {
      return visit(child, all.scope, frame, holder, depth + 1);
    });
  }

  bool transform(const VrmlBound& node, Affine& out) {
    work_ += kTransformWork;
    TransformFields fields;
    if (!fields_.get(node, "translation", fields.translation) ||
        !fields_.get(node, "center", fields.center) || !fields_.get(node, "scale", fields.scale) ||
        !fields_.get(node, "rotation", fields.rotation) ||
        !fields_.get(node, "scaleOrientation", fields.scale_orientation)) {
      return false;
    }
    out = transform_of(fields);
    return true;
  }

  bool collision(const VrmlBound& node, const Affine& frame, VrmlHolder& holder, int depth) {
    bool collide = true;
    VrmlBoundRefs inside;
    VrmlBoundRefs proxy;
    if (!fields_.get(node, "collide", collide) || !fields_.get(node, "children", inside) ||
        !fields_.get(node, "proxy", proxy)) {
      return false;
    }
    if (!collide) {
      note("Collision with collide FALSE: what they hold is switched off", node.node->line);
      return true;
    }
    if (!inside.refs.empty()) {
      if (!proxy.refs.empty()) {
        note("proxy of a Collision left out: its children are read", node.node->line);
      }
      return children(node, "children", frame, holder, depth);
    }
    return children(node, "proxy", frame, holder, depth);
  }

  bool choice(const VrmlBound& node, const Affine& frame, VrmlHolder& holder, int depth) {
    double which = -1.0;
    VrmlBoundRefs all;
    if (!fields_.get(node, "whichChoice", which) || !fields_.get(node, "choice", all)) return false;
    const bool any = which >= 0.0 && which < static_cast<double>(all.refs.size());
    if (!all.refs.empty() && !any) {
      note("Switch that chooses nothing: what they hold is left out", node.node->line);
    } else if (all.refs.size() > 1) {
      note("Switch: only what they choose is read", node.node->line);
    }
    return !any ||
           visit(all.refs[static_cast<std::size_t>(which)], all.scope, frame, holder, depth + 1);
  }

  bool finest(const VrmlBound& node, const Affine& frame, VrmlHolder& holder, int depth) {
    VrmlBoundRefs all;
    if (!fields_.get(node, "level", all)) return false;
    if (all.refs.size() > 1) note("LOD: their finest level is read", node.node->line);
    return all.refs.empty() || visit(all.refs.front(), all.scope, frame, holder, depth + 1);
  }

  bool pass_inline(const VrmlBound& node) {
    std::string_view url;
    if (!fields_.get(node, "url", url)) return false;
    note(fmt::format("Inline not followed, what is in {} is missing", base::in_quotes(url)),
         node.node->line);
    return true;
  }

  bool unknown(const VrmlBound& node, const Affine& frame, VrmlHolder& holder, int depth) {
    VrmlBoundRefs inside;
    if (!fields_.get(node, "children", inside)) return false;
    const std::string type = base::in_quotes(node.node->type);
    if (!inside.refs.empty()) {
      note(fmt::format("{}, of unknown type: only their children are read", type), node.node->line);
      return children(node, "children", frame, holder, depth);
    }
    note(fmt::format("{}, of unknown type, left out", type), node.node->line);
    return true;
  }

  bool shape(const VrmlBound& node, const Affine& frame, VrmlHolder& holder) {
    VrmlBoundRefs of;
    if (!fields_.get(node, "geometry", of)) return false;
    if (of.refs.empty()) return true;
    const VrmlRef& ref = of.refs.front();
    const VrmlBound geometry = fields_.resolve(ref, of.scope);
    switch (geometry.node->kind) {
      case VrmlKind::kFaceSet:
      case VrmlKind::kGrid:
      case VrmlKind::kExtrusion:
      case VrmlKind::kBox:
      case VrmlKind::kSphere:
      case VrmlKind::kCylinder:
      case VrmlKind::kCone:
        break;
      case VrmlKind::kUntouchable:
        note(fmt::format("{} left out, as only surfaces can be touched", geometry.node->type),
             ref.line);
        return true;
      case VrmlKind::kUnknown:
      case VrmlKind::kInstance:
        note(fmt::format("geometry {}, of unknown type, left out",
                         base::in_quotes(geometry.node->type)),
             ref.line);
        return true;
      default:
        return fields_.stop(
            ref.line, fmt::format("a {} is no geometry", base::in_quotes(geometry.node->type)));
    }
    VrmlMesh mesh;
    if (!shapes_.read(geometry, frame, mesh)) return false;
    const std::string_view own = scene_.nodes[ref.node].name;
    if (holder.order == 0 && of.scope == nullptr && !own.empty()) {
      VrmlHolder alone = objects_.begin(own);
      return append(mesh, alone, ref.line);
    }
    return append(mesh, holder, ref.line);
  }

  bool append(const VrmlMesh& mesh, VrmlHolder& holder, std::int64_t line) {
    if (mesh.triangles.empty()) return true;
    triangles_ += mesh.triangles.size();
    work_ += mesh.triangles.size();
    if (!within_limits(line)) return false;
    if (holder.object == VrmlHolder::kNone) {
      work_ += kObjectWork;
      if (objects_.open(holder)) note("names are not UTF-8 text", line);
    }
    const std::string fault = objects_.append(mesh, holder);
    return fault.empty() || fields_.stop(line, fault);
  }

  void note(const std::string& what, std::int64_t line) {
    work_ += kNoteWork;
    notes_.add(what, line);
  }

  [[nodiscard]] std::vector<std::string> warnings() const {
    std::vector<std::string> out;
    if (const std::string round = shapes_.round_notice(); !round.empty()) {
      out.push_back(fmt::format("{}: {}", file_, round));
    }
    const std::vector<std::string> noted = notes_.warnings(file_);
    out.insert(out.end(), noted.begin(), noted.end());
    const auto count = [&](std::int64_t n, std::string_view what) {
      if (n > 0) out.push_back(fmt::format("{}: {} {}", file_, n, what));
    };
    count(shapes_.face_counts().short_faces, "faces of fewer than 3 corners left out");
    count(shapes_.face_counts().crossing_faces,
          "faces with convex FALSE cross themselves, their triangles overlap");
    if (scene_.unknown_fields > 0) {
      const std::string text = fmt::format(
          "{} fields passed over that their nodes do not have, {} "
          "first, here",
          scene_.unknown_fields, base::in_quotes(scene_.unknown_field));
      out.push_back(base::input_error(file_, scene_.unknown_field_line, text).message);
    }
    return out;
  }

  Result<Environment> finish() {
    const Result<Environment> made = Environment::create(objects_.take());
    if (!made.ok()) {
      return {made.error().code, fmt::format("{}: {}", file_, made.error().message)};
    }
    std::vector<std::string> all = warnings();
    for (const std::string& warning : made->warnings()) {
      all.push_back(fmt::format("{}: {}", file_, warning));
    }
    return made->with_warnings(std::move(all));
  }

  const VrmlScene& scene_;
  std::string_view file_;
  std::uint64_t max_triangles_;
  std::uint64_t max_objects_;
  std::uint64_t max_work_;
  VrmlFieldReader fields_;
  VrmlShapeReader shapes_;
  VrmlNotes notes_;
  std::vector<Step> path_;
  VrmlObjects objects_;
  std::uint64_t work_ = 0;
  std::uint64_t triangles_ = 0;
};

}  // namespace

Result<Environment> parse_vrml(std::string_view text, std::string_view file,
                               const EnvironmentOptions& options, const VrmlLimits& limits) {
  if (!std::isfinite(options.scale) || options.scale <= 0.0) {
    return {ErrorCode::kUsage,
            fmt::format("a scale of {} makes no sense; it must be finite and greater than 0",
                        options.scale)};
  }
  const Result<VrmlParsed> scene = parse_vrml_nodes(text, file);
  if (!scene.ok()) return scene.error();
  return SceneWalker(*scene, file, text.size(), options, limits).read();
}

}  // namespace tocsin::io
