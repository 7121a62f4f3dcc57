// A run of `tocsin send`: all avatars, from the first session to the last report.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/send/send_options.h"
#include "app/send/send_walker.h"
#include "tocsin/client.h"

namespace tocsin::app {

/// What a run showed, over all avatars.
struct SendOutcome {
  TrackOpened opened;  ///< of the first session
  std::uint64_t sessions = 0;
  std::uint64_t ended = 0;             ///< of these, as they should
  std::uint64_t closing = 0;           ///< the server shut down
  std::optional<TrackCovered> closed;  ///< of these sessions together; `to`: of the first
  std::uint64_t refused = 0;           ///< or ended by the server before their time
  std::uint64_t broken = 0;            ///< and not resumed, or given up at the end
  SendCounts frames;
  std::uint64_t steps = 0;
  std::uint64_t skipped_frames = 0;
  std::uint64_t stale_frames = 0;
  std::uint64_t duplicate_frames = 0;
  std::uint64_t bad_frames = 0;
  std::string first_bad_frame;   ///< and the cause; empty: there was none
  std::uint64_t sent_again = 0;  ///< reports, after streams were resumed
  std::uint64_t gaps = 0;
  std::string first_gap;
  std::string record_ended;      ///< why the server's record ended early; empty: it did not
  std::uint64_t unrecorded = 0;  ///< steps that are in no record for that reason
  std::uint64_t held = 0;        ///< joints that frames lacked, where steps end
  std::uint64_t parted = 0;      ///< steps that took more than the server's budget for one
  std::string fallback;          ///< why the server gave its device up meanwhile; empty: it did not
  io::Tally tally;
  std::uint64_t met = 0;     ///< of the contacts, those with others of the meeting
  bool all_equal = true;     ///< every session has the same contacts in the same steps
  std::size_t episodes = 0;  ///< of the first session, as the next two
  std::string hash;
  std::string first_contact;
  std::vector<LeastClearance> clearances;  ///< of the first session, per link; empty: not asked for
  std::vector<SentDistance> distances;     ///< of the first session; empty: not asked for
  std::uint64_t more_distances = 0;        ///< of it, left out of reports
  SendForesight foresight;                 ///< of it
  double seconds = 0.0;                    ///< from the first frame to the last report
  double cpu_seconds = 0.0;                ///< of this process, meanwhile
  int connections = 0;
  bool interrupted = false;
  std::vector<Error> problems;  ///< the different ones

  /// Of the first session's avatar; a number where a server told of a link that there is not.
  [[nodiscard]] std::string link_name(std::int32_t link) const;
};

/// Sends; times are added to `times`. `progress` is called with the steps so far, now and then.
SendOutcome run_sessions(const SendOptions& options, const SendPlan& plan,
                         const std::vector<Connection>& connections, SendTimes& times,
                         const std::function<void(std::uint64_t)>& progress,
                         const std::stop_token& stop);

}  // namespace tocsin::app
