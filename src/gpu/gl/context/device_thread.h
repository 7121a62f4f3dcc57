// The thread that owns a context: a context is current on one thread at a time, and detectors are
// asked from many.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/gl/context/context.h"
#include "tocsin/result.h"

namespace tocsin::gl {

/// Runs jobs one after another on a thread of its own, on which its context is current for good.
/// Safe to share between threads.
class DeviceThread {
 public:
  /// Opens an EGL context on a new thread. Errors: as make_egl_context(); kResource: no thread.
  static Result<std::shared_ptr<DeviceThread>> start(const ContextOptions& options);
  /// The same with a context that `open` makes on that thread, current there.
  using Opening = std::function<Result<std::unique_ptr<Context>>()>;
  static Result<std::shared_ptr<DeviceThread>> start_with(const Opening& open);
  DeviceThread(const DeviceThread&) = delete;
  DeviceThread& operator=(const DeviceThread&) = delete;
  /// Waits for jobs under way. What jobs made must be gone by then, or be let go by post(). May run
  /// on the device's own thread, within a job: then the thread ends after what was posted.
  ~DeviceThread();

  /// Runs `job` and waits for it. After the job GL is asked whether it reported an error or lost
  /// the context: then the answer is kResource, saying which ("the OpenGL context was lost: guilty,
  /// llvmpipe ..."); after a loss every further job is refused with the same. An exception in a job
  /// is kResource as well. Within a job of this device it runs at once.
  [[nodiscard]] Status run(const std::function<Status()>& job);

  /// Runs `job` some time before the thread ends, without waiting, also after a loss: for
  /// destructors that must free GL objects. Exceptions and GL errors of it are dropped. Where there
  /// is no memory for it, so is the job.
  void post(std::function<void()> job) noexcept;

  [[nodiscard]] const ContextInfo& info() const;
  [[nodiscard]] bool lost() const;
  /// Within a job: whether the last check_device() said that memory ran out, so that less may do.
  [[nodiscard]] bool exhausted() const;
  /// Context::take_complaints() of the thread's context.
  [[nodiscard]] std::vector<std::string> take_complaints();

  /// For tests: what goes wrong, and at which of the coming checkpoints (check_device() calls;
  /// 0: the next).
  enum class Fault { kContextLost, kOutOfMemory };
  void inject(Fault fault, int after);

 private:
  DeviceThread();
  struct Impl;
  std::shared_ptr<Impl> impl_;
  friend Status check_device(const char* what);
};

/// To be called within a job after allocations and at the end of a batch: what GL has to say
/// (glGetError, glGetGraphicsResetStatus), or an injected fault. `what`: "the atlas of 4096 x 4096
/// texels"; part of the message. kResource: out of memory (the context lives: smaller batches may
/// do; DeviceThread::exhausted() is true then) or lost (DeviceThread::lost() is). Any other GL
/// error is a defect of ours and said as such.
Status check_device(const char* what);

}  // namespace tocsin::gl
