// Meshes of an avatar that are too large to be sent with every session: the server gets them once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tocsin/client.h"

namespace tocsin::app {

/// Uploads the largest meshes of a model, until the rest can be sent with it, and unloads them when
/// it goes: sessions keep theirs.
class SentShapes {
 public:
  explicit SentShapes(const Connection& server) : server_(server) {}
  SentShapes(const SentShapes&) = delete;
  SentShapes& operator=(const SentShapes&) = delete;
  ~SentShapes();

  /// Moves shapes of `track.model` to `track.shapes`. Errors: as Connection::upload_shape(), naming
  /// the link.
  Status upload(TrackOptions& track);

 private:
  Status upload_of(TrackOptions& track, std::size_t link);

  const Connection& server_;
  std::string begin_;  ///< of the shapes' names, of this run alone
  std::vector<std::string> names_;
};

}  // namespace tocsin::app
