// The avatar model format: what is read, and that every mistake is named with its place.
#include "io/avatar/avatar_json.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "io/avatar/embedded_avatar_models.h"
#include "io/json/json_value.h"

namespace tocsin::io::avatar_json_test {
namespace {

constexpr std::string_view kGood = R"({
  "format": "tocsin.avatar.v1",
  "name": "one arm",
  "description": "for tests",
  "links": [
    {"name": "forearm", "joint": "LeftForeArm", "b": {"joint": "LeftHand"}, "radius": 0.045},
    {"name": "hand", "joint": "LeftHand", "a": [0.01, 0, -2.5e-2], "b": [0.1, 0, 0], "radius": 1e-6}
  ],
  "aliases": {"LeftForeArm": ["lradius", "L_LowerArm"], "LeftHand": []}
})";

/// kGood with one part of it replaced.
std::string changed(std::string_view from, std::string_view to) {
  std::string text(kGood);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_of(std::string_view text) {
  const auto model = parse_avatar_model(text, "m.json");
  EXPECT_FALSE(model.ok()) << text.substr(0, 200);
  EXPECT_EQ(model.error().code, ErrorCode::kInput);
  EXPECT_LT(model.error().message.size(), 600U);
  return model.error().message;
}

TEST(AvatarJson, ReadsAModel) {
  const auto model = parse_avatar_model(kGood, "m.json");
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_EQ(model->name, "one arm");
  EXPECT_EQ(model->description, "for tests");
  EXPECT_EQ(model->file, "m.json");
  ASSERT_EQ(model->links.size(), 2U);
  EXPECT_EQ(model->links[0].name, "forearm");
  EXPECT_EQ(model->links[0].joint, "LeftForeArm");
  EXPECT_EQ(model->links[0].a.offset, (Vec3{0, 0, 0}));
  EXPECT_EQ(model->links[0].b.joint, "LeftHand");
  EXPECT_EQ(model->links[0].radius, 0.045);
  EXPECT_EQ(model->links[1].a.offset, (Vec3{0.01, 0, -0.025}));
  EXPECT_EQ(model->links[1].b.offset, (Vec3{0.1, 0, 0}));
  EXPECT_TRUE(model->links[1].b.joint.empty());
  EXPECT_EQ(model->links[1].radius, 1e-6);
  ASSERT_EQ(model->aliases.size(), 2U);
  EXPECT_EQ(model->aliases[0].first, "LeftForeArm");
  EXPECT_EQ(model->aliases[0].second, (std::vector<std::string>{"lradius", "L_LowerArm"}));
}

TEST(AvatarJson, TakesAByteOrderMarkAndASchema) {
  EXPECT_TRUE(parse_avatar_model(std::string("\xEF\xBB\xBF").append(kGood), "m").ok());
  EXPECT_TRUE(parse_avatar_model(changed("\"name\": \"one arm\"",
                                         "\"$schema\": \"schema.json\", \"name\": \"one arm\""),
                                 "m")
                  .ok());
}

struct Mistake {
  const char* from;
  const char* to;
  const char* message;
};

TEST(AvatarJson, NamesThePlaceOfEveryMistake) {
  const Mistake kMistakes[] = {
      {"tocsin.avatar.v1", "tocsin.avatar.v2",
       "m.json: format: must be \"tocsin.avatar.v1\", is \"tocsin.avatar.v2\""},
      {"\"format\": \"tocsin.avatar.v1\",", "", "m.json: field \"format\" is missing"},
      {"\"name\": \"one arm\",", "", "m.json: field \"name\" is missing"},
      {"\"one arm\"", "\"\"", "m.json: name: must not be empty"},
      {"\"one arm\"", "7", "m.json: name: must be a string, is a number"},
      {"\"for tests\"", "null", "m.json: description: must be a string, is null"},
      {"\"description\"", "\"descripton\"",
       "m.json: unknown field \"descripton\" (known: $schema, format, name, description, links, "
       "aliases, schemes)"},
      {"0.045", "0", "m.json: links[0].radius: must be at least 1e-6, is 0"},
      {"0.045", "-1", "m.json: links[0].radius: must be at least 1e-6, is -1"},
      {"0.045", "9.999e-7", "m.json: links[0].radius: must be at least 1e-6, is 9.999e-07"},
      {"0.045", "45", "m.json: links[0].radius: must be at most 10 (metres), is 45"},
      {"0.045", "\"0.045\"", "m.json: links[0].radius: must be a number, is a string"},
      {", \"radius\": 0.045", "", "m.json: links[0]: field \"radius\" is missing"},
      {", \"b\": [0.1, 0, 0]", "", "m.json: links[1]: field \"b\" is missing"},
      {"\"joint\": \"LeftForeArm\", ", "", "m.json: links[0]: field \"joint\" is missing"},
      {"\"radius\": 0.045", "\"radius\": 0.045, \"raduis\": 1",
       "m.json: links[0]: unknown field \"raduis\" (known: name, joint, a, b, radius, length, "
       "shape)"},
      {"\"hand\"", "\"forearm\"",
       "m.json: links[1].name: \"forearm\" is the name of an earlier link"},
      {"\"hand\"", "\"left:hand\"",
       "m.json: links[1].name: must not contain ':', which --ignore LINK:OBJECT puts between two "
       "names; is "
       "\"left:hand\""},
      {"\"hand\"", "\"a\\u0007b\"",
       "m.json: links[1].name: must not contain control characters, is \"a\\x07b\""},
      {"[0.1, 0, 0]", "[0.1, 0]",
       "m.json: links[1].b: must be an array of 3 numbers or {\"joint\": NAME}, is an array of 2"},
      {"[0.1, 0, 0]", "0.1",
       "m.json: links[1].b: must be an array of 3 numbers or {\"joint\": NAME}, is a number"},
      {"[0.1, 0, 0]", "[0.1, true, 0]", "m.json: links[1].b[1]: must be a number, is a boolean"},
      {"[0.1, 0, 0]", "[0.1, 0, 100.5]",
       "m.json: links[1].b[2]: must be within 100 m of the joint, is 100.5"},
      {"{\"joint\": \"LeftHand\"}", "{\"join\": \"LeftHand\"}",
       "m.json: links[0].b: unknown field \"join\" (known: joint, beyond, times)"},
      {"{\"joint\": \"LeftHand\"}", "{}", "m.json: links[0].b: field \"joint\" is missing"},
      {"{\"joint\": \"LeftHand\"}", "{\"joint\": \"\"}",
       "m.json: links[0].b.joint: must not be empty"},
      {"{\"LeftForeArm\"", "{\"LeftForearm\"",
       "m.json: aliases.LeftForearm: no link uses a joint of this name"},
      {"\"lradius\"", "{}", "m.json: aliases.LeftForeArm[0]: must be a string, is an object"},
      {"[]}", "\"x\"}", "m.json: aliases.LeftHand: must be an array, is a string"},
      {"\"radius\": 0.045", "\"radius\": 0.045, \"radius\": 0.045",
       "m.json: links[0]: field \"radius\" appears twice"},
      {"0.045}", "0.045]",
       "m.json:6:92: syntax error while parsing object - unexpected ']'; "
       "expected '}'"},
      {"0.045", "1e999", "m.json:6:91: number overflow parsing '1e999'"},
      {"0.045", "NaN", nullptr},
      {"0.045", "Infinity", nullptr},
      {"0.045", "0x10", nullptr},
      {"0.045", "045", nullptr},
  };
  for (const Mistake& mistake : kMistakes) {
    const std::string text = error_of(changed(mistake.from, mistake.to));
    if (mistake.message != nullptr) {
      EXPECT_EQ(text, mistake.message);
    } else {
      EXPECT_EQ(text.rfind("m.json:6:", 0), 0U) << text;  // a syntax error in line 6
    }
  }
}

TEST(AvatarJson, ReadsLengthsSchemesAndEndsBeyond) {
  const auto model = parse_avatar_model(R"({"format": "tocsin.avatar.v1", "name": "n",
    "links": [{"name": "l", "joint": "A", "radius": 1, "length": 0.25,
               "b": {"joint": "B", "beyond": "C", "times": 0.5}}],
    "schemes": [{"name": "s", "joints": {"A": ["x", "y"], "B": [], "C": ["z"]}},
                {"name": "t", "prefix": "rig_"}]})",
                                        "m.json");
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_EQ(model->links[0].length, 0.25);
  EXPECT_EQ(model->links[0].b.joint, "B");
  EXPECT_EQ(model->links[0].b.beyond, "C");
  EXPECT_EQ(model->links[0].b.times, 0.5);
  ASSERT_EQ(model->schemes.size(), 2U);
  EXPECT_EQ(model->schemes[0].name, "s");
  EXPECT_TRUE(model->schemes[0].prefix.empty());
  ASSERT_EQ(model->schemes[0].joints.size(), 3U);
  EXPECT_EQ(model->schemes[0].joints[0].second, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(model->schemes[0].joints[2].first, "C");
  EXPECT_EQ(model->schemes[1].prefix, "rig_");
  EXPECT_TRUE(model->schemes[1].joints.empty());

  const auto old = parse_avatar_model(kGood, "m.json");
  EXPECT_EQ(old->links[0].length, 0.0);
  EXPECT_TRUE(old->links[0].b.beyond.empty());
  EXPECT_TRUE(old->schemes.empty());
}

