// The states of a session, and the events that lead from one to another.
#pragma once

#include <cstdint>

namespace tocsin::service {

enum class SessionState : std::uint8_t {
  kOpen,       ///< frames are taken, and steps are checked
  kDraining,   ///< the service closes: frames are ignored, pending ones are still checked
  kFinishing,  ///< the client has closed its side: frames are errors, pending ones still checked
  kDone,       ///< as kFinishing, and everything is checked and recorded
  kClosing,    ///< it failed, expired or was closed: no more steps; the record may be unfinished
  kOver,       ///< it has ended, the record is finished, and the slot is free
};

/// What happens to a session.
enum class SessionEvent : std::uint8_t {
  kDrain,     ///< the service begins to close
  kFinish,    ///< the client closes its side
  kChecked,   ///< after kFinish: everything is checked and recorded
  kReported,  ///< the client has got the end of its session
  kStop,      ///< it fails, expires, is abandoned or closed
  kWoundUp,   ///< after kStop: its record is finished
};

/// The state after an event. An event without a meaning in a state does not change it.
SessionState after(SessionState state, SessionEvent event);

/// True while steps may be checked.
constexpr bool goes_on(SessionState state) { return state < SessionState::kClosing; }

/// True once the client has closed its side, until the session closes.
constexpr bool is_finishing(SessionState state) {
  return state == SessionState::kFinishing || state == SessionState::kDone;
}

}  // namespace tocsin::service
