// Occlusion queries: one per pair and view, and their results in a buffer. docs/gl.md, "flags and
// query".
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gpu/gl/context/objects.h"
#include "gpu/gl/visibility/visibility_batch.h"
#include "tocsin/result.h"

namespace tocsin::gl {

/// On the device's thread only. Queries are used again from chunk to chunk.
class VisibilityQueries {
 public:
  /// Makes queries for so many pairs.
  void reserve(std::size_t pairs);

  /// Draws the pairs' commands, of the buffer that is bound to GL_DRAW_INDIRECT_BUFFER, each in a
  /// query. Without `all_views` pairs that the view before is known to have freed are left out.
  void draw(std::size_t pairs, int view, bool all_views);

  /// The answers of three views. What is not known counts as touching, what could not be read is
  /// kUnread. Waits for what was drawn, once. Errors: kResource, it takes longer than a minute.
  [[nodiscard]] Status read(bool all_views, std::span<Seen> seen) const;

 private:
  [[nodiscard]] GLuint query(std::size_t pair, int view) const {
    return queries_[3 * pair + static_cast<std::size_t>(view)].name();
  }

  std::vector<Query> queries_;
  Buffer results_;
};

}  // namespace tocsin::gl
