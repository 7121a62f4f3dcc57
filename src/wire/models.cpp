// Avatar models on the wire.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/quoted.h"
#include "wire/shapes.h"
#include "wire/skeletons.h"
#include "wire/text.h"
#include "wire/values.h"

namespace tocsin::wire {
namespace {

/// As for a model's file (avatar_json.cpp): binding tries one after the other.
constexpr int kMostSchemes = 64;
/// Joints and names in all tables of a model together. Shipped models have some hundred. With so
/// many, binding takes milliseconds. With as many as a message can hold, it would take seconds.
constexpr int kMostNames = 16'384;
/// Bytes of a description, which no answer repeats.
constexpr std::size_t kLongestDescription = 65'536;

using NameTable = std::vector<std::pair<std::string, std::vector<std::string>>>;
using WireTable = google::protobuf::RepeatedPtrField<v1::AvatarModel::Aliases>;

void put(const EndPoint& end, v1::EndPoint& out) {
  if (end.joint.empty()) {
    to_wire(end.offset, *out.mutable_offset());
    return;
  }
  put_text(end.joint, *out.mutable_joint());
  put_text(end.beyond, *out.mutable_beyond());
  out.set_times(end.times);
}

void put(const LinkModel& link, v1::Link& out) {
  put_text(link.name, *out.mutable_name());
  put_text(link.joint, *out.mutable_joint());
  if (!link.shape.empty()) return to_wire(link.shape, *out.mutable_shape());
  put(link.a, *out.mutable_a());
  put(link.b, *out.mutable_b());
  out.set_radius(link.radius);
  out.set_length(link.length);
}

void put(const NameTable& table, WireTable& out) {
  for (const auto& [joint, names] : table) {
    v1::AvatarModel::Aliases& made = *out.Add();
    put_text(joint, *made.mutable_joint());
    for (const std::string& name : names) put_text(name, *made.add_names());
  }
}

/// Reads a message and keeps the first error.
class Reader {
 public:
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] ErrorCode code() const { return code_; }

  std::string text(const std::string& value, std::string_view what) {
    std::string problem = label_problem(value);
    if (problem.empty()) return value;
    fail(fmt::format("{} {}", what, problem));
    return {};
  }

  LinkModel link(const v1::Link& link, int index) {
    where_ = fmt::format("link {}", index);
    LinkModel made;
    made.name = text(link.name(), "its name");
    if (problem_.empty()) where_ += " (" + base::in_quotes(made.name) + ")";
    made.joint = text(link.joint(), "its joint");
    if (link.has_shape()) {
      shape(link, index, made);
      return made;
    }
    made.a = end(link.a(), "a");
    made.b = end(link.b(), "b");
    made.radius = finite(link.radius(), "its radius");
    made.length = finite(link.length(), "its length");
    if (made.length < 0.0) fail(fmt::format("its length is negative: {}", made.length));
    return made;
  }

  NameTable table(const WireTable& table, const std::string& what) {
    NameTable made;
    for (const v1::AvatarModel::Aliases& entry : table) {
      // Counted before any is converted.
      names_ += 1 + static_cast<std::int64_t>(entry.names_size());
      if (names_ > kMostNames) fail(fmt::format("more than {} names of joints", kMostNames));
      if (!problem_.empty()) return {};
      where_ = what;
      std::vector<std::string> names;
      names.reserve(static_cast<std::size_t>(entry.names_size()));
      for (const std::string& name : entry.names()) names.push_back(text(name, "a joint's name"));
      made.emplace_back(text(entry.joint(), "a joint's name"), std::move(names));
    }
    return made;
  }

  NamingScheme scheme(const v1::AvatarModel::NamingScheme& scheme, int index) {
    where_ = fmt::format("scheme {}", index);
    NamingScheme made;
    made.name = text(scheme.name(), "its name");
    made.prefix = text(scheme.prefix(), "its prefix");
    if (!made.prefix.empty() && !scheme.joints().empty()) fail("has both a prefix and joints");
    made.joints = table(scheme.joints(), where_);
    return made;
  }

  /// Links with shapes that the server has.
  [[nodiscard]] std::vector<LoadedShape>& loaded() { return loaded_; }

  void fail(std::string cause, ErrorCode code = ErrorCode::kInput) {
    if (!problem_.empty()) return;
    code_ = code;
    problem_ = where_.empty() ? std::move(cause) : fmt::format("{}: {}", where_, cause);
  }

