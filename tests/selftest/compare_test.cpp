// What is called the same, what differs, what failed, and what there was no time for.
#include "selftest/compare/compare.h"

#include <gtest/gtest.h>

#include "selftest/compare/case_list.h"

namespace tocsin::selftest::compare_test {
namespace {

const Way kCpu{"cpu", {.backend = Backend::kCpu}};
const Way kEmulated{"cuda", {.backend = Backend::kCuda, .experiments = {.emulate = true}}};

Verdict verdict_of(const Case& question, const Way& way, const Asker& asker,
                   const std::stop_token& stop = {}) {
  const auto result = compare(question, 0, {kCpu, {way}, false}, stop, {.way = asker}).value();
  return result.answers.at(0).verdict;
}

// However slow the machine is.
OracleSample whole_oracle(const Case& question, const std::vector<StepReport>& reports) {
  return ask_oracle(question, reports, kNoDeadline);
}
OracleSample oracle_of_some(const Case& question, const std::vector<StepReport>& reports) {
  return ask_oracle(question, reports, kNoDeadline, 6);
}

TEST(Compare, TheSame) {
  const Case question = make_case(2).value();
  const auto result =
      compare(question, 2, {kCpu, {kCpu, kEmulated}, true}, {}, {.oracle = whole_oracle}).value();
  EXPECT_EQ(result.answers.at(0).verdict, Verdict::kSame);
  EXPECT_EQ(result.answers.at(1).verdict, Verdict::kSame) << result.answers.at(1).note;
  EXPECT_EQ(result.answers.at(1).hash, result.hash);
  EXPECT_GT(result.contacts, 100U);
  EXPECT_GT(result.oracle.contacts, 10U);
  EXPECT_GT(result.oracle.free_pairs, 1000U);
  EXPECT_TRUE(result.oracle.refutations.empty());
}

/// The first case of a kind.
Case case_of(const std::string& kind) {
  for (std::size_t i = 0; i < kinds_of_cases(); ++i) {
    Case one = make_case(i).value();
    if (one.kind == kind) return one;
  }
  ADD_FAILURE() << "there is no " << kind;
  return make_case(0).value();
}

TEST(Compare, MeshesAreTheSame) {
  for (const std::string kind : {"meshes", "meshes in a room"}) {
    const auto result =
        compare(case_of(kind), 0, {kCpu, {kCpu, kEmulated}, true}, {}, {.oracle = oracle_of_some})
            .value();
    EXPECT_EQ(result.answers.at(0).verdict, Verdict::kSame);
    EXPECT_EQ(result.answers.at(1).verdict, Verdict::kSame) << result.answers.at(1).note;
    EXPECT_EQ(result.answers.at(1).hash, result.hash);
    EXPECT_EQ(result.answers.at(1).note, "");
    EXPECT_GT(result.contacts, 30U);
    EXPECT_GT(result.oracle.free_pairs, 10U);
    EXPECT_TRUE(result.oracle.refutations.empty());
  }
}

TEST(Compare, AnotherTriangleOfAMeshDiffers) {
  const auto other = [](const Case& c, const Way& way, const std::stop_token& stop,
                        std::string* fallback) {
    auto out = ask(c, way, stop, fallback);
    for (StepReport& r : *out) {
      for (Contact& contact : r.contacts) {
        if (contact.link_feature) ++*contact.link_feature;
      }
    }
    return out;
  };
  const auto result =
      compare(case_of("meshes"), 0, {kCpu, {kCpu}, false}, {}, {.way = other}).value();
  EXPECT_EQ(result.answers.at(0).verdict, Verdict::kDiffers);
  EXPECT_NE(result.answers.at(0).hash, result.hash);
}

TEST(Compare, AContactLessDiffers) {
  const Case question = make_case(2).value();
  const auto lossy = [](const Case& c, const Way& way, const std::stop_token& stop,
                        std::string* fallback) {
    auto out = ask(c, way, stop, fallback);
    for (StepReport& r : *out) {
      if (r.contacts.empty()) continue;
      r.contacts.pop_back();
      break;
    }
    return out;
  };
  const auto result = compare(question, 2, {kCpu, {kCpu}, false}, {}, {.way = lossy}).value();
  EXPECT_EQ(result.answers.at(0).verdict, Verdict::kDiffers);
  EXPECT_EQ(result.answers.at(0).differing, 1U);
  EXPECT_NE(result.answers.at(0).hash, result.hash);
}

TEST(Compare, AReportLessDiffers) {
  const auto shorter = [](const Case& c, const Way& way, const std::stop_token& stop,
                          std::string* fallback) {
    auto out = ask(c, way, stop, fallback);
    out->pop_back();
    return out;
  };
  EXPECT_EQ(verdict_of(make_case(0).value(), kCpu, shorter), Verdict::kDiffers);
}

TEST(Compare, TheCpuInPlaceOfADeviceIsAFailure) {
  const auto replaced = [](const Case& c, const Way&, const std::stop_token& stop,
                           std::string* fallback) {
    auto out = ask(c, kCpu, stop);
    *fallback = "the device was lost";
    return out;
  };
  EXPECT_EQ(verdict_of(make_case(0).value(), kEmulated, replaced), Verdict::kFailed);
}

TEST(Compare, ADeviceThatFailsHalfWay) {
  const Case question = make_case(3).value();
  ASSERT_TRUE(question.fails);
  const auto result = compare(question, 3, {kCpu, {kCpu, kEmulated}, false}, {}).value();
  EXPECT_EQ(result.answers.at(0).verdict, Verdict::kNotAsked) << "a CPU does not fail";
  EXPECT_EQ(result.answers.at(1).verdict, Verdict::kSame) << result.answers.at(1).note;
  EXPECT_NE(result.answers.at(1).note.find("fails on demand"), std::string::npos);
  // One that does not fail was not tested.
  const auto sound = [](const Case& c, const Way&, const std::stop_token& stop, std::string*) {
    return ask(c, kCpu, stop);
  };
  EXPECT_EQ(verdict_of(question, kEmulated, sound), Verdict::kFailed);
}

TEST(Compare, NoTime) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(verdict_of(make_case(0).value(), kCpu, ask, stop.get_token()), Verdict::kNoTime);
}

TEST(Compare, WhatIsThereWhenTheTimeIsUpIsCompared) {
  const Case question = make_case(2).value();
  constexpr std::size_t kLeft = 100;
  bool wrong = false;
  const auto some = [&](const Case& c, const Way& way, const std::stop_token&, std::string*) {
    auto out = ask(c, way, {});
    for (std::size_t i = out->size() - kLeft; i < out->size(); ++i) {
      (*out)[i] = {};
      (*out)[i].error = Error{ErrorCode::kCancelled, "stopped"};
    }
    if (wrong) out->front().safe_until = -1.0;
    return out;
  };
  const auto answer = [&] {
    return compare(question, 2, {kCpu, {kCpu}, false}, {}, {.way = some})->answers.at(0);
  };
  EXPECT_EQ(answer().verdict, Verdict::kNoTime);
  EXPECT_EQ(answer().answered, question.steps() - kLeft);
  EXPECT_EQ(answer().hash, "");
  wrong = true;
  EXPECT_EQ(answer().verdict, Verdict::kDiffers);
  EXPECT_EQ(answer().differing, 1U);
}

TEST(Compare, BackendsShareTheTime) {
  // Nobody has time for an answer, and nobody is asked but the reference.
  std::size_t asked = 0;
  const auto counts = [&](const Case& c, const Way& way, const std::stop_token& stop,
                          std::string* fallback) {
    ++asked;
    return ask(c, way, stop, fallback);
  };
  const Ways ways{kCpu, {kEmulated, kCpu, kCpu}, false};
  const auto none = compare(make_case(0).value(), 0, ways, {}, {.way = counts}, 0.0).value();
  EXPECT_EQ(asked, 0U);
  EXPECT_GT(none.contacts, 10U);
  for (const Answer& a : none.answers) EXPECT_EQ(a.verdict, Verdict::kNoTime);
  const auto all = compare(make_case(0).value(), 0, ways, {}, {.way = counts}).value();
  EXPECT_EQ(asked, 3U);
  for (const Answer& a : all.answers) {
    EXPECT_EQ(a.verdict, Verdict::kSame);
    EXPECT_EQ(a.answered, all.steps);
  }
}

TEST(Compare, AnErrorIsAFailure) {
  const auto broken = [](const Case&, const Way&, const std::stop_token&, std::string*) {
    return Result<std::vector<StepReport>>(ErrorCode::kResource, "it broke");
  };
  EXPECT_EQ(verdict_of(make_case(0).value(), kCpu, broken), Verdict::kFailed);
}

}  // namespace
}  // namespace tocsin::selftest::compare_test
