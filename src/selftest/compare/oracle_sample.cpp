#include "selftest/compare/oracle_sample.h"

#include <algorithm>

#include "oracle/verify_step.h"
#include "selftest/measure/timing.h"

namespace tocsin::selftest {

OracleSample ask_oracle(const Case& question, const std::vector<StepReport>& reports,
                        double seconds, std::size_t most) {
  OracleSample out;
  const std::size_t count = std::min(most, reports.size());
  const double end = now_us() + 1e6 * seconds;
  for (std::size_t k = 0; k < count && (k == 0 || now_us() < end); ++k) {
    const std::size_t i = k * reports.size() / count;
    const std::size_t instant = i / question.members.size();
    const Member& member = question.members[i % question.members.size()];
    const Step& step = question.instants[instant][i % question.members.size()];
    std::vector<Contact> own;
    for (Contact c : reports[i].contacts) {
      if (c.other() != nullptr && c.other()->avatar != reports[i].avatar) continue;
      if (c.other() != nullptr) c.other()->avatar = 0;
      own.push_back(c);
    }
    oracle::VerifyOptions options;
    options.margin = question.margin;
    options.active = &member.active;
    options.self = &member.self;
    const oracle::StepVerdict verdict =
        oracle::verify_step(member.avatar, step, question.room(instant), options, own);
    ++out.steps;
    out.contacts += verdict.contacts;
    const std::uint64_t pairs = verdict.pairs + verdict.link_pairs;
    out.free_pairs += pairs - std::min(pairs, verdict.contacts);
    out.undecided += verdict.undecided;
    if (!out.first && !verdict.refutations.empty()) out.first = i;
    out.refutations.insert(out.refutations.end(), verdict.refutations.begin(),
                           verdict.refutations.end());
  }
  return out;
}

}  // namespace tocsin::selftest
