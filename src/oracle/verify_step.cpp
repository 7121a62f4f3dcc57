#include "oracle/verify_step.h"

#include "oracle/verify_meeting.h"

namespace tocsin::oracle {

StepVerdict verify_step(const Avatar& avatar, const Step& step, const Environment& environment,
                        const VerifyOptions& options, std::span<const Contact> contacts) {
  Member member{avatar, {}, {}};
  if (options.active != nullptr) member.active = *options.active;
  if (options.self != nullptr) member.self = *options.self;
  const MemberClaim claim{0, &member, &step, contacts};
  return verify_meeting({&claim, 1}, environment,
                        {.margin = options.margin,
                         .contacts_first = options.contacts_first,
                         .surfaces = options.surfaces,
                         .budget = options.budget});
}

}  // namespace tocsin::oracle
