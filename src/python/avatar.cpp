// Link, AvatarModel, Avatar and Member.
#include "tocsin/avatar.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <variant>

#include "python/arrays.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/file_name.h"
#include "python/radii.h"
#include "python/without_gil.h"
#include "tocsin/binding.h"
#include "tocsin/io.h"
#include "tocsin/member.h"

namespace tocsin::python {
namespace {

constexpr const char* kLinkDoc =
    "What moves with one joint: all points within `radius` of the segment a b, or a shape.\n\n"
    "Link(name, joint, a=None, b=None, radius=None, shape=None)\n"
    "joint: index into the skeleton. a, b: (3,) in the joint's frame, metres; radius: metres, at\n"
    "least 1e-6. Or shape, a Shape in the joint's frame.";

constexpr const char* kAvatarDoc =
    "A skeleton with links. Immutable.\n\n"
    "Avatar(name, skeleton, links)\n"
    "links: a list of Link. Others are made by auto(), bind(), bones(), body().";

constexpr const char* kMemberDoc =
    "An avatar, and which of its pairs are checked. Where a Member is wanted an Avatar does, "
    "too.\n\n"
    "Member(avatar, environment=None, ignore=(), itself=False, ignore_itself=())\n"
    "ignore: patterns 'LINK:OBJECT', shell globs, of pairs that are not checked, in "
    "`environment`.\n"
    "itself: also its own links against each other, but for neighbours; ignore_itself: without "
    "the\n"
    "pairs that match 'LINK:LINK'.";

Link make_link(const std::string& name, int joint, const py::object& a, const py::object& b,
               const std::optional<double>& radius, const std::optional<Shape>& shape) {
  const bool ends = !a.is_none() && !b.is_none() && radius;
  const bool none = a.is_none() && b.is_none() && !radius;
  if (shape ? !none : !ends) {
    refuse(ErrorCode::kUsage, fmt::format("Link \"{}\": give a, b and radius, or a shape", name));
  }
  if (shape) return link_of_shape(name, joint, *shape);
  return {name, joint, point(a, "a"), point(b, "b"), *radius, {}};
}

/// What a model is bound to.
using Bones = std::variant<Motion, Skeleton>;

/// Warns of what is worth a look.
Avatar told(const BoundAvatar& bound) {
  warn(bound.binding.notes);
  return bound.avatar;
}

Avatar bind(const std::variant<AvatarModel, std::string>& model, const Bones& bones,
            const Radii& radii) {
  const RadiusScale scale = radius_scale(radii);
  return told(without_gil([&] {
    const auto* const name = std::get_if<std::string>(&model);
    const AvatarModel found =
        name != nullptr ? taken(load_avatar_model(*name)) : std::get<AvatarModel>(model);
    return std::visit([&](const auto& to) { return taken(bind_avatar(found, to, scale)); }, bones);
  }));
}

Avatar choose(const Bones& bones, const Radii& radii) {
  const RadiusScale scale = radius_scale(radii);
  return told(without_gil([&] {
    return std::visit([&](const auto& to) { return taken(choose_bound_avatar(to, scale)); }, bones);
  }));
}

Avatar link_a_bone(const Bones& bones, const Radii& radii) {
  const RadiusScale scale = radius_scale(radii);
  return told(without_gil([&] {
    return std::visit([&](const auto& to) { return taken(bind_bones(to, scale)); }, bones);
  }));
}

Avatar body(const std::string& name, const Shape& shape) {
  auto skeleton = taken(Skeleton::create({{name, -1, {}}}));
  return taken(Avatar::create(name, std::move(skeleton), {link_of_shape(name, 0, shape)}));
}

Member make_member(const Avatar& avatar, const std::optional<Environment>& environment,
                   const std::vector<std::string>& ignore, bool itself,
                   const std::vector<std::string>& ignore_itself) {
  if (!ignore.empty() && !environment) {
    refuse(ErrorCode::kUsage, "Member: ignore needs the environment whose objects it names");
  }
  if (!ignore_itself.empty() && !itself) {
    refuse(ErrorCode::kUsage, "Member: ignore_itself needs itself=True");
  }
  Member out(avatar);
  if (environment) out.active = taken(ActivePairs::ignoring(avatar, *environment, ignore));
  if (itself) out.self = taken(LinkPairs::ignoring(avatar, ignore_itself));
  return out;
}

std::vector<std::uint64_t> list_of(std::span<const std::uint64_t> counts) {
  return {counts.begin(), counts.end()};
}

void bind_link(py::module_& m) {
  py::class_<Link>(m, "Link", kLinkDoc)
      .def(py::init(&make_link), py::arg("name"), py::arg("joint"), py::arg("a") = py::none(),
           py::arg("b") = py::none(), py::arg("radius") = py::none(), py::arg("shape") = py::none())
      .def_readonly("name", &Link::name, "Its name.")
      .def_readonly("joint", &Link::joint, "Index of its joint.")
      .def_property_readonly(
          "a", [](const Link& link) { return array_of(link.a); }, "(3,) in the joint's frame, m.")
      .def_property_readonly(
          "b", [](const Link& link) { return array_of(link.b); }, "(3,) in the joint's frame, m.")
      .def_readonly("radius", &Link::radius,
                    "Metres. Of a link with a shape a, b and radius hold the shape.")
      .def_property_readonly(
          "shape",
          [](const Link& link) {
            return link.shape.empty() ? std::nullopt : std::optional(link.shape);
          },
          "Its Shape, or None.");
}

void bind_model(py::module_& m) {
  py::class_<AvatarModel>(m, "AvatarModel",
                          "A set of links that can be bound to a skeleton (load_avatar_model).")
      .def_readonly("name", &AvatarModel::name, "Its name.")
      .def_readonly("description", &AvatarModel::description, "What it is, for people.")
      .def_property_readonly(
          "links",
          [](const AvatarModel& model) {
            std::vector<std::string> out;
            for (const LinkModel& link : model.links) out.push_back(link.name);
            return out;
          },
          "Names of its links.");
  m.def(
      "load_avatar_model",
      [](const py::object& name_or_file) {
        return without_gil(
            [name = file_name(name_or_file).string()] { return taken(load_avatar_model(name)); });
      },
      py::arg("name_or_file"),
      "Reads an avatar model: a file, or the name of a model that Tocsin ships ('humanoid16').");
  m.def("shipped_avatar_models", &shipped_avatar_models, "Names of the models that Tocsin ships.");
}

void bind_avatar_class(py::module_& m) {
  py::class_<Avatar>(m, "Avatar", kAvatarDoc)
      .def(py::init([](const std::string& name, const Skeleton& skeleton,
                       const std::vector<Link>& links) {
             return taken(Avatar::create(name, skeleton, links));
           }),
           py::arg("name"), py::arg("skeleton"), py::arg("links"))
      .def_static("auto", &choose, py::arg("motion"), py::arg("radii") = 1.0,
                  "The shipped model that binds the most links; if none does, one link a bone.\n"
                  "motion: a Motion or a Skeleton. radii: a factor, or 'auto': by bone lengths.")
      .def_static("bind", &bind, py::arg("model"), py::arg("motion"), py::arg("radii") = 1.0,
                  "A model bound by names: an AvatarModel, a shipped model's name or a file.")
      .def_static("bones", &link_a_bone, py::arg("motion"), py::arg("radii") = 1.0,
                  "One link a bone, for any skeleton; its radius is a fraction of its length.")
      .def_static("body", &body, py::arg("name"), py::arg("shape"),
                  "A rigid body: one joint, one link of this shape, both called `name`.")
      .def(
          "with_links",
          [](const Avatar& avatar, const std::vector<Link>& links) {
            return taken(avatar.with_links(links));
          },
          py::arg("links"), "The same avatar with more links behind its own: what a hand holds.")
      .def_property_readonly("name", &Avatar::name, "Its model's name.")
      .def_property_readonly("skeleton", &Avatar::skeleton, "Its Skeleton.")
      .def_property_readonly(
          "links",
          [](const Avatar& avatar) {
            return std::vector<Link>(avatar.links().begin(), avatar.links().end());
          },
          "Its links, a list of Link.")
      .def_property_readonly("radius_factor", &Avatar::radius_factor,
                             "What the model's radii were multiplied by.");
}

}  // namespace

RadiusScale radius_scale(const Radii& radii) {
  const auto* const factor = std::get_if<double>(&radii);
  if (factor != nullptr) return {false, *factor};
  const std::string& word = std::get<std::string>(radii);
  if (word != "auto") refuse_name("radii", word, "auto, a factor");
  return {true, 1.0};
}

void bind_avatar(py::module_& m) {
  bind_link(m);
  bind_model(m);
  bind_avatar_class(m);
  py::class_<Member>(m, "Member", kMemberDoc)
      .def(py::init(&make_member), py::arg("avatar"), py::arg("environment") = py::none(),
           py::arg("ignore") = py::make_tuple(), py::arg("itself") = false,
           py::arg("ignore_itself") = py::make_tuple())
      .def_readonly("avatar", &Member::avatar, "Its Avatar.")
      .def_property_readonly(
          "ignored", [](const Member& member) { return list_of(member.active.matches()); },
          "How many pairs each pattern of `ignore` switched off; 0 hints at a typing error.")
      .def_property_readonly(
          "ignored_itself", [](const Member& member) { return list_of(member.self.matches()); },
          "The same of `ignore_itself`.");
  py::implicitly_convertible<Avatar, Member>();
}

}  // namespace tocsin::python
