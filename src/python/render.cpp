// Pictures of steps of a Run.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "gpu/gl/context/device_thread.h"
#include "python/arrays.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/run.h"
#include "python/without_gil.h"
#include "view/picture.h"

namespace tocsin::python {
namespace {

/// The step that a picture shows.
struct Drawn {
  std::vector<view::Actor> actors;
  std::optional<view::Choice> about;
};

/// The avatars that have a step of this index; their contacts name avatars as the run does.
Drawn actors_at(const Run& run, std::int64_t index) {
  std::vector<std::size_t> who;
  std::vector<Member> members;
  std::vector<Step> steps;
  for (std::size_t a = 0; a < run.steps.size(); ++a) {
    const StepList& list = run.steps[a];
    const auto at = std::find_if(list.begin(), list.end(),
                                 [index](const Step& step) { return step.index() == index; });
    if (at == list.end()) continue;
    who.push_back(a);
    members.push_back(run.members[a]);
    steps.push_back(*at);
  }
  if (who.empty()) {
    refuse(ErrorCode::kUsage, fmt::format("frame: no step of the check begins at {}", index));
  }
  std::vector<StepReport> reports = run.detector.check_batch(members, steps, {.meet = run.meet()});
  Drawn out;
  for (std::size_t i = 0; i < who.size(); ++i) {
    StepReport report = std::move(reports[i]).value();
    report.avatar = static_cast<std::int32_t>(who[i]);
    for (Contact& contact : report.contacts) {
      OtherLink* const other = std::get_if<OtherLink>(&contact.touched);
      if (other == nullptr) continue;
      other->avatar = static_cast<std::int32_t>(who[static_cast<std::size_t>(other->avatar)]);
    }
    out.actors.push_back({members[i].avatar, steps[i], std::move(report)});
  }
  return out;
}

/// The picture's step, about a contact of the run.
Drawn about(const Run& run, const FoundContact& found) {
  const auto avatar = static_cast<std::size_t>(found.avatar);
  Drawn out = actors_at(run, run.steps[avatar][found.step].index());
  for (std::size_t i = 0; i < out.actors.size(); ++i) {
    const StepReport& report = out.actors[i].report;
    if (report.avatar != found.avatar) continue;
    for (std::size_t k = 0; k < report.contacts.size(); ++k) {
      const Contact& one = report.contacts[k];
      if (one.link == found.contact.link && one.party() == found.contact.party()) {
        out.about = view::Choice{i, k};
      }
    }
  }
  return out;
}

Drawn chosen(const Run& run, std::optional<std::int64_t> frame,
             std::optional<std::size_t> contact) {
  if (frame && contact) refuse(ErrorCode::kUsage, "render: give frame or contact");
  if (frame) return actors_at(run, *frame);
  if (contact && *contact >= run.found.size()) {
    refuse(ErrorCode::kUsage, fmt::format("contact: there are {}, counted from 0, not {}",
                                          run.found.size(), *contact));
  }
  if (contact) return about(run, run.found[*contact]);
  if (!run.found.empty()) return about(run, run.found.front());
  for (const StepList& list : run.steps) {
    if (!list.empty()) return actors_at(run, list.front().index());
  }
  refuse(ErrorCode::kUsage, "a single frame holds no step: there is nothing to draw");
}

view::Image draw(const Drawn& drawn, const Run& run, const view::Show& show,
                 const view::CameraWish& wish) {
  const auto device = taken(gl::DeviceThread::start({}));
  const Environment& room = run.detector.environment();
  const view::StepScene scene(drawn.actors, room, run.detector.options().margin, show, drawn.about);
  return taken(view::draw_step(*device, scene, view::Sight(room), wish, std::nullopt)).image;
}

py::array render(const Run& run, std::optional<std::int64_t> frame,
                 std::optional<std::size_t> contact, std::pair<int, int> size,
                 const py::object& camera, const py::object& look_at, double fov, double zoom,
                 bool cut, const std::vector<std::string>& show) {
  view::CameraWish wish;
  wish.width = size.first;
  wish.height = size.second;
  wish.fov_degrees = fov;
  wish.zoom = zoom;
  wish.cut = cut;
  if (!camera.is_none()) wish.eye = point(camera, "camera");
  if (!look_at.is_none()) wish.target = point(look_at, "look_at");
  if (std::min(size.first, size.second) < 16 || std::max(size.first, size.second) > 4096) {
    refuse(ErrorCode::kUsage, "size: expected 16 to 4096 pixels");
  }
  if (!(zoom > 0.0 && zoom <= 1e6)) refuse(ErrorCode::kUsage, "zoom: expected a number above 0");
  const auto has = [&show](const char* part) {
    return std::find(show.begin(), show.end(), part) != show.end();
  };
  for (const std::string& part : show) {
    const auto known = {"poses", "sweep", "stop", "contacts"};
    if (std::find(known.begin(), known.end(), part) == known.end()) {
      refuse_name("show", part, "poses, sweep, stop, contacts");
    }
  }
  const view::Show parts{has("poses"), has("sweep"), has("stop"), has("contacts")};
  view::Image image = interruptible(
      [&](const std::stop_token&) { return draw(chosen(run, frame, contact), run, parts, wish); });
  return moved(std::move(image.rgb), {image.height, image.width, 3});
}

}  // namespace

void bind_render(py::module_& m) {
  m.def("_render", &render, py::arg("run"), py::arg("frame"), py::arg("contact"), py::arg("size"),
        py::arg("camera"), py::arg("look_at"), py::arg("fov"), py::arg("zoom"), py::arg("cut"),
        py::arg("show"), "Result.render");
}

}  // namespace tocsin::python
