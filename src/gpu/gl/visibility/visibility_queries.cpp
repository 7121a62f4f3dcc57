#include "gpu/gl/visibility/visibility_queries.h"

#include <fmt/format.h>

#include "gpu/gl/visibility/visibility_records.h"

namespace tocsin::gl {
namespace {

/// Until all that was drawn is done; then every query has its result, and none is waited for.
Status wait_for_all() {
  constexpr GLuint64 kSecond = 1'000'000'000;
  // Seconds. A device that has not drawn a chunk by then hangs: llvmpipe, on two busy cores, takes
  // ten at most. With less, slow devices would fail; with more, a hang would look like work.
  constexpr int kMostSeconds = 60;
  const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  GLenum answer = GL_TIMEOUT_EXPIRED;
  for (int i = 0; i < kMostSeconds && answer == GL_TIMEOUT_EXPIRED; ++i) {
    answer = glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, kSecond);
  }
  glDeleteSync(fence);
  if (answer == GL_ALREADY_SIGNALED || answer == GL_CONDITION_SATISFIED) return Nothing{};
  if (answer == GL_TIMEOUT_EXPIRED) {
    return {ErrorCode::kResource,
            fmt::format("the device has not answered for {} s", kMostSeconds)};
  }
  return {ErrorCode::kResource, "the device could not be waited for"};  // a lost context, mostly
}

/// Of the three results of a pair.
Seen seen_of(std::span<const GLuint, 3> passed, bool all_views) {
  Seen out = 0;
  for (std::size_t view = 0; view < 3; ++view) {
    if (passed[view] == GL_TRUE) {
      out = static_cast<Seen>(out | (kMeets << (3 * view)));
    } else if (passed[view] != GL_FALSE) {
      return kUnread;
    } else if (!all_views) {
      break;  // later views may or may not have been drawn
    }
  }
  return out;
}

}  // namespace

void VisibilityQueries::reserve(std::size_t pairs) {
  while (queries_.size() < 3 * pairs) queries_.push_back(make_query(GL_ANY_SAMPLES_PASSED));
  if (results_.bytes() < queries_.size() * sizeof(GLuint)) {
    results_ = Buffer(queries_.size() * sizeof(GLuint), 0);
  }
}

void VisibilityQueries::draw(std::size_t pairs, int view, bool all_views) {
  const bool conditional = view > 0 && !all_views;
  for (std::size_t i = 0; i < pairs; ++i) {
    // Without waiting: whatever is not known by then is drawn.
    if (conditional) glBeginConditionalRender(query(i, view - 1), GL_QUERY_NO_WAIT);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query(i, view));
    // GL takes an offset for a pointer.
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    const auto* offset = reinterpret_cast<const void*>(i * sizeof(DrawCommand));
    glDrawArraysIndirect(GL_TRIANGLES, offset);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    if (conditional) glEndConditionalRender();
  }
}

Status VisibilityQueries::read(bool all_views, std::span<Seen> seen) const {
  results_.fill(GL_TRUE);
  if (Status status = wait_for_all(); !status) return status;
  const std::size_t count = 3 * seen.size();
  for (std::size_t i = 0; i < count; ++i) {
    glGetQueryBufferObjectuiv(queries_[i].name(), results_.name(), GL_QUERY_RESULT_NO_WAIT,
                              static_cast<GLintptr>(i * sizeof(GLuint)));
  }
  std::vector<GLuint> passed(count, GLuint{kUnread});
  results_.read(std::span(passed));
  for (std::size_t i = 0; i < seen.size(); ++i) {
    seen[i] = seen_of(std::span(passed).subspan(3 * i).first<3>(), all_views);
  }
  return Nothing{};
}

}  // namespace tocsin::gl
