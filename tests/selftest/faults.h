// Faults for tests of the selftest, and what runs alone afterwards.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/command.h"
#include "selftest/compare/case.h"
#include "support/places.h"

namespace tocsin::test {

/// The exit status of a shell command.
inline int status_of(const std::string& command) {
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The exit status of the run.sh of a case, with this command; what it says is in `folder`/said.
inline int status_of_run_sh(const TemporaryFolder& folder, const std::string& of,
                            const std::string& command = binary_dir() + "/bin/tocsin") {
  return status_of(fmt::format("TOCSIN_COMMAND='{}' sh '{}/run.sh' > '{}' 2>&1", command,
                               folder.full(of), folder.full("said")));
}

/// Takes all contacts with one object away from the reports of a case.
inline void lose(const selftest::Case& question, const std::string& object,
                 std::vector<StepReport>& reports) {
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Environment& room = question.room(i / question.members.size());
    std::erase_if(reports[i].contacts, [&](const Contact& contact) {
      return contact.room() != nullptr && room.objects()[contact.room()->object].name == object;
    });
  }
}

/// The object that the case's avatars touch most often.
inline std::string most_touched(const selftest::Case& question) {
  const auto reports = selftest::ask(question, {"cpu", {.backend = Backend::kCpu}}, {}).value();
  std::vector<std::size_t> counts(question.rooms.front().objects().size(), 0);
  for (const StepReport& r : reports) {
    for (const Contact& c : r.contacts) ++counts[c.room()->object];
  }
  const auto most = std::ranges::max_element(counts) - counts.begin();
  return question.rooms.front().objects()[static_cast<std::size_t>(most)].name;
}

}  // namespace tocsin::test
