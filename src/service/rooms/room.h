// A room that sessions walk in, and what it is made of.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "detect/scene/versions/scene_versions.h"
#include "io/shape/mesh_files.h"
#include "service/schedule/room_device.h"
#include "tocsin/detector.h"
#include "tocsin/environment.h"
#include "tocsin/io.h"
#include "tocsin/shape.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// A file that a room was read from.
struct RoomFile {
  std::string shown;             ///< relative to the folder, or an upload's name
  std::filesystem::path stored;  ///< its path; empty if an upload was not kept
  std::string sha256;            ///< of its bytes
  bool referenced = false;       ///< by the file before: a .gltf's buffer, no room by itself
};

/// What a room is made of, once read.
struct RoomParts {
  Environment environment;  ///< of all files, in order; without triangles for a shape
  io::FileMesh mesh;        ///< of a shape: until it is made
  Shape shape;              ///< of links; empty: a room
  std::vector<RoomFile> files;
  std::vector<std::string> warnings;
};

/// A room. Immutable, but for its scene; sessions keep it alive after it was unloaded.
struct Room {
  std::string name;
  std::uint64_t revision = 0;
  std::vector<RoomFile> files;
  EnvironmentOptions options;
  Shape shape;  ///< not empty: it is no room but a shape for links, and the rest is of no room
  Environment environment;
  Detector detector;    ///< Detector::with_options() makes each session's
  std::string backend;  ///< the detector's, kept: the system is asked for the device's name
  std::string device_name;
  std::shared_ptr<RoomDevice> device;  ///< checks batches; null: none
  std::string choice;                  ///< why Backend::kAuto took it, or none; empty: it was named
  /// What its files became; `environment` and `detector` are of the files. Null: it never changes.
  std::shared_ptr<detect::SceneVersions> scene;
  std::string owner;   ///< the principal that loaded it; empty: the operator
  std::string shares;  ///< the group that may enter it, too; empty: none
  mutable std::atomic<std::uint32_t> sessions{0};  ///< in it now

  Room(std::string room_name, Environment room, Detector room_detector)
      : name(std::move(room_name)),
        environment(std::move(room)),
        detector(std::move(room_detector)),
        backend(detector.backend_name()),
        device_name(detector.device_name()) {}
  [[nodiscard]] EnvironmentInfo info() const;
};

}  // namespace tocsin::service
