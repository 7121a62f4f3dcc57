// A crowd in C++: two rows of people walk towards each other and pass. Who brushes whom, and when?
// All pairs are checked, at all moments, in every instant of a live loop.
#include <tocsin/tocsin.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr int kPairs = 200;
constexpr double kShoulders = 0.25;  // metres: a person is an upright capsule of this radius
constexpr double kSpeed = 1.4;       // metres a second
constexpr double kRate = 30.0;       // instants a second

tocsin::Avatar make_person(const std::string& name) {
  const auto skeleton = tocsin::Skeleton::create({{"root", -1, {}}}).value();
  tocsin::Link body;
  body.name = "body";
  body.a = {0, 0.3, 0};
  body.b = {0, 1.5, 0};
  body.radius = kShoulders;
  return tocsin::Avatar::create(name, skeleton, {body}).value();
}

/// Person 2i walks to +x on the line z = 2i, person 2i + 1 to -x beside it: the later a pair, the
/// wider the way between them, from 0.3 to 0.7 m.
tocsin::Transform place(int person, double seconds) {
  const int pair = person / 2;
  const bool comes = person % 2 != 0;
  const double aside = comes ? 0.3 + 0.4 * pair / kPairs : 0.0;
  const double along = kSpeed * seconds - 3.0;
  return {{}, {comes ? -along : along, 0.0, 2.0 * pair + aside}};
}

}  // namespace

int main() {
  std::vector<tocsin::Member> members;
  std::vector<tocsin::LiveMotion> motions;
  for (int i = 0; i < 2 * kPairs; ++i) {
    members.emplace_back(make_person("person " + std::to_string(i)));
    const auto& skeleton = members.back().avatar.skeleton();
    motions.push_back(tocsin::LiveMotion::create(skeleton, {}, 1.0 / kRate).value());
  }
  const auto hall = tocsin::Detector::make(tocsin::Environment()).value();
  tocsin::Crowd crowd(hall, members);
  std::vector<bool> brushed(kPairs);
  int pairs = 0;
  for (int frame = 0; frame <= 130; ++frame) {
    std::vector<tocsin::Step> steps;
    for (int i = 0; i < 2 * kPairs; ++i) {
      std::vector<tocsin::Transform> pose{place(i, frame / kRate)};
      if (!motions[static_cast<std::size_t>(i)].take(pose).ok()) return 1;
      steps.push_back(motions[static_cast<std::size_t>(i)].next(pose, frame).value());
    }
    for (const auto& report : crowd.check(steps, {.meet = true})) {
      for (const tocsin::Contact& contact : report.value().contacts) {
        const auto pair = static_cast<std::size_t>(report.avatar) / 2;
        if (brushed[pair]) continue;
        brushed[pair] = true;
        if (pairs++ % 25 != 0) continue;
        const double seconds = (frame - 1 + contact.toc[1]) / kRate;
        std::printf("persons %d and %d brush at %.4f s\n", report.avatar, contact.other()->avatar,
                    seconds);
      }
    }
  }
  // Those whose way is narrower than both are wide: aside < 0.5 m.
  std::printf("%d of %d pairs brush\n", pairs, kPairs);
  return pairs == kPairs / 2 || pairs == kPairs / 2 + 1 ? 0 : 1;
}
