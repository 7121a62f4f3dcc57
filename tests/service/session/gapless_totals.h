// What happened in the lives of many sessions (gapless_life.h).
#pragma once

#include <cstdint>
#include <ostream>

namespace tocsin::test::gapless {

/// What happened in all sessions: a test that tried nothing must not pass.
struct Totals {
  std::uint64_t sessions = 0;
  std::uint64_t sent = 0;
  std::uint64_t lost = 0;
  std::uint64_t delivered = 0;
  std::uint64_t covered = 0;
  std::uint64_t steps = 0;
  std::uint64_t contacts = 0;
  std::uint64_t own_contacts = 0;  ///< of these, of two links
  std::uint64_t stop_poses = 0;
  std::uint64_t skipped = 0;
  std::uint64_t stale = 0;
  std::uint64_t duplicate = 0;
  std::uint64_t bad = 0;
  std::uint64_t named_bad = 0;  ///< of these, in a step
  std::uint64_t refused = 0;    ///< frames that were refused, and sent again
  std::uint64_t coalescing_sessions = 0;
  std::uint64_t resumes = 0;
  std::uint64_t take_overs = 0;
  std::uint64_t sent_again = 0;    ///< reports
  std::uint64_t out_of_range = 0;  ///< resumes that would have left a hole
  std::uint64_t most_waiting = 0;
  std::uint64_t most_kept = 0;
  std::uint64_t most_bytes = 0;
  std::uint64_t batched = 0;     ///< steps that a device checked
  std::uint64_t fallbacks = 0;   ///< sessions that were told that it was given up
  std::uint64_t parted = 0;      ///< steps that took more than one budget
  std::uint64_t partials = 0;    ///< what was told of them before they were done
  std::uint64_t told_early = 0;  ///< contacts in these
  std::uint64_t put_off = 0;     ///< steps begun where a stream is read, and left to a worker
};

inline std::ostream& operator<<(std::ostream& out, const Totals& t) {
  return out << t.sessions << " sessions: " << t.sent << " frames sent, " << t.lost << " lost, "
             << t.delivered << " delivered; " << t.covered << " covered, " << t.skipped
             << " skipped (in " << t.coalescing_sessions << " sessions), " << t.stale << " stale, "
             << t.duplicate << " duplicate, " << t.bad << " bad (" << t.named_bad << " named), "
             << t.refused << " refused; " << t.steps << " steps, " << t.contacts << " contacts ("
             << t.own_contacts << " of an avatar with itself); " << t.resumes << " resumes, "
             << t.take_overs << " take-overs, " << t.out_of_range << " out of range, "
             << t.sent_again << " reports sent again; at most " << t.most_waiting << " frames, "
             << t.most_kept << " reports, " << t.most_bytes << " bytes of reports held; "
             << t.batched << " steps checked by a device, " << t.fallbacks
             << " sessions told of its end; " << t.parted << " steps in parts, " << t.told_early
             << " contacts in " << t.partials << " partial reports; " << t.put_off << " put off";
}

}  // namespace tocsin::test::gapless