TEST(AvatarJson, NamesThePlaceOfEveryMistakeInTheNewerFields) {
  const char* const kEnd = "{\"joint\": \"LeftHand\"}";
  const char* const kLast = "\"LeftHand\": []}";
  const Mistake kMistakes[] = {
      {"0.045", "0.045, \"length\": 0",
       "m.json: links[0].length: must be above 0 and at most 100 (metres), is 0"},
      {"0.045", "0.045, \"length\": -0.2",
       "m.json: links[0].length: must be above 0 and at most 100 (metres), is -0.2"},
      {"0.045", "0.045, \"length\": 101",
       "m.json: links[0].length: must be above 0 and at most 100 (metres), is 101"},
      {"0.045", "0.045, \"length\": null", "m.json: links[0].length: must be a number, is null"},
      {kEnd, "{\"joint\": \"LeftHand\", \"times\": 1}",
       "m.json: links[0].b: field \"beyond\" is missing"},
      {kEnd, "{\"joint\": \"LeftHand\", \"beyond\": \"LeftArm\"}",
       "m.json: links[0].b: field \"times\" is missing"},
      {kEnd, "{\"beyond\": \"LeftArm\", \"times\": 1}",
       "m.json: links[0].b: field \"joint\" is missing"},
      {kEnd, "{\"joint\": \"LeftHand\", \"beyond\": \"\", \"times\": 1}",
       "m.json: links[0].b.beyond: must not be empty"},
      {kEnd, "{\"joint\": \"LeftHand\", \"beyond\": \"LeftArm\", \"times\": -0.5}",
       "m.json: links[0].b.times: must be 0 to 10, is -0.5"},
      {kEnd, "{\"joint\": \"LeftHand\", \"beyond\": \"LeftArm\", \"times\": 10.5}",
       "m.json: links[0].b.times: must be 0 to 10, is 10.5"},
      {kEnd, "{\"joint\": \"LeftHand\", \"beyond\": \"LeftArm\", \"times\": \"1\"}",
       "m.json: links[0].b.times: must be a number, is a string"},
      {kLast, "\"LeftHand\": []}, \"schemes\": {}",
       "m.json: schemes: must be an array, is an object"},
      {kLast, "\"LeftHand\": []}, \"schemes\": [[]]",
       "m.json: schemes[0]: must be an object, is an array"},
      {kLast, "\"LeftHand\": []}, \"schemes\": [{\"prefix\": \"x\"}]",
       "m.json: schemes[0]: field \"name\" is missing"},
      {kLast, "\"LeftHand\": []}, \"schemes\": [{\"name\": \"s\"}]",
       "m.json: schemes[0]: must have either \"prefix\" or \"joints\""},
      {kLast,
       "\"LeftHand\": []}, \"schemes\": [{\"name\": \"s\", \"prefix\": \"x\", \"joints\": {}}]",
       "m.json: schemes[0]: must have either \"prefix\" or \"joints\""},
      {kLast, "\"LeftHand\": []}, \"schemes\": [{\"name\": \"s\", \"prefix\": \"\"}]",
       "m.json: schemes[0].prefix: must not be empty"},
      {kLast, "\"LeftHand\": []}, \"schemes\": [{\"name\": \"s\", \"joints\": {\"Arm\": []}}]",
       "m.json: schemes[0].joints.Arm: no link uses a joint of this name"},
      {kLast,
       "\"LeftHand\": []}, \"schemes\": [{\"name\": \"s\", \"joints\": {\"LeftHand\": \"x\"}}]",
       "m.json: schemes[0].joints.LeftHand: must be an array, is a string"},
      {kLast,
       "\"LeftHand\": []}, \"schemes\": [{\"name\": \"s\", \"joints\": {\"LeftHand\": [7]}}]",
       "m.json: schemes[0].joints.LeftHand[0]: must be a string, is a number"},
      {kLast,
       "\"LeftHand\": []}, \"schemes\": [{\"name\": \"s\", \"prefix\": \"x\"}, "
       "{\"name\": \"s\", \"prefix\": \"y\"}]",
       "m.json: schemes[1].name: \"s\" is the name of an earlier scheme"},
      {kLast, "\"LeftHand\": []}, \"schemes\": [{\"name\": \"s\", \"prefx\": \"x\"}]",
       "m.json: schemes[0]: unknown field \"prefx\" (known: name, prefix, joints)"},
  };
  for (const Mistake& mistake : kMistakes) {
    EXPECT_EQ(error_of(changed(mistake.from, mistake.to)), mistake.message);
  }
  std::string many = "\"LeftHand\": []}, \"schemes\": [";
  for (int i = 0; i < 65; ++i) {
    many += (i > 0 ? ", " : "") + ("{\"name\": \"s" + std::to_string(i)) + "\", \"prefix\": \"x\"}";
  }
  EXPECT_EQ(error_of(changed(kLast, many + "]")), "m.json: schemes: must be at most 64, are 65");
}

