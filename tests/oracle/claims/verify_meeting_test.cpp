// Steps of several avatars at once: what Detector::check_batch reports is confirmed, and a report
// that was tampered with is not.
#include "oracle/verify_meeting.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "oracle/verify_step.h"
#include "support/scenes/random_scene.h"
#include "tocsin/tocsin.h"

namespace tocsin::oracle::test::verify_meeting_test {
namespace {

// A few avatars of 6 to 10 links that tumble about one place, and a sparse room.
struct Crowd {
  Environment room;
  std::vector<Member> members;
  std::vector<StepList> steps;

  [[nodiscard]] std::size_t step_count() const { return steps.front().size(); }
  [[nodiscard]] std::vector<Step> at(std::size_t i) const {
    std::vector<Step> out;
    for (const StepList& list : steps) out.push_back(list[i]);
    return out;
  }
};

Crowd make_crowd(std::uint64_t seed, int avatars, int frames) {
  tocsin::test::RandomLinks random(seed);
  Crowd crowd;
  crowd.room = tocsin::test::random_room(random, 3, 6, 1.5);
  for (int i = 0; i < avatars; ++i) {
    const int joints = 7 + static_cast<int>(random.uniform(0.0, 5.0));
    // Slow ones and fast ones.
    const double turn = i % 2 == 0 ? 0.15 : 0.7;
    const double travel = i % 2 == 0 ? 0.05 : 0.4;
    const tocsin::test::RandomTake take =
        tocsin::test::random_take(random, joints, frames, turn, travel);
    const Placement place{
        {random.uniform(-0.6, 0.6), random.uniform(-0.3, 0.3), random.uniform(-0.6, 0.6)},
        random.uniform(0.0, 360.0)};
    const Result<Motion> placed = take.motion.placed(place);
    const InBetween kind = i % 3 == 1 ? InBetween::kTranslateRotate : InBetween::kScrew;
    crowd.members.push_back({take.avatar, {}, LinkPairs::of(take.avatar)});
    crowd.steps.push_back(placed.value().steps({.in_between = kind}).value());
  }
  return crowd;
}

using Reports = std::vector<StepReport>;

std::vector<MemberClaim> claims_of(const Crowd& crowd, const std::vector<Step>& steps,
                                   const Reports& reports) {
  std::vector<MemberClaim> out;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    out.push_back({static_cast<std::int32_t>(i), &crowd.members[i], &steps[i], reports[i].contacts,
                   reports[i].safe_until});
  }
  return out;
}

StepVerdict judge(const Crowd& crowd, const std::vector<Step>& steps, const Reports& reports,
                  MeetingOptions options = {.meet = true}) {
  return verify_meeting(claims_of(crowd, steps, reports), crowd.room, options);
}

void expect_confirmed(const StepVerdict& verdict) {
  for (const std::string& sentence : verdict.refutations) ADD_FAILURE() << sentence;
  for (const std::string& sentence : verdict.doubts) ADD_FAILURE() << sentence;
}

struct Counts {
  std::uint64_t room = 0;
  std::uint64_t own = 0;
  std::uint64_t between = 0;
  std::uint64_t grazes = 0;
  std::uint64_t limited = 0;
  std::uint64_t link_pairs = 0;
  std::uint64_t near = 0;

  void add(const Reports& reports, const StepVerdict& verdict) {
    for (std::size_t i = 0; i < reports.size(); ++i) {
      for (const Contact& c : reports[i].contacts) {
        if (!c.other()) {
          ++room;
        } else {
          ++(c.other()->avatar == static_cast<std::int32_t>(i) ? own : between);
        }
        if (c.status == ContactStatus::kGraze) ++grazes;
        if (c.limited) ++limited;
      }
    }
    link_pairs += verdict.link_pairs;
    near += verdict.near;
  }
};

void print(const char* what, const Counts& c) {
  fmt::print(
      "{}: {} pairs of links, {} proofs; contacts with the room {}, with itself {}, between "
      "avatars "
      "{}; grazes {}, limited {}\n",
      what, c.link_pairs, c.near, c.room, c.own, c.between, c.grazes, c.limited);
}

TEST(VerifyMeeting, ConfirmsWhatTheDetectorReports) {
  for (const double margin : {0.0, 0.02}) {
    for (const bool meet : {true, false}) {
      Counts counts;
      for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const Crowd crowd = make_crowd(seed, 2 + static_cast<int>(seed % 3), 9);
        const Detector detector = Detector::make(crowd.room, {.margin = margin}).value();
        for (std::size_t i = 0; i < crowd.step_count(); ++i) {
          const std::vector<Step> steps = crowd.at(i);
          const Reports reports =
              detector.check_batch(crowd.members, steps, {.meet = meet, .threads = 1});
          const StepVerdict verdict =
              judge(crowd, steps, reports, {.margin = margin, .meet = meet});
          expect_confirmed(verdict);
          counts.add(reports, verdict);
        }
      }
      print(meet ? "meet" : "alone", counts);
      EXPECT_GT(counts.room, 200U);
      EXPECT_GT(counts.own, 50U);
      EXPECT_EQ(counts.between > 200U, meet);
    }
  }
}

