// Gets every step of every session once it was checked.
#pragma once

#include "service/meeting/member_card.h"
#include "service/session/session_identity.h"
#include "tocsin/motion.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// Thread-safe: several sessions call at once, one session one step at a time, in order. Must not
/// block or throw.
class StepListener {
 public:
  StepListener() = default;
  StepListener(const StepListener&) = delete;
  StepListener& operator=(const StepListener&) = delete;
  virtual ~StepListener() = default;
  /// `others`: the cards of the avatars in the report's contacts.
  virtual void stepped(const SessionIdentity& session, const Step& step, const TrackReport& report,
                       const MemberCards& others) = 0;
};

}  // namespace tocsin::service
