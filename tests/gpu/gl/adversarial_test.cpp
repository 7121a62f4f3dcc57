// The OpenGL backend against the CPU on 2,000 adversarial scenes; the full tier has 10^5.
#include <algorithm>

#include "gpu/gl/adversarial_check.h"

namespace tocsin::test::adversarial_test {
namespace {

class Adversarial : public GlDetectorTest {};

TEST_F(Adversarial, GlFindsTheCpusContacts) {
  Compared compared;
  for (std::uint64_t number = 0; number < kRound; ++number) {
    compare(make_adversarial_batch(1, number, 200), {}, gl_options_of(number), compared);
  }
  print(compared);
  EXPECT_EQ(compared.scenes, 2000U);
  EXPECT_GT(compared.contacts, 1000U);
  EXPECT_LT(compared.seen_pairs, compared.box_pairs);
}

TEST_F(Adversarial, GlFindsTheCpusFirstContactsWithAMargin) {
  Compared compared;
  for (std::uint64_t number = 2; number < 5; ++number) {
    compare(make_adversarial_batch(3, number, 60), {.contacts = Contacts::kFirst, .margin = 0.01},
            gl_options_of(number), compared);
  }
  print(compared);
  EXPECT_GT(compared.contacts, 60U);
}

// Without certify: every contact is there, and none is reported free for longer than it is.
TEST_F(Adversarial, TheImageSpaceAnswerIsNeverLater) {
  std::uint64_t exact = 0;
  std::uint64_t seen = 0;
  for (const std::uint64_t number : {0U, 3U, 4U, 6U, 8U}) {  // a batch of every region
    const AdversarialBatch batch = make_adversarial_batch(9, number, number == 0 ? 34 : 15);
    const Detector cpu = Detector::make(batch.environment, {.backend = Backend::kCpu}).value();
    const Detector device = Detector::make(batch.environment, {.backend = Backend::kGl,
                                                               .experiments = {.certify = false}})
                                .value();
    const std::vector<StepReport> want = reports_of_run(cpu, batch.avatar, batch.steps);
    const std::vector<StepReport> got = reports_of_run(device, batch.avatar, batch.steps);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      EXPECT_LE(got[i].safe_until, want[i].safe_until) << name_of(batch.scenes[i].kind) << i;
      for (const Contact& c : want[i].contacts) {
        const auto same = [&](const Contact& g) {
          return g.link == c.link && g.room()->object == c.room()->object;
        };
        const auto found = std::find_if(got[i].contacts.begin(), got[i].contacts.end(), same);
        ASSERT_NE(found, got[i].contacts.end()) << name_of(batch.scenes[i].kind) << i;
        EXPECT_LE(found->toc[0], c.toc[0]) << name_of(batch.scenes[i].kind) << i;
      }
      exact += want[i].contacts.size();
      seen += got[i].contacts.size();
    }
  }
  fmt::print("{} contacts; {} in image space\n", exact, seen);
  EXPECT_GT(exact, 30U);
  EXPECT_LT(seen, 2 * exact);
}

}  // namespace
}  // namespace tocsin::test::adversarial_test