TEST(AvatarJson, EmptyListsAndOtherDocuments) {
  EXPECT_EQ(error_of(R"({"format": "tocsin.avatar.v1", "name": "n", "links": []})"),
            "m.json: links: must not be empty");
  EXPECT_EQ(error_of(R"({"format": "tocsin.avatar.v1", "name": "n", "links": {}})"),
            "m.json: links: must be an array, is an object");
  EXPECT_EQ(error_of(R"({"format": "tocsin.avatar.v1", "name": "n"})"),
            "m.json: field \"links\" is missing");
  EXPECT_EQ(error_of("[]"), "m.json: must be an object, is an array");
  EXPECT_EQ(error_of("3"), "m.json: must be an object, is a number");
  EXPECT_EQ(error_of("{}"), "m.json: field \"format\" is missing");
}

TEST(AvatarJson, EveryTruncationIsAnError) {
  for (std::size_t size = 0; size < kGood.size(); ++size) {
    const std::string text = error_of(kGood.substr(0, size));
    EXPECT_EQ(text.rfind("m.json:", 0), 0U) << text;
  }
}

TEST(AvatarJson, EveryChangedByteIsReadOrRefused) {
  std::string text(kGood);
  int refused = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char before = text[at];
    for (const char c : {'\0', '"', '{', ']', '\xFF', '9'}) {
      text[at] = c;
      refused += parse_avatar_model(text, "m.json").ok() ? 0 : 1;
    }
    text[at] = before;
  }
  EXPECT_GT(refused, static_cast<int>(text.size()));
}

