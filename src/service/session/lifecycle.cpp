#include "service/session/lifecycle.h"

#include <array>
#include <cstddef>

namespace tocsin::service {
namespace {

using S = SessionState;

/// A row for each state, a column for each event, both in the order of their enums.
constexpr std::array<std::array<SessionState, 6>, 6> kAfter{{
    // kDrain        kFinish         kChecked        kReported       kStop        kWoundUp
    {S::kDraining, S::kFinishing, S::kOpen, S::kOpen, S::kClosing, S::kOpen},
    {S::kDraining, S::kFinishing, S::kDraining, S::kDraining, S::kClosing, S::kDraining},
    {S::kFinishing, S::kFinishing, S::kDone, S::kFinishing, S::kClosing, S::kFinishing},
    {S::kDone, S::kDone, S::kDone, S::kOver, S::kClosing, S::kDone},
    {S::kClosing, S::kClosing, S::kClosing, S::kClosing, S::kClosing, S::kOver},
    {S::kOver, S::kOver, S::kOver, S::kOver, S::kOver, S::kOver},
}};

}  // namespace

SessionState after(SessionState state, SessionEvent event) {
  return kAfter[static_cast<std::size_t>(state)][static_cast<std::size_t>(event)];
}

}  // namespace tocsin::service
