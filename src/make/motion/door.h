// A door that closes, every other time on a hand.
#pragma once

#include <cstdint>

namespace tocsin::make {

// The door's place: the leaf hangs to the left of a person who stands at the origin and faces +z,
// and opens away from the person. Metres.
inline constexpr double kHingeX = 0.45;
inline constexpr double kDoorZ = 0.62;  ///< of the leaf's middle when it is closed
inline constexpr double kClosingWidth = 0.86;
inline constexpr double kClosingHeight = 2.0;
inline constexpr double kClosingThickness = 0.04;

/// When what happens; seconds from the start of a round.
class DoorTimes {
 public:
  explicit DoorTimes(std::uint64_t seed);

  /// How far the door is open at a time, degrees: 0 is closed.
  [[nodiscard]] double angle(double seconds) const;

  static constexpr double kHandThere = 0.9;  ///< the hand is at the frame
  static constexpr double kCloses = 1.1;     ///< the door begins to close
  double closed = 0.0;                       ///< the door is closed
  double opens = 0.0;                        ///< the door begins to open
  double open = 0.0;                         ///< it is open, and the hand goes
  double period = 0.0;                       ///< of a round
  double widest = 0.0;                       ///< degrees
};

}  // namespace tocsin::make
