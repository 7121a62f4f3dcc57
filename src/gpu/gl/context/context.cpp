#include "gpu/gl/context/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>

#include "gpu/gl/context/functions.h"
#include "gpu/gl/context/gl.h"

namespace tocsin::gl {

/// What debug output said. GL calls add() from the thread that has the context.
class Context::Complaints {
 public:
  void add(std::string text) {
    const std::lock_guard lock(mutex_);
    // A defect in a loop complains without end.
    constexpr std::size_t kMost = 100;
    if (texts_.size() < kMost) {
      texts_.push_back(std::move(text));
    } else {
      ++more_;
    }
  }
  std::vector<std::string> take() {
    const std::lock_guard lock(mutex_);
    if (more_ > 0) texts_.push_back(fmt::format("and {} more", more_));
    more_ = 0;
    return std::exchange(texts_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> texts_;
  std::size_t more_ = 0;
};

namespace {

const char* kind_of(GLenum type) {
  switch (type) {
    case GL_DEBUG_TYPE_ERROR:
      return "error";
    case GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR:
      return "undefined behaviour";
    case GL_DEBUG_TYPE_DEPRECATED_BEHAVIOR:
      return "deprecated";
    default:
      return nullptr;
  }
}

template <class Complaints>
void GLAPIENTRY on_message(GLenum /*source*/, GLenum type, GLuint /*id*/, GLenum /*severity*/,
                           GLsizei length, const GLchar* text, const void* complaints) {
  const char* kind = kind_of(type);
  if (kind == nullptr) return;
  try {
    const std::string_view said(text, static_cast<std::size_t>(std::max(length, 0)));
    static_cast<Complaints*>(const_cast<void*>(complaints))->add(fmt::format("{}: {}", kind, said));
  } catch (const std::exception&) {  // no memory for it; the driver's frames carry no exceptions
    return;
  }
}

}  // namespace

Context::Context() = default;
Context::~Context() = default;

std::vector<std::string> Context::take_complaints() {
  return complaints_ ? complaints_->take() : std::vector<std::string>();
}

Status Context::open(bool debug) {
  if (Status status = open_functions(info_); !status) return status;
  if (!debug) return Nothing{};
  complaints_ = std::make_unique<Complaints>();
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);  // a complaint belongs to the call that is under way
  glDebugMessageCallback(on_message<Complaints>, complaints_.get());
  return Nothing{};
}

}  // namespace tocsin::gl
