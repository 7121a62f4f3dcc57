// Calls that let other threads of Python run, and those that Ctrl-C ends.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <future>
#include <stop_token>
#include <thread>
#include <utility>

namespace tocsin::python {

namespace py = pybind11;

/// Runs short work without the interpreter's lock. `work` must not touch an object of Python.
template <class Work>
auto without_gil(Work&& work) {
  const py::gil_scoped_release released;
  return std::forward<Work>(work)();
}

/// Runs `work(stop)` on a thread of its own, without the interpreter's lock, and looks for signals
/// meanwhile. A signal whose handler raises (Ctrl-C) triggers the token; its exception is raised
/// when the work has ended. `work` must not touch an object of Python. Starting the thread takes
/// some 30 microseconds: for what takes longer than that.
template <class Work>
auto interruptible(Work&& work) {
  // How soon Ctrl-C is seen; looking takes a microsecond.
  constexpr std::chrono::milliseconds kLook{20};
  std::stop_source source;
  std::packaged_task task([&] { return work(source.get_token()); });
  auto outcome = task.get_future();
  std::thread runner(std::move(task));
  bool interrupted = false;
  {
    const py::gil_scoped_release released;
    while (!interrupted && outcome.wait_for(kLook) != std::future_status::ready) {
      const py::gil_scoped_acquire held;
      interrupted = PyErr_CheckSignals() != 0;
    }
    if (interrupted) source.request_stop();
    runner.join();
  }
  if (interrupted) throw py::error_already_set();
  return outcome.get();
}

}  // namespace tocsin::python
