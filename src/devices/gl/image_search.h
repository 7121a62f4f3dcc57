// The image-space search for the time of collision: first slab that stays, then backtracking.
// Paper 004, section 7.2; docs/gl.md, "The image-space answer".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "devices/gl/gl_room.h"
#include "devices/gl/slab_requests.h"
#include "tocsin/detector.h"

namespace tocsin::devices {

class StepSlabs;

/// A search over some steps, for every pair of a link and an object.
class ImageSearch {
 public:
  /// Into how many slabs a step is cut at first, and a slab that stays is cut again: the paper's
  /// groups. More cost views, fewer cost rounds.
  static constexpr std::size_t kSlabsALink = 8;

  /// reports[i]: of questions[i], begun.
  ImageSearch(const GlRoom& room, std::span<const detect::Question> questions,
              std::span<StepReport> reports);

  /// Fills the reports. Errors: kResource, kCancelled.
  Status run(const std::stop_token& stop);

 private:
  /// A stretch of time in which a pair may touch, by these clusters of the object.
  struct Stretch {
    double t0 = 0.0;
    double t1 = 1.0;
    std::vector<std::uint32_t> clusters;
  };
  /// One pair in one step. Everything before the last stretch's start is proved free.
  struct Search {
    std::uint32_t step = 0;
    std::int32_t link = 0;
    std::uint32_t object = 0;
    std::vector<Stretch> open;  ///< the earliest last
    bool done = false;
  };

  /// Starts on a question's step.
  void begin(std::size_t question, StepSlabs& slabs, StepCounters& counters) const;
  Status ask(const SlabRequests& requests);
  [[nodiscard]] bool keeps(gl::Seen seen) const;
  void first_slabs(SlabRequests& requests);
  void start_searches(const SlabRequests& requests);
  /// True if the search has a first stretch that is to be cut again.
  bool is_open(Search& search) const;
  /// Cuts the first stretch of every open search; false if there is none.
  bool cut(SlabRequests& requests);
  void narrow(const SlabRequests& requests);
  void write_reports();
  Contact contact_of(const Search& search, StepSlabs& slabs) const;

  const GlRoom& room_;
  std::span<const detect::Question> questions_;
  std::span<StepReport> reports_;
  std::vector<Search> searches_;  ///< in order of step, link, object
  std::vector<gl::Seen> seen_;
};

}  // namespace tocsin::devices