std::string repeated(std::string_view part, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

TEST(AvatarJson, HostileFilesAreRefused) {
  EXPECT_EQ(error_of(repeated("[", 200'000)).find("nested more than 16 deep") != std::string::npos,
            true);
  EXPECT_NE(error_of(repeated("{\"a\":", 200'000)).find("nested more than 16 deep"),
            std::string::npos);
  EXPECT_NE(error_of("[0" + repeated(",0", 10'000'000)).find("more than 1000000 values"),
            std::string::npos);
  const std::string huge(10'000'000, 'x');
  error_of(changed("one arm", huge));
  error_of(changed("\"one arm\"", huge));
  error_of(changed("0.045", repeated("9", 1'000'000)));
  error_of(changed("0.045", repeated("0.0000000", 1) + repeated("0", 1'000'000)));
  error_of(std::string("\x89PNG\r\n\x1a\n\0\0\0", 11));
  error_of(changed("one arm", "\xC3\x28"));
  error_of(changed("one arm", "\\ud800"));
}

void expect_same(const EndPoint& a, const EndPoint& b) {
  EXPECT_EQ(a.offset, b.offset);
  EXPECT_EQ(a.joint, b.joint);
  EXPECT_EQ(a.beyond, b.beyond);
  EXPECT_EQ(a.times, b.times);
}

void expect_same(const AvatarModel& a, const AvatarModel& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.description, b.description);
  ASSERT_EQ(a.links.size(), b.links.size());
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    EXPECT_EQ(a.links[i].name, b.links[i].name);
    EXPECT_EQ(a.links[i].joint, b.links[i].joint);
    expect_same(a.links[i].a, b.links[i].a);
    expect_same(a.links[i].b, b.links[i].b);
    EXPECT_EQ(a.links[i].radius, b.links[i].radius);
    EXPECT_EQ(a.links[i].length, b.links[i].length);
  }
  EXPECT_EQ(a.aliases, b.aliases);
  ASSERT_EQ(a.schemes.size(), b.schemes.size());
  for (std::size_t i = 0; i < a.schemes.size(); ++i) {
    EXPECT_EQ(a.schemes[i].name, b.schemes[i].name);
    EXPECT_EQ(a.schemes[i].prefix, b.schemes[i].prefix);
    EXPECT_EQ(a.schemes[i].joints, b.schemes[i].joints);
  }
}

TEST(AvatarJson, WhatIsWrittenComesBack) {
  for (const EmbeddedAvatarModel& shipped : embedded_avatar_models()) {
    SCOPED_TRACE(shipped.name);
    const auto model = parse_avatar_model(shipped.text, "shipped");
    ASSERT_TRUE(model.ok());
    const auto back = parse_avatar_model(avatar_model_text(*model), "written");
    ASSERT_TRUE(back.ok()) << back.error().message;
    expect_same(*model, *back);
  }
  AvatarModel model;
  model.description = "a \"strange\"\n\x01 one";
  model.links = {{"\"l\"", "j\\", {{0.1, -1.0 / 3, 1e-300}, ""}, {{}, "k"}, 1.0 / 7, 0.25}};
  model.aliases = {{"k", {"K", "kk"}}, {"j\\", {}}};
  model.schemes = {{"s", "pre_", {}}, {"t", "", {{"k", {"\xC3\xA9"}}}}, {"u", "", {}}};
  const auto back = parse_avatar_model(avatar_model_text(model), "written");
  ASSERT_TRUE(back.ok()) << back.error().message;
  model.name = "model";
  expect_same(model, *back);
}

TEST(JsonValue, ALineOfALargerFileIsNamed) {
  EXPECT_EQ(parse_json("[1,]", "f", {4, 9, 17}).error().message.substr(0, 7), "f:17:4:");
  EXPECT_EQ(parse_json("[[1]]", "f", {1, 9, 17}).error().message, "f:17: nested more than 1 deep");
  EXPECT_EQ(parse_json("[1,\n2,]", "f").error().message.substr(0, 6), "f:2:3:");
}

TEST(JsonValue, PathsOfStrangeNamesAreQuoted) {
  EXPECT_EQ(json_path("", "a"), "a");
  EXPECT_EQ(json_path("a", "b_1"), "a.b_1");
  EXPECT_EQ(json_path("a", "b c"), "a[\"b c\"]");
  EXPECT_EQ(json_path("a", 3), "a[3]");
  const auto value = parse_json(R"({"x y": [1, {"k": 1, "k": 2}]})", "f");
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.error().message, R"(f: ["x y"][1]: field "k" appears twice)");
}

}  // namespace
}  // namespace tocsin::io::avatar_json_test
