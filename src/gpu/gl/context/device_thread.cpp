#include "gpu/gl/context/device_thread.h"

#include <fmt/format.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <future>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "gpu/gl/context/gl.h"

namespace tocsin::gl {
namespace {

const char* name_of(GLenum error) {
  switch (error) {
    case GL_INVALID_ENUM:
      return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE:
      return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION:
      return "GL_INVALID_OPERATION";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
      return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case GL_STACK_OVERFLOW:
      return "GL_STACK_OVERFLOW";
    case GL_STACK_UNDERFLOW:
      return "GL_STACK_UNDERFLOW";
    default:
      return "an unknown error";
  }
}

/// Null if there was no reset.
const char* reset_name(GLenum status) {
  switch (status) {
    case GL_NO_ERROR:
      return nullptr;
    case GL_GUILTY_CONTEXT_RESET:
      return "guilty";
    case GL_INNOCENT_CONTEXT_RESET:
      return "innocent";
    default:
      return "for an unknown reason";
  }
}

/// Both ends share it: the waiting thread may have left before set_value() has returned.
using Answer = std::promise<Status>;

Status resource(std::string message) { return {ErrorCode::kResource, std::move(message)}; }

/// What `f` answers, or which exception it threw.
template <class F>
Status guarded(const F& f) noexcept {
  try {
    try {
      return f();
    } catch (const std::bad_alloc&) {
      return resource("out of memory");
    } catch (const std::exception& error) {
      return resource(fmt::format("a job for the OpenGL device failed: {}", error.what()));
    } catch (...) {
      return resource("a job for the OpenGL device failed");
    }
  } catch (...) {
    return resource("out of memory");  // so short a text needs none
  }
}

/// Somebody waits for it: an answer there must be.
void answer(Answer& to, Status status) noexcept {
  try {
    to.set_value(std::move(status));
  } catch (...) {
    to.set_exception(std::current_exception());
  }
}

}  // namespace

/// All that the thread needs; it keeps it alive by itself, so that a DeviceThread may end on it.
struct DeviceThread::Impl {
  using Job = std::function<void()>;

  std::unique_ptr<Context> context;  // touched by the thread only
  ContextInfo info;
  std::thread thread;

  mutable std::mutex mutex;
  std::condition_variable wake;
  std::deque<Job> jobs;
  bool ending = false;
  std::optional<Error> loss;
  std::optional<Fault> fault;
  std::atomic<bool> exhausted = false;
  int checkpoints_before_fault = 0;

  /// The one that runs on this thread; null elsewhere.
  static thread_local Impl* here;