TEST(VerifyMeeting, ConfirmsTheFirstContactOfEach) {
  Counts counts;
  for (std::uint64_t seed = 31; seed <= 60; ++seed) {
    const Crowd crowd = make_crowd(seed, 3, 9);
    const Detector detector = Detector::make(crowd.room, {.contacts = Contacts::kFirst}).value();
    for (std::size_t i = 0; i < crowd.step_count(); ++i) {
      const std::vector<Step> steps = crowd.at(i);
      const Reports reports = detector.check_batch(crowd.members, steps, {.meet = true});
      const StepVerdict verdict =
          judge(crowd, steps, reports, {.contacts_first = true, .meet = true});
      expect_confirmed(verdict);
      counts.add(reports, verdict);
    }
  }
  print("first", counts);
  EXPECT_GT(counts.between, 20U);
}

TEST(VerifyMeeting, OneAvatarAloneThroughVerifyStep) {
  std::uint64_t own = 0;
  std::uint64_t left_out = 0;
  for (std::uint64_t seed = 51; seed <= 60; ++seed) {
    const Crowd crowd = make_crowd(seed, 1, 9);
    const Member& m = crowd.members[0];
    const Detector detector = Detector::make(crowd.room).value();
    for (const Step& step : crowd.steps[0]) {
      const StepReport report = detector.check(m, step);
      const StepVerdict verdict =
          verify_step(m.avatar, step, crowd.room, {.self = &m.self}, report.contacts);
      expect_confirmed(verdict);
      EXPECT_EQ(verdict.link_pairs, m.self.size());
      std::vector<Contact> others;
      for (const Contact& c : report.contacts) {
        if (!c.other()) others.push_back(c);
      }
      own += report.contacts.size() - others.size();
      // Without them, and with them although nobody asked.
      if (others.size() == report.contacts.size()) continue;
      ++left_out;
      EXPECT_FALSE(
          verify_step(m.avatar, step, crowd.room, {.self = &m.self}, others).refutations.empty());
      EXPECT_FALSE(
          verify_step(m.avatar, step, crowd.room, {}, report.contacts).refutations.empty());
      expect_confirmed(verify_step(m.avatar, step, crowd.room, {}, others));
    }
  }
  EXPECT_GT(own, 20U);
  EXPECT_GT(left_out, 10U);
}

// Applies `spoil` to every contact of two links in turn (it returns false to leave one alone); each
// spoilt report must be refuted with a sentence that holds `word`.
template <class Spoil>
int expect_refuted(const char* word, Spoil spoil) {
  int spoilt = 0;
  for (std::uint64_t seed = 71; seed <= 73; ++seed) {
    const Crowd crowd = make_crowd(seed, 3, 7);
    const Detector detector = Detector::make(crowd.room).value();
    for (std::size_t i = 0; i < crowd.step_count(); ++i) {
      const std::vector<Step> steps = crowd.at(i);
      const Reports reports = detector.check_batch(crowd.members, steps, {.meet = true});
      for (std::size_t a = 0; a < reports.size(); ++a) {
        for (std::size_t k = 0; k < reports[a].contacts.size(); ++k) {
          if (!reports[a].contacts[k].other()) continue;
          Reports changed = reports;
          if (!spoil(changed, a, k)) continue;
          ++spoilt;
          const StepVerdict verdict = judge(crowd, steps, changed);
          bool named = false;
          for (const std::string& r : verdict.refutations) {
            named = named || r.find(word) != std::string::npos;
          }
          EXPECT_TRUE(named) << word << ": "
                             << (verdict.refutations.empty() ? "" : verdict.refutations[0]);
        }
      }
    }
  }
  return spoilt;
}

TEST(VerifyMeeting, RefutesAContactThatIsLeftOut) {
  EXPECT_GT(expect_refuted("reported free",
                           [](Reports& r, std::size_t a, std::size_t k) {
                             auto& list = r[a].contacts;
                             if (list[k].status == ContactStatus::kGraze) return false;
                             list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
                             return true;
                           }),
            50);
}