 private:
  double finite(double value, std::string_view what) {
    if (!std::isfinite(value)) fail(fmt::format("{} is not finite", what));
    return value;
  }

  EndPoint end(const v1::EndPoint& end, std::string_view which) {
    EndPoint made;
    made.offset = wire::from_wire(end.offset());
    made.joint = text(end.joint(), fmt::format("the joint of its end {}", which));
    made.beyond = text(end.beyond(), fmt::format("`beyond` of its end {}", which));
    made.times = end.times();
    const Vec3& v = made.offset;
    if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) {
      fail(fmt::format("its end {} is not finite", which));
    }
    if (!(made.times >= 0.0 && made.times <= 10.0)) {
      fail(fmt::format("`times` of its end {} is {}; must be 0 to 10", which, made.times));
    }
    if (!made.beyond.empty() && made.joint.empty()) {
      fail(fmt::format("its end {} has `beyond` without a joint", which));
    }
    return made;
  }

  void shape(const v1::Link& link, int index, LinkModel& made) {
    if (link.has_a() || link.has_b() || link.radius() != 0.0 || link.length() != 0.0) {
      return fail("has both a shape and ends, a radius or a length");
    }
    if (!problem_.empty()) return;
    if (is_loaded(link.shape())) {
      LoadedShape& of_server = loaded_.emplace_back();
      of_server.link = static_cast<std::size_t>(index);
      const Status read = from_wire(link.shape(), of_server);
      if (!read) fail("its shape: " + read.error().message);
      return;
    }
    auto read = shapes_.read(link.shape());
    if (!read) return fail("its shape: " + read.error().message, read.error().code);
    made.shape = std::move(read).value();
  }

  std::string where_;
  std::string problem_;
  ErrorCode code_ = ErrorCode::kInput;
  ShapeReader shapes_;
  std::vector<LoadedShape> loaded_;
  std::int64_t names_ = 0;
};

}  // namespace

void to_wire(const AvatarModel& model, v1::AvatarModel& out) {
  out.Clear();
  put_text(model.name, *out.mutable_name());
  put_text(model.description, *out.mutable_description());
  out.mutable_links()->Reserve(static_cast<int>(model.links.size()));
  for (const LinkModel& link : model.links) put(link, *out.add_links());
  put(model.aliases, *out.mutable_aliases());
  for (const NamingScheme& scheme : model.schemes) {
    v1::AvatarModel::NamingScheme& made = *out.add_schemes();
    put_text(scheme.name, *made.mutable_name());
    put_text(scheme.prefix, *made.mutable_prefix());
    put(scheme.joints, *made.mutable_joints());
  }
}

Result<AvatarModel> from_wire(const v1::AvatarModel& model, std::vector<LoadedShape>& loaded) {
  if (model.links_size() > kMostLinks) {
    return {ErrorCode::kInput, fmt::format("avatar model: {} links; a model has at most {}",
                                           model.links_size(), kMostLinks)};
  }
  Reader reader;
  AvatarModel made;
  made.name = reader.text(model.name(), "its name");
  if (std::string problem = text_problem(model.description(), kLongestDescription);
      !problem.empty()) {
    reader.fail("its description " + problem);
  }
  if (model.schemes_size() > kMostSchemes) {
    reader.fail(
        fmt::format("{} schemes; a model has at most {}", model.schemes_size(), kMostSchemes));
  }
  if (reader.problem().empty()) {
    made.description = model.description();
    made.links.reserve(static_cast<std::size_t>(model.links_size()));
    for (int i = 0; i < model.links_size() && reader.problem().empty(); ++i) {
      made.links.push_back(reader.link(model.links(i), i));
    }
    made.aliases = reader.table(model.aliases(), "aliases");
    for (int i = 0; i < model.schemes_size() && reader.problem().empty(); ++i) {
      made.schemes.push_back(reader.scheme(model.schemes(i), i));
    }
  }
  if (!reader.problem().empty()) {
    return {reader.code(), "avatar model: " + reader.problem()};
  }
  loaded = std::move(reader.loaded());
  return made;
}

Result<AvatarModel> from_wire(const v1::AvatarModel& model) {
  std::vector<LoadedShape> loaded;
  auto out = from_wire(model, loaded);
  if (out.ok() && !loaded.empty()) {
    return {ErrorCode::kInput, "avatar model: a shape that only its server has"};
  }
  return out;
}

}  // namespace tocsin::wire
