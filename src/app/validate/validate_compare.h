// Compares two backends' results for the same step and counts the differences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tocsin/detector_options.h"
#include "tocsin/step_report.h"

namespace tocsin::app {

/// A kind of difference from the reference.
enum class Fault : std::uint8_t {
  kMissed,     ///< a contact of the reference that is not there
  kExtra,      ///< a contact that the reference does not have
  kDifferent,  ///< a contact of both, or a bound of the step, with other numbers
  kLate,       ///< a pair said to be free at a time when the reference proves a touch
};

/// One fault, for messages.
struct Finding {
  Fault fault = Fault::kMissed;
  std::int64_t step = 0;             ///< index of the step's first frame
  std::optional<Contact> reference;  ///< none: the reference has no such contact
  std::optional<Contact> found;      ///< none: the other one has none
  std::int32_t avatar = 0;           ///< index into the job's takes
};

/// How many findings are kept: the first ones say why, the counts say how many.
inline constexpr std::size_t kMostFindings = 10;

/// Differences of an answer that must equal the reference bit for bit.
struct ExactDifferences {
  std::int64_t missed = 0;     ///< pairs of a step: link and object, or two links
  std::int64_t extra = 0;      ///< likewise
  std::int64_t different = 0;  ///< pairs of both; else a step's safe_until, or a link's clearance
  std::vector<Finding> findings;
  [[nodiscard]] bool any() const { return missed + extra + different > 0; }
};

/// Differences of an answer of image space from the exact one, and the quality of its times.
struct ImageDifferences {
  std::int64_t contacts = 0;
  std::int64_t missed = 0;        ///< pairs that touch, by the exact answer, and are not there
  std::int64_t false_pairs = 0;   ///< pairs that are there and free by the exact answer
  std::int64_t late = 0;          ///< claimed free up to a time later than the exact lo
  std::int64_t refuted = 0;       ///< those of them that lie behind a proved touch: the exact hi
  std::vector<double> widths;     ///< of all its brackets, step time
  std::vector<double> early;      ///< exact lo less its lo, of pairs of both that move into contact
  std::vector<Finding> findings;  ///< missed and refuted pairs
};

/// Adds the differences of one step. Precondition: both reports are of the same step.
void compare_exact(const StepReport& reference, const StepReport& found, ExactDifferences& out);

/// Likewise. Of Contacts::kFirst each answer has at most one contact; they are compared whatever
/// pair each is of, as more than one pair may touch.
void compare_image(const StepReport& reference, const StepReport& found, Contacts contacts,
                   ImageDifferences& out);

/// The middle and the largest of some numbers.
struct Spread {
  double median = 0.0;  ///< of an even count: the mean of the two in the middle
  double max = 0.0;
};
/// None of no numbers.
std::optional<Spread> spread_of(std::vector<double> numbers);

}  // namespace tocsin::app
