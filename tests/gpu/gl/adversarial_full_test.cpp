// The OpenGL backend against the CPU on 10^5 adversarial scenes.
#include "gpu/gl/adversarial_check.h"

namespace tocsin::test::adversarial_full_test {
namespace {

class AdversarialFull : public GlDetectorTest, public testing::WithParamInterface<int> {};

TEST_P(AdversarialFull, GlFindsTheCpusContacts) {
  const auto first = static_cast<std::uint64_t>(GetParam()) * kRound;
  Compared compared;
  for (std::uint64_t number = first; number < first + kRound; ++number) {
    // Not gl_options_of(number): every region shall be seen with all of them.
    compare(make_adversarial_batch(4, number, 500), {}, gl_options_of(number + number / kRound),
            compared);
  }
  print(compared);
  EXPECT_EQ(compared.scenes, 5000U);
  EXPECT_GT(compared.contacts, 2500U);
}

INSTANTIATE_TEST_SUITE_P(TwentyTimes5000, AdversarialFull, testing::Range(0, 20));

}  // namespace
}  // namespace tocsin::test::adversarial_full_test