  void work(const Opening& opening, Answer& opened) noexcept;
  Status open(const Opening& opening);
  void enqueue(Job job);
  [[nodiscard]] bool next(Job& job);
  [[nodiscard]] std::optional<Error> known_loss() const;
  [[nodiscard]] Status run_guarded(const std::function<Status()>& job) noexcept;
  [[nodiscard]] Status ask(const char* what);
  [[nodiscard]] std::optional<Fault> due_fault();
  Status lose(const char* how);
  Status out_of_memory(const char* what);
  Status check(const char* what, bool checkpoint);
};

thread_local DeviceThread::Impl* DeviceThread::Impl::here = nullptr;

Status DeviceThread::Impl::open(const Opening& opening) {
  auto made = opening();
  if (!made) return made.error();
  context = std::move(made).value();
  info = context->info();
  (void)ask("opening");  // what a loader may have left must not be put down to the first job
  return Nothing{};
}

void DeviceThread::Impl::work(const Opening& opening, Answer& opened) noexcept {
  here = this;
  Status status = guarded([&] { return open(opening); });
  const bool open = status.ok();
  answer(opened, std::move(status));
  for (Job job; open && next(job); job = nullptr) {
    (void)guarded([&job]() -> Status {
      job();
      return Nothing{};
    });
  }
  context.reset();
}

void DeviceThread::Impl::enqueue(Job job) {
  {
    const std::lock_guard lock(mutex);
    jobs.push_back(std::move(job));
  }
  wake.notify_one();
}

/// Waits for a job. False if there will be none any more.
bool DeviceThread::Impl::next(Job& job) {
  std::unique_lock lock(mutex);
  wake.wait(lock, [this] { return ending || !jobs.empty(); });
  if (jobs.empty()) return false;
  job = std::move(jobs.front());
  jobs.pop_front();
  return true;
}

std::optional<Error> DeviceThread::Impl::known_loss() const {
  const std::lock_guard lock(mutex);
  return loss;
}

Status DeviceThread::Impl::run_guarded(const std::function<Status()>& job) noexcept {
  return guarded([&]() -> Status {
    if (const auto lost = known_loss()) return *lost;
    Status status = guarded(job);
    // What the job itself found says more; but a loss, or errors that it left behind, must be seen.
    Status left = check("a job", false);
    return status ? left : status;
  });
}

std::optional<DeviceThread::Fault> DeviceThread::Impl::due_fault() {
  const std::lock_guard lock(mutex);
  if (!fault || checkpoints_before_fault-- > 0) return std::nullopt;
  return std::exchange(fault, std::nullopt);
}

Status DeviceThread::Impl::lose(const char* how) {
  const std::lock_guard lock(mutex);
  loss = Error{ErrorCode::kResource,
               fmt::format("the OpenGL context was lost: {}, {}", how, info.renderer)};
  return *loss;
}

Status DeviceThread::Impl::out_of_memory(const char* what) {
  exhausted = true;
  return resource(fmt::format("out of memory on the OpenGL device: {}", what));
}

Status DeviceThread::Impl::check(const char* what, bool checkpoint) {
  exhausted = false;
  if (const auto lost = known_loss()) return *lost;
  if (const auto due = checkpoint ? due_fault() : std::nullopt) {
    return *due == Fault::kContextLost ? lose("injected by a test") : out_of_memory(what);
  }
  return ask(what);
}

Status DeviceThread::Impl::ask(const char* what) {
  GLenum first = GL_NO_ERROR;
  bool no_memory = false;
  bool gone = false;
  // A context that is lost reports errors for ever.
  constexpr int kMostErrors = 100;
  for (int i = 0; i < kMostErrors; ++i) {
    const GLenum error = glGetError();
    gone = gone || error == GL_CONTEXT_LOST;
    if (error == GL_NO_ERROR || gone) break;
    if (first == GL_NO_ERROR) first = error;
    no_memory = no_memory || error == GL_OUT_OF_MEMORY;
  }
  if (const char* how = reset_name(glGetGraphicsResetStatus())) return lose(how);
  if (gone) return lose("for an unknown reason");
  if (no_memory) return out_of_memory(what);
  if (first == GL_NO_ERROR) return Nothing{};
  return resource(
      fmt::format("OpenGL reported {} ({}); this is a defect in Tocsin", name_of(first), what));
}

DeviceThread::DeviceThread() : impl_(std::make_shared<Impl>()) {}

Result<std::shared_ptr<DeviceThread>> DeviceThread::start(const ContextOptions& options) {
  return start_with([options] { return make_egl_context(options); });
}

Result<std::shared_ptr<DeviceThread>> DeviceThread::start_with(const Opening& open) {
  std::shared_ptr<DeviceThread> out(new DeviceThread);
  const auto opened = std::make_shared<Answer>();
  const std::shared_ptr<Impl> impl = out->impl_;
  try {
    impl->thread = std::thread([impl, open, opened] { impl->work(open, *opened); });
  } catch (const std::system_error& error) {
    return {ErrorCode::kResource,
            fmt::format("no thread could be started for the OpenGL device: {}", error.what())};
  }
  const Status status = guarded([&] { return opened->get_future().get(); });
  if (!status) return status.error();
  return out;
}

DeviceThread::~DeviceThread() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->ending = true;
  }
  impl_->wake.notify_one();
  if (!impl_->thread.joinable()) return;
  if (Impl::here == impl_.get()) {
    impl_->thread.detach();  // a job let go of the last reference: the thread ends after it
  } else {
    impl_->thread.join();
  }
}

Status DeviceThread::run(const std::function<Status()>& job) {
  if (Impl::here == impl_.get()) return impl_->run_guarded(job);
  return guarded([&]() -> Status {
    if (const auto lost = impl_->known_loss()) return *lost;
    const auto done = std::make_shared<Answer>();
    std::future<Status> coming = done->get_future();
    impl_->enqueue([this, done, &job] { answer(*done, impl_->run_guarded(job)); });
    return coming.get();
  });
}

void DeviceThread::post(std::function<void()> job) noexcept {
  Impl* const impl = impl_.get();
  try {
    impl->enqueue([impl, job = std::move(job)] {
      (void)guarded([&job]() -> Status {  // no thread waits for it
        job();
        return Nothing{};
      });
      (void)impl->check("a posted job", false);  // nor must the next job answer for it
    });
  } catch (...) {  // what it would have freed goes when the context goes
    return;
  }
}

const ContextInfo& DeviceThread::info() const { return impl_->info; }

bool DeviceThread::lost() const { return impl_->known_loss().has_value(); }

bool DeviceThread::exhausted() const { return impl_->exhausted; }

std::vector<std::string> DeviceThread::take_complaints() {
  return impl_->context->take_complaints();
}

void DeviceThread::inject(Fault fault, int after) {
  const std::lock_guard lock(impl_->mutex);
  impl_->fault = fault;
  impl_->checkpoints_before_fault = after;
}

Status check_device(const char* what) {
  DeviceThread::Impl* impl = DeviceThread::Impl::here;
  if (impl != nullptr) return impl->check(what, true);
  return {ErrorCode::kResource, "check_device() was called outside a job of a DeviceThread"};
}

}  // namespace tocsin::gl
