// What went wrong in a selftest, written as small as it can be made, to be run alone.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "app/selftest/selftest_options.h"
#include "app/selftest/selftest_report.h"
#include "selftest/compare/compare.h"
#include "selftest/compare/write_case.h"

namespace tocsin::app {

/// Writes the first few faults to folders below SelftestOptions::failed, and lists them in the
/// report. Refers to what it is made of. Errors of all functions: making a case; its files.
class FaultWriter {
 public:
  FaultWriter(const SelftestOptions& options, const selftest::Ways& ways,
              const selftest::Askers& askers, SelftestReport& report)
      : options_(options), ways_(ways), askers_(askers), report_(report) {}

  /// What the oracle refutes of a case, and each way that answers otherwise.
  Status write(const selftest::Case& question, const selftest::CaseResult& result);
  /// What differed while devices were measured.
  Status write_measured();

 private:
  struct Fault {
    std::string way;         ///< who is wrong, for a person
    std::size_t report = 0;  ///< the first that is wrong, as ask() numbers them
    selftest::HowToAsk how;
    std::function<bool(const selftest::Case&)> errs;  ///< whether a part of the case shows it
  };
  Status write(const selftest::Case& question, const Fault& fault);
  [[nodiscard]] Fault refuted(std::size_t number, std::size_t report) const;
  [[nodiscard]] Fault differing(const selftest::Way& way, std::size_t number,
                                std::size_t report) const;
  Status write_cuda();
  Status write_gl();

  const SelftestOptions& options_;
  const selftest::Ways& ways_;
  const selftest::Askers& askers_;
  SelftestReport& report_;
};

}  // namespace tocsin::app
