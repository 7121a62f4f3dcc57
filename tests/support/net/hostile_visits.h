// What hostile and broken clients do to a server, one thing a visit. Used by the tests, which look
// at every answer, and by the soak, where they come and go beside honest clients.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/net/raw_grpc.h"

namespace tocsin::test {

struct HostileVisit {
  std::string name;
  /// At the server of this address; has hung up when it returns.
  std::function<RawEnd(const std::string& address)> call;
  /// gRPC's status that answers; none: the connection is closed without one.
  std::optional<int> status = std::nullopt;
  /// Part of the answer's message.
  std::string phrase = {};
};

/// gRPC's numbers.
inline constexpr int kInvalidArgument = 3;
inline constexpr int kDeadlineExceeded = 4;
inline constexpr int kNotFound = 5;
inline constexpr int kPermissionDenied = 7;
inline constexpr int kResourceExhausted = 8;
inline constexpr int kOutOfRange = 11;
inline constexpr int kUnimplemented = 12;

/// Those that do not speak gRPC at all.
std::vector<HostileVisit> visits_without_grpc();
/// Those that speak it badly.
std::vector<HostileVisit> visits_of_bad_messages();
/// Sessions in room `room` that are none, and frames that are none.
std::vector<HostileVisit> visits_of_bad_sessions(const std::string& room);
std::vector<HostileVisit> visits_of_bad_frames(const std::string& room);

/// Rooms that are none; and those that are, by name of `crowd`: loaded, entered by avatars or
/// patterns that are too much for it, and unloaded again.
std::vector<HostileVisit> visits_of_bad_rooms(const std::string& crowd);

/// The first message of a sound session of a skeleton with two joints, a bone of 30 cm between
/// them.
std::string sound_open(const std::string& room);
/// A message with one sound frame for that, or with many from this id on.
std::string sound_frames(std::uint64_t id, int count = 1);

}  // namespace tocsin::test
