// The device that checks steps of a room's sessions, many at once. docs/service.md, "Backends".
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "service/session_problems.h"
#include "tocsin/detector.h"

namespace tocsin::service {

class RoomDevice;

/// What sessions share whose steps one Detector::check_batch can check: those of one room who ask
/// the same of it. Kept alive by them.
struct BatchGroup {
  const std::shared_ptr<RoomDevice> device;
  Detector detector;  ///< on the device, without an error; its line's, once sessions have it
};

/// Thread-safe. A device that fails is given up for good: from then on the CPU checks, each session
/// by itself, and finds the same contacts.
class RoomDevice : public std::enable_shared_from_this<RoomDevice> {
 public:
  /// Groups that ask for something of their own; who asks for anything more is checked by the CPU.
  /// Groups have turns, and each keeps memory of the device: more, and one principal with many
  /// margins holds up and fills the device for all others. Those who ask for nothing special always
  /// have a group.
  static constexpr std::size_t kMostGroups = 16;

  /// `detector`: of the room, on the device, without an error. `room`: its name, for the log.
  RoomDevice(std::string room, Detector detector, Log log);

  /// The group of those who ask so (contacts, margin, tolerance, clearance). Null: there is none
  /// for them, or the device was given up.
  std::shared_ptr<BatchGroup> group(const DetectorOptions& asked);
  /// Of other rooms on the same device, as a meeting's.
  [[nodiscard]] const DetectorOptions& options() const { return detector_.options(); }

  /// "cuda", and what it runs on; also when it was given up.
  [[nodiscard]] const std::string& backend() const { return backend_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool works() const { return works_; }
  /// Why it was given up; empty while it works.
  [[nodiscard]] std::string fallback() const;
  /// After a check by `detector`, which runs on this device: gives the device up if it does not
  /// work any more. The first time that is logged. A device that only had no memory for some step
  /// works; `detector` is then a new one that asks the same.
  void look(Detector& detector);

 private:
  /// Whom a group is for.
  struct Ask {
    Contacts contacts;
    double margin;
    double tolerance;
    bool clearance;
    friend bool operator==(const Ask&, const Ask&) = default;
  };
  struct Entry {
    Ask ask;
    std::weak_ptr<BatchGroup> group;
  };
  static Ask ask_of(const DetectorOptions& options) {
    return {options.contacts, options.margin, options.tolerance, options.clearance};
  }

  // Under the lock.
  [[nodiscard]] std::shared_ptr<BatchGroup> find(const Ask& ask) const;
  [[nodiscard]] bool is_full(const Ask& ask);

  const std::string room_;
  const Detector detector_;
  const std::string backend_;
  const std::string name_;
  const Log log_;
  std::atomic<bool> works_{true};
  mutable std::mutex mutex_;  ///< of these two
  std::string fallback_;
  std::vector<Entry> groups_;
};

}  // namespace tocsin::service
