// The interface of a meeting's members.
#pragma once

#include "service/meeting/turn.h"
#include "tocsin/avatar.h"
#include "tocsin/motion.h"

namespace tocsin::service {

/// One tick at a time. After a begin_turn() that is not kAway end_turn() must follow.
class TurnTaker {
 public:
  TurnTaker() = default;
  TurnTaker(const TurnTaker&) = delete;
  TurnTaker& operator=(const TurnTaker&) = delete;
  virtual ~TurnTaker() = default;

  /// `step`: what it does at the tick, of kMoves.
  virtual TurnKind begin_turn(const TickNumbers& tick, Step& step) = 0;
  virtual void end_turn(TickResult result) = 0;
  /// Its avatar as others meet it: radii grown by the margin.
  [[nodiscard]] virtual const Avatar& thick() const = 0;
};

}  // namespace tocsin::service
