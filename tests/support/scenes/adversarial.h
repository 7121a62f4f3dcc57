// The adversarial scenes of `tocsin selftest`, for tests.
#pragma once

#include "selftest/scenes/adversarial_rig.h"
#include "selftest/scenes/adversarial_scene.h"

namespace tocsin::test {

using selftest::AdversarialBatch;
using selftest::AdversarialScene;
using selftest::Adversity;
using selftest::kAdversities;
using selftest::kRound;
using selftest::make_adversarial_batch;
using selftest::name_of;
using selftest::Random;

}  // namespace tocsin::test
