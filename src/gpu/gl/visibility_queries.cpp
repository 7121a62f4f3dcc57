#include "gpu/gl/visibility_queries.h"

#include "gpu/gl/visibility_records.h"

namespace tocsin::gl {
namespace {

/// Until all that was drawn is done; then every query has its result, and none is waited for.
void wait_for_all() {
  const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  constexpr GLuint64 kSecond = 1'000'000'000;
  // A lost context answers GL_WAIT_FAILED.
  while (glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, kSecond) == GL_TIMEOUT_EXPIRED) {
  }
  glDeleteSync(fence);
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

void VisibilityQueries::read(bool all_views, std::span<Seen> seen) {
  results_.fill(1);
  wait_for_all();
  const std::size_t count = 3 * seen.size();
  for (std::size_t i = 0; i < count; ++i) {
    glGetQueryBufferObjectuiv(queries_[i].name(), results_.name(), GL_QUERY_RESULT_NO_WAIT,
                              static_cast<GLintptr>(i * sizeof(GLuint)));
  }
  std::vector<GLuint> passed(count);
  results_.read(std::span(passed));
  for (std::size_t i = 0; i < seen.size(); ++i) {
    seen[i] = 0;
    for (std::size_t view = 0; view < 3; ++view) {
      if (passed[3 * i + view] != 0) {
        seen[i] = static_cast<Seen>(seen[i] | (kMeets << (3 * view)));
      } else if (!all_views) {
        break;  // later views may or may not have been drawn
      }
    }
  }
}

}  // namespace tocsin::gl
