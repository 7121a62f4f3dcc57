// The device that checks steps of a room's sessions in batches. docs/service.md, "Backends".
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "service/session/session_problems.h"
#include "tocsin/detector.h"

namespace tocsin::service {

class RoomDevice;

/// Shared by sessions whose steps one Detector::check_batch can check: sessions of one room with
/// the same options. They keep it alive.
struct BatchGroup {
  const std::shared_ptr<RoomDevice> device;
  Detector detector;  ///< on the device, without an error; used by its DeviceQueue once sessions
                      ///< have the group
};

/// Thread-safe. A device that fails is not used again. From then on the CPU checks, each session by
/// itself, and finds the same contacts.
class RoomDevice : public std::enable_shared_from_this<RoomDevice> {
 public:
  /// Groups besides the one with default options. The CPU checks sessions with yet other options.
  /// Groups have turns, and each needs memory of the device. Larger: one principal with many
  /// margins can delay all others and fill the device. Sessions with default options always have a
  /// group.
  static constexpr std::size_t kMostGroups = 16;

  /// `detector`: of the room, on the device, without an error. `room`: its name, for the log.
  RoomDevice(std::string room, Detector detector, Log log);

  /// The group with these options (contacts, margin, tolerance, clearance, surfaces). Null: there
  /// is no room for another group, or the device failed.
  std::shared_ptr<BatchGroup> group(const DetectorOptions& asked);
  /// Options for other rooms on the same device, such as a meeting's.
  [[nodiscard]] const DetectorOptions& options() const { return detector_.options(); }

  /// "cuda", and the device's name; also after it failed.
  [[nodiscard]] const std::string& backend() const { return backend_; }
  [[nodiscard]] std::string name() const;
  [[nodiscard]] bool works() const { return works_; }
  /// Why it failed; empty while it works.
  [[nodiscard]] std::string fallback() const;
  /// Call after a check by `detector`, which runs on this device. If the device failed, it is not
  /// used again, and the first time that is logged. A device that only had no memory for some step
  /// still works, and so do several as long as one of them does: that others failed is logged.
  /// `detector` is then replaced by a new one with the same options.
  void update(Detector& detector);

 private:
  /// Remembers which devices are left, and logs why if they are others than before.
  void note_left(const std::string& devices, const std::string& why);
  /// The options of a group.
  struct Ask {
    Contacts contacts;
    double margin;
    double tolerance;
    bool clearance;
    std::vector<std::string> surfaces;
    friend bool operator==(const Ask&, const Ask&) = default;
  };
  struct Entry {
    Ask ask;
    std::weak_ptr<BatchGroup> group;
  };
  static Ask ask_of(const DetectorOptions& options) {
    return {options.contacts, options.margin, options.tolerance, options.clearance,
            options.surfaces};
  }

  // Under the lock.
  [[nodiscard]] std::shared_ptr<BatchGroup> find(const Ask& ask) const;
  [[nodiscard]] bool is_full(const Ask& ask);

  const std::string room_;
  const Detector detector_;
  const std::string backend_;
  const Log log_;
  std::atomic<bool> works_{true};
  mutable std::mutex mutex_;  ///< of these three
  std::string name_;          ///< of the devices that are left, if it is several
  std::string fallback_;
  std::vector<Entry> groups_;
};

}  // namespace tocsin::service
