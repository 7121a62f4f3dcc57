#include "service/session/lifecycle.h"

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>

namespace tocsin::service::lifecycle_test {
namespace {

using Event = SessionEvent;
using State = SessionState;

constexpr std::array kStates{State::kOpen, State::kDraining, State::kFinishing,
                             State::kDone, State::kClosing,  State::kOver};
constexpr std::array kEvents{Event::kDrain,    Event::kFinish, Event::kChecked,
                             Event::kReported, Event::kStop,   Event::kWoundUp};

State after_all(std::initializer_list<Event> events) {
  State state = State::kOpen;
  for (const Event event : events) state = after(state, event);
  return state;
}

TEST(Lifecycle, ASessionThatItsClientFinishes) {
  EXPECT_EQ(after_all({Event::kFinish}), State::kFinishing);
  EXPECT_EQ(after_all({Event::kDrain, Event::kFinish}), State::kFinishing);
  EXPECT_EQ(after_all({Event::kFinish, Event::kDrain}), State::kFinishing);
  EXPECT_EQ(after_all({Event::kFinish, Event::kChecked}), State::kDone);
  EXPECT_EQ(after_all({Event::kFinish, Event::kChecked, Event::kReported}), State::kOver);
}

TEST(Lifecycle, NobodyIsToldTheEndOfWhatIsNotChecked) {
  for (const State state : kStates) {
    if (state == State::kDone || state == State::kOver) continue;
    EXPECT_NE(after(state, Event::kReported), State::kOver);
  }
  EXPECT_EQ(after_all({Event::kChecked}), State::kOpen);
  EXPECT_EQ(after_all({Event::kDrain, Event::kChecked}), State::kDraining);
}

TEST(Lifecycle, EverythingCanBeStoppedAndStaysSo) {
  for (const State state : kStates) {
    const State stopped = after(state, Event::kStop);
    EXPECT_EQ(stopped, state == State::kOver ? State::kOver : State::kClosing);
    EXPECT_FALSE(goes_on(stopped));
    EXPECT_EQ(after(stopped, Event::kWoundUp), State::kOver);
    for (const Event event : kEvents) {
      EXPECT_FALSE(goes_on(after(stopped, event)));
      EXPECT_EQ(after(State::kOver, event), State::kOver);
    }
  }
}

TEST(Lifecycle, WhatGoesOnIsNotOverByWindingUp) {
  for (const State state : kStates) {
    if (!goes_on(state)) continue;
    EXPECT_EQ(after(state, Event::kWoundUp), state);
  }
}

TEST(Lifecycle, OnlyTheClientFinishes) {
  for (const State state : kStates) {
    EXPECT_EQ(is_finishing(state), state == State::kFinishing || state == State::kDone);
    for (const Event event : kEvents) {
      if (event == Event::kFinish || is_finishing(state)) continue;
      EXPECT_FALSE(is_finishing(after(state, event)));
    }
  }
}

}  // namespace
}  // namespace tocsin::service::lifecycle_test
