// Asks every way about every case and compares the answers with the CPU's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "selftest/compare/case.h"
#include "selftest/compare/deadline.h"
#include "selftest/compare/oracle_sample.h"

namespace tocsin::selftest {

enum class Verdict : std::uint8_t {
  kSame,      ///< the reference's reports, bit for bit
  kDiffers,   ///< not all of them
  kNotAsked,  ///< the case is not about this way
  kNoTime,    ///< the time was up before it had answered all
  kFailed,    ///< an error, or the CPU answered in place of a device that was not made to fail
};

/// What one way answered.
struct Answer {
  std::string way;
  Verdict verdict = Verdict::kNotAsked;
  std::string note;  ///< why, for kFailed; what took over, for a device that fails
  std::string hash;  ///< of its contacts; empty: it did not answer all
  double seconds = 0.0;
  std::size_t answered = 0;   ///< reports that were compared
  std::size_t differing = 0;  ///< reports
  std::size_t first = 0;      ///< the first of them, as ask() numbers them
};

struct CaseResult {
  std::size_t number = 0;  ///< of make_case()
  std::string kind;
  std::string name;
  std::string what;
  std::size_t steps = 0;
  std::size_t contacts = 0;
  std::string hash;
  double seconds = 0.0;         ///< of the reference
  OracleSample oracle;          ///< empty: it was not asked
  std::vector<Answer> answers;  ///< of each way, in their order
};

/// The reference and the ways that are compared with it.
struct Ways {
  Way reference;
  std::vector<Way> others;
  bool oracle = false;  ///< the oracle is asked about some of the reference's reports
};

/// How a way answers, and what the oracle thinks of the reference's reports.
using Asker = std::function<Result<std::vector<StepReport>>(const Case&, const Way&,
                                                            const std::stop_token&, std::string*)>;
using OracleAsker = std::function<OracleSample(const Case&, const std::vector<StepReport>&)>;
struct Askers {  ///< others than these: for tests that need a wrong answer
  Asker way = ask;
  OracleAsker oracle = [](const Case& question, const std::vector<StepReport>& reports) {
    return ask_oracle(question, reports);
  };
};

/// One case. `seconds`: for all ways. Each backend has the same share, each of its ways the same
/// part of it, and what one does not use goes to those after it. Answers that are not there by
/// then, or when `stop` asks for it, are kNoTime; the reference always answers. A way whose share
/// is too short to take the room is not asked. Errors: the reference's.
Result<CaseResult> compare(const Case& question, std::size_t number, const Ways& ways,
                           const std::stop_token& stop, const Askers& askers = {},
                           double seconds = kNoDeadline);

}  // namespace tocsin::selftest
