#include "app/send/send_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "base/quoted.h"
#include "wire/limits.h"

namespace tocsin::app {

SentShapes::~SentShapes() {
  for (const std::string& name : names_) static_cast<void>(server_.unload_environment(name));
}

namespace {

/// Calls upload(i) of the largest of `count` shapes until all others can be sent inline. size(i):
/// triangles.
template <class Size, class Upload>
Status upload_largest(std::size_t count, const Size& size, const Upload& upload) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t k) { return size(i) > size(k); });
  std::size_t left = 0;
  for (const std::size_t i : order) left += size(i);
  for (const std::size_t i : order) {
    if (left <= wire::kMostInlineTriangles) break;
    left -= size(i);
    if (Status sent = upload(i); !sent) return sent;
  }
  return Nothing{};
}

}  // namespace

Result<std::string> SentShapes::put(const Shape& shape) {
  if (begin_.empty()) {
    std::random_device random;
    begin_ = fmt::format("send-{:08x}{:08x}", random(), random());
  }
  std::string name = fmt::format("{}-{}", begin_, names_.size());
  const auto loaded = server_.upload_shape(name, shape);
  if (!loaded) return loaded.error();
  names_.push_back(name);
  return name;
}

Status SentShapes::upload_of(TrackOptions& track, std::size_t link) {
  LinkModel& model = track.model->links[link];
  auto name = put(model.shape);
  if (!name) {
    return Error{name.error().code, fmt::format("the shape of link {}: {}",
                                                base::in_quotes(model.name), name.error().message)};
  }
  LoadedShape& shape = track.shapes.emplace_back();
  shape.link = link;
  shape.name = std::move(name).value();
  shape.radius = model.shape.radius();
  model.shape = {};
  return Nothing{};
}

Status SentShapes::upload_of(SceneEdit& edit) {
  auto name = put(edit.shape);
  if (!name) {
    return Error{name.error().code, fmt::format("the mesh of {}: {}", base::in_quotes(edit.object),
                                                name.error().message)};
  }
  edit.loaded = std::move(name).value();
  edit.shape = {};
  return Nothing{};
}

Status SentShapes::upload(TrackOptions& track) {
  if (!track.model) return Nothing{};
  const auto& links = track.model->links;
  return upload_largest(
      links.size(), [&](std::size_t i) { return links[i].shape.features().size(); },
      [&](std::size_t i) { return upload_of(track, i); });
}

Status SentShapes::upload(std::vector<SceneEdit>& edits) {
  return upload_largest(
      edits.size(), [&](std::size_t i) { return edits[i].shape.features().size(); },
      [&](std::size_t i) { return upload_of(edits[i]); });
}

}  // namespace tocsin::app
