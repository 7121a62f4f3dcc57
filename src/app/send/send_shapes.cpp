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

Status SentShapes::upload_of(TrackOptions& track, std::size_t link) {
  if (begin_.empty()) {
    std::random_device random;
    begin_ = fmt::format("send-{:08x}{:08x}", random(), random());
  }
  LinkModel& model = track.model->links[link];
  const std::string name = fmt::format("{}-{}", begin_, names_.size());
  const auto loaded = server_.upload_shape(name, model.shape);
  if (!loaded) {
    return Error{loaded.error().code,
                 fmt::format("the shape of link {}: {}", base::in_quotes(model.name),
                             loaded.error().message)};
  }
  names_.push_back(name);
  LoadedShape& shape = track.shapes.emplace_back();
  shape.link = link;
  shape.name = name;
  shape.radius = model.shape.radius();
  model.shape = {};
  return Nothing{};
}

Status SentShapes::upload(TrackOptions& track) {
  if (!track.model) return Nothing{};
  const auto size = [&](std::size_t i) { return track.model->links[i].shape.features().size(); };
  std::vector<std::size_t> order(track.model->links.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t k) { return size(i) > size(k); });
  std::size_t left = 0;
  for (const std::size_t i : order) left += size(i);
  for (const std::size_t i : order) {
    if (left <= wire::kMostInlineTriangles) break;
    left -= size(i);
    if (Status sent = upload_of(track, i); !sent) return sent;
  }
  return Nothing{};
}

}  // namespace tocsin::app
