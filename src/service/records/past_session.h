// A session as the server before left it in its record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/poses/poses.h"
#include "service/access/memory_budget.h"
#include "service/records/kept_model.h"
#include "service/records/record_store.h"
#include "service/session/problem.h"
#include "tocsin/io.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// A frame that was covered, as it came.
struct PastFrame {
  TrackFrame frame;
  std::vector<IdRange> skipped;  ///< between the covered frame before and this one
  std::vector<IdRange> bad;
  io::PoseCounts counts{};               ///< of the session, up to here
  std::string first_bad;                 ///< the same; empty: there was none
  std::vector<std::uint32_t> held = {};  ///< joints that the tracker had lost
};

/// Of a session that met others.
struct PastMeeting {
  std::uint64_t tick = 0;     ///< at which the client's reports end
  double tick_seconds = 0.0;  ///< of the server before
  double left = 0.0;          ///< seconds since its record grew
};

struct PastSession {
  TrackOptions options;   ///< its environment: the room's name, for its owner
  std::int64_t part = 1;  ///< of the record
  /// From the one at which the client's reports end. Of a session that met others this one alone:
  /// what came then is covered again, with the others.
  std::vector<PastFrame> frames;
  std::optional<PastMeeting> meeting;
  std::vector<std::string> room_hashes;
  std::vector<std::filesystem::path> room_files;  ///< kept beside the records; else empty
  EnvironmentOptions room;
  std::string room_owner;    ///< only this principal may have it loaded again; empty: nobody
  bool room_shared = false;  ///< with its owner's group
  std::optional<RecordedModel> model = std::nullopt;  ///< of a client that names mesh files
  std::optional<MemoryBudget::Hold> hold;             ///< for its shapes, until the session goes on
};

/// True if the record is one of this principal's session.
bool belongs_to(const std::filesystem::path& folder, const std::string& stem,
                const std::string& id_sha256, const std::string& principal);

/// Reads a record that no process writes. `received`: reports that the client has. Problems:
/// kOutOfRange: the record has not so many steps, begins later, or goes on for `most` poses and
/// more; kNotFound: nothing was covered, or a session met others before 0.2; kFailed: it cannot be
/// read; kOverloaded: its shapes need more memory than there is (`memory`; null: no limit).
std::optional<PastSession> read_past_session(const RecordStore& records, const std::string& stem,
                                             std::uint64_t received, std::size_t most,
                                             Problem& problem, MemoryBudget* memory = nullptr);

}  // namespace tocsin::service
