// What a session's life is like: its states, and how one follows another.
#pragma once

#include <cstdint>

namespace tocsin::service {

enum class SessionState : std::uint8_t {
  kOpen,       ///< frames are taken, and steps are checked
  kDraining,   ///< the service closes: frames are not looked at; what waits is still checked
  kFinishing,  ///< the client has closed its side: a frame is an error; what waits is still checked
  kDone,       ///< the same, and everything is checked and recorded
  kClosing,    ///< no more steps: it failed, expired or was closed; its record may be unfinished
  kOver,       ///< it has ended, its record is finished and its slot is free
};

/// What happens to a session.
enum class SessionEvent : std::uint8_t {
  kDrain,     ///< the service begins to close
  kFinish,    ///< the client closes its side
  kChecked,   ///< after kFinish: everything is checked and recorded
  kReported,  ///< the client has the end of its session
  kStop,      ///< it fails, expires, is abandoned or closed
  kWoundUp,   ///< after kStop: its record is finished
};

/// The state after an event. An event that means nothing in a state changes nothing.
SessionState after(SessionState state, SessionEvent event);

/// True while steps may be checked.
constexpr bool goes_on(SessionState state) { return state < SessionState::kClosing; }

/// True once the client has closed its side, until the session closes.
constexpr bool is_finishing(SessionState state) {
  return state == SessionState::kFinishing || state == SessionState::kDone;
}

}  // namespace tocsin::service
