#include "service/rooms/loaded_shapes.h"

#include <fmt/format.h>

#include <utility>

#include "base/quoted.h"

namespace tocsin::service {
namespace {

std::uint64_t triangles_of(const std::optional<AvatarModel>& model) {
  std::uint64_t out = 0;
  if (!model) return out;
  for (const LinkModel& link : model->links) out += link.shape.features().size();
  return out;
}

std::optional<Problem> too_many(std::uint64_t triangles, const Principal& principal) {
  if (triangles <= principal.limits.shape_triangles) return std::nullopt;
  return Problem{
      Refusal::kOverloaded,
      fmt::format("the avatar's shapes have {} triangles; {} may have {} of one avatar "
                  "(shape_triangles)",
                  triangles, base::in_quotes(principal.name), principal.limits.shape_triangles)};
}

/// The shape as the link has it. The mesh itself is shared where it stays as it is.
Result<Shape> put(const LoadedShape& asked, const Shape& loaded) {
  if (!(asked.radius >= 0.0)) {
    return {ErrorCode::kInput,
            fmt::format("its radius must be 0 or more (metres), is {}", asked.radius)};
  }
  Result<Shape> out = loaded;
  if (asked.convex) {
    out = Shape::convex(loaded.corners(), asked.radius);
  } else if (asked.radius > 0.0) {
    const auto corners = loaded.corners();
    const auto features = loaded.features();
    out = Shape::mesh({corners.begin(), corners.end()}, {features.begin(), features.end()},
                      asked.radius);
  }
  return out.ok() && asked.at ? out->placed(*asked.at) : std::move(out);
}

/// The rooms of all shapes, and how many triangles they have as they are loaded.
std::optional<Problem> find_all(const Environments& rooms, const Principal& principal,
                                const TrackOptions& options, std::uint64_t& triangles,
                                FoundShapes& out) {
  const std::size_t links = options.model ? options.model->links.size() : 0;
  for (const LoadedShape& asked : options.shapes) {
    if (asked.link >= links || !options.model->links[asked.link].shape.empty()) {
      return Problem{Refusal::kInvalid, fmt::format("shape {}: there is no link {} without a shape",
                                                    base::in_quotes(asked.name), asked.link)};
    }
    std::string problem;
    auto found = rooms.find_shape(principal, asked.name, problem);
    if (!found) return Problem{Refusal::kNotFound, std::move(problem)};
    triangles += found->shape.features().size();
    out.of.push_back(std::move(found));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Problem> find_shapes(const Environments& rooms, const Principal& principal,
                                   TrackOptions& options, MemoryBudget* memory, FoundShapes& out) {
  std::uint64_t triangles = triangles_of(options.model);
  std::uint64_t loaded = 0;
  if (auto problem = find_all(rooms, principal, options, loaded, out)) return problem;
  if (auto problem = too_many(triangles + loaded, principal)) return problem;
  if (memory != nullptr && loaded > 0) {
    out.hold = memory->take(loaded * kShapeMemory);
    if (!out.hold) {
      return Problem{Refusal::kOverloaded,
                     "the server has no memory left for the avatar's shapes (--memory)"};
    }
  }
  for (std::size_t i = 0; i < options.shapes.size(); ++i) {
    const LoadedShape& asked = options.shapes[i];
    LinkModel& link = options.model->links[asked.link];
    auto shape = put(asked, out.of[i]->shape);
    if (!shape) {
      return Problem{Refusal::kInvalid,
                     fmt::format("link {} ({}): its shape: {}", asked.link,
                                 base::in_quotes(link.name), shape.error().message)};
    }
    triangles += shape->features().size();  // of a hull it is known only now
    if (auto problem = too_many(triangles, principal)) return problem;
    link.shape = std::move(shape).value();
  }
  return std::nullopt;
}

}  // namespace tocsin::service
