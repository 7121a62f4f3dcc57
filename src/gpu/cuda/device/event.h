// A point in a stream of a device that others wait for.
#pragma once

#include <memory>
#include <utility>

#include "gpu/cuda/device/device.h"

namespace tocsin::cuda {

/// Keeps its device alive. Functions throw Failure. An event that was never recorded holds
/// nothing up.
class Event {
 public:
  explicit Event(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  /// All that the stream has been given so far.
  void record(Stream stream, const Where& where = Where::current()) {
    if (!event_) event_ = device_->make_event(where);
    device_->record(*event_, stream, where);
    pending_ = true;
  }
  /// What the stream is given from now on comes after it.
  void wait_in(Stream stream, const Where& where = Where::current()) const {
    if (event_) device_->wait(*event_, stream, where);
  }
  /// Returns once it is done.
  void wait(const Where& where = Where::current()) {
    if (pending_) device_->wait(*event_, where);
    pending_ = false;
  }

 private:
  std::shared_ptr<Device> device_;
  std::unique_ptr<detail::DeviceEvent> event_;
  bool pending_ = false;  ///< recorded, and the CPU has not waited for it
};

}  // namespace tocsin::cuda
