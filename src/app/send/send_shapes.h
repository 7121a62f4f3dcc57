// Meshes that are too large to be sent with a session or a change: the server gets them before.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tocsin/client.h"

namespace tocsin::app {

/// Uploads the largest meshes of a model or a change, until the rest can be sent with it, and
/// unloads them when it goes: sessions and rooms keep theirs.
class SentShapes {
 public:
  explicit SentShapes(const Connection& server) : server_(server) {}
  SentShapes(const SentShapes&) = delete;
  SentShapes& operator=(const SentShapes&) = delete;
  ~SentShapes();

  /// Moves shapes of `track.model` to `track.shapes`. Errors: as Connection::upload_shape(), naming
  /// the link.
  Status upload(TrackOptions& track);
  /// The same of a change's shapes: SceneEdit::shape to SceneEdit::loaded. Errors name the object.
  Status upload(std::vector<SceneEdit>& edits);

 private:
  Status upload_of(TrackOptions& track, std::size_t link);
  Status upload_of(SceneEdit& edit);
  /// Under a name of its own, which it gives.
  Result<std::string> put(const Shape& shape);

  const Connection& server_;
  std::string begin_;  ///< of the shapes' names, of this run alone
  std::vector<std::string> names_;
};

}  // namespace tocsin::app
