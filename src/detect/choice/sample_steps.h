// Steps to try a room with: what a take in it might ask.
#pragma once

#include <cstddef>
#include <vector>

#include "detect/step/question.h"
#include "tocsin/environment.h"
#include "tocsin/member.h"
#include "tocsin/motion.h"

namespace tocsin::detect {

/// An avatar of 15 links, as long and thick as a man's, that walks by the room's triangles.
class SampleSteps {
 public:
  /// `count` steps, 1 or more, the same for every equal room: walks of 32 frames, each beginning
  /// within half a metre of some triangle; the body goes 2 cm a frame and every joint turns by up
  /// to 3 degrees. Precondition: the room has triangles.
  SampleSteps(const Environment& environment, std::size_t count);

  [[nodiscard]] const Member& member() const { return member_; }
  [[nodiscard]] const StepList& steps() const { return steps_; }
  /// The first so many as questions, each of an instant of its own; they point into this.
  [[nodiscard]] std::vector<Question> questions(std::size_t count) const;

 private:
  Member member_;
  StepList steps_;
};

}  // namespace tocsin::detect