TEST(VerifyMeeting, RefutesWrongBrackets) {
  EXPECT_GT(expect_refuted("reported free",
                           [](Reports& r, std::size_t a, std::size_t k) {
                             Contact& c = r[a].contacts[k];
                             if (c.status != ContactStatus::kHit || c.toc[1] > 0.99) return false;
                             c.status = ContactStatus::kGraze;
                             c.toc = {c.toc[1] + 1e-6, 1.0};
                             return true;
                           }),
            20);
  EXPECT_GT(expect_refuted("do not touch",
                           [](Reports& r, std::size_t a, std::size_t k) {
                             Contact& c = r[a].contacts[k];
                             if (c.status != ContactStatus::kHit || c.toc[0] == 0.0) return false;
                             c.toc = {0.5 * c.toc[0], c.toc[0]};
                             return true;
                           }),
            20);
  EXPECT_GT(expect_refuted("do not touch",
                           [](Reports& r, std::size_t a, std::size_t k) {
                             Contact& c = r[a].contacts[k];
                             if (c.status != ContactStatus::kHit || c.toc[0] == 0.0) return false;
                             c.status = ContactStatus::kOverlap;
                             c.toc = {0.0, 0.0};
                             return true;
                           }),
            20);
  EXPECT_GT(expect_refuted("impossible bracket",
                           [](Reports& r, std::size_t a, std::size_t k) {
                             r[a].contacts[k].toc[0] = std::numeric_limits<double>::quiet_NaN();
                             return true;
                           }),
            50);
}

TEST(VerifyMeeting, RefutesNonsense) {
  EXPECT_GT(expect_refuted("no such thing",
                           [](Reports& r, std::size_t a, std::size_t k) {
                             r[a].contacts[k].other()->link = 1000;
                             return true;
                           }),
            50);
  EXPECT_GT(expect_refuted("no such thing",
                           [](Reports& r, std::size_t a, std::size_t k) {
                             r[a].contacts[k].other()->avatar = 3;
                             return true;
                           }),
            50);
  EXPECT_GT(expect_refuted("more than once",
                           [](Reports& r, std::size_t a, std::size_t k) {
                             r[a].contacts.push_back(r[a].contacts[k]);
                             return true;
                           }),
            50);
  EXPECT_GT(expect_refuted("wrong one of the two",
                           [](Reports& r, std::size_t a, std::size_t k) {
                             Contact c = r[a].contacts[k];
                             const OtherLink told = *c.other();
                             c.touched = OtherLink{static_cast<std::int32_t>(a), c.link};
                             c.link = told.link;
                             r[static_cast<std::size_t>(told.avatar)].contacts.push_back(c);
                             return true;
                           }),
            50);
  EXPECT_GT(expect_refuted("it is ignored",
                           [](Reports& r, std::size_t a, std::size_t k) {
                             // The first link's parent or child, or a link on the same joint.
                             Contact& c = r[a].contacts[k];
                             if (c.other()->avatar != static_cast<std::int32_t>(a)) return false;
                             c.link = 0;
                             c.other()->link = 1;
                             return true;
                           }),
            5);
}

TEST(VerifyMeeting, RefutesAWrongPointOrNormal) {
  EXPECT_GT(expect_refuted("its point",
                           [](Reports& r, std::size_t a, std::size_t k) {
                             Contact& c = r[a].contacts[k];
                             if (!c.normal) return false;
                             // Off the surface, whichever way that is.
                             c.point.x += 1e-6 * c.normal->x;
                             c.point.y += 1e-6 * c.normal->y;
                             c.point.z += 1e-6 * c.normal->z;
                             return true;
                           }),
            50);
  EXPECT_GT(expect_refuted("normal",
                           [](Reports& r, std::size_t a, std::size_t k) {
                             Contact& c = r[a].contacts[k];
                             if (!c.normal) return false;
                             c.normal->x *= 1.0 + 1e-6;
                             c.normal->y *= 1.0 + 1e-6;
                             c.normal->z *= 1.0 + 1e-6;
                             return true;
                           }),
            50);
}

TEST(VerifyMeeting, RefutesASafeUntilThatIsTooLate) {
  for (const bool other : {false, true}) {
    EXPECT_GT(expect_refuted("reported free",
                             [&](Reports& r, std::size_t a, std::size_t k) {
                               const Contact& c = r[a].contacts[k];
                               if (c.status != ContactStatus::kHit || c.toc[1] > 0.99) return false;
                               const auto b = static_cast<std::size_t>(c.other()->avatar);
                               r[other ? b : a].safe_until = c.toc[1] + 1e-6;
                               return true;
                             }),
              20);
  }
}

TEST(VerifyMeeting, RefutesAnAvatarOfAnotherSkeleton) {
  Crowd crowd = make_crowd(81, 2, 3);
  const std::vector<Step> steps = crowd.at(0);
  const Reports reports(2);
  crowd.members[1].avatar = {};
  EXPECT_FALSE(judge(crowd, steps, reports).refutations.empty());
}

}  // namespace
}  // namespace tocsin::oracle::test::verify_meeting_test
