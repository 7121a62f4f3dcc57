// No file at all: a ball flies at a wall at 1 m a step. The wall is 0.6 m away and the ball's
// radius 0.1 m, so they first touch in the middle of the step.
#include <tocsin/tocsin.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("does not hold: %s\n", what);
  ++failures;
}

tocsin::Environment wall_at(float x) {
  tocsin::ObjectMesh wall;
  wall.name = "wall";
  wall.vertices = {{x, -1, -1}, {x, -1, 1}, {x, 1, 1}, {x, 1, -1}};
  wall.triangles = {{0, 1, 2}, {0, 2, 3}};
  return *tocsin::Environment::create({wall});
}

}  // namespace

int main() {
  const auto skeleton = tocsin::Skeleton::create({{.name = "root", .parent = -1, .rest = {}}});
  expect(skeleton.ok(), "a skeleton of one joint");

  const auto motion = tocsin::Motion::create(
      *skeleton, 1.0 / 60.0,
      {{.rotation = {}, .translation = {0, 0, 0}}, {.rotation = {}, .translation = {1, 0, 0}}});
  expect(motion.ok(), "a motion of two poses");

  tocsin::Link ball;
  ball.name = "ball";
  ball.radius = 0.1;
  const auto avatar = tocsin::Avatar::create("ball", *skeleton, {ball});
  expect(avatar.ok(), "an avatar of one link");

  const tocsin::Environment room = wall_at(0.6F);
  const auto detector = tocsin::Detector::make(room);
  expect(detector.ok(), "a detector");
  const auto steps = *motion->steps();
  expect(steps.size() == 1, "one step");
  if (failures > 0) return 1;

  const tocsin::StepReport report = detector->check(*avatar, steps[0]);
  expect(!report.error && report.contacts.size() == 1, "one contact");
  const double at = static_cast<double>(0.6F) - 0.1;
  if (report.contacts.size() == 1) {
    const tocsin::Contact& contact = report.contacts[0];
    expect(contact.status == tocsin::ContactStatus::kHit, "a hit");
    expect(contact.toc[0] <= at + 1e-9 && at - 1e-9 <= contact.toc[1], "at half the step");
    expect(contact.toc[1] - contact.toc[0] < 1e-6, "in a narrow bracket");
    expect(report.safe_until <= at + 1e-9, "nothing is safe after it");
    expect(contact.normal && std::abs(contact.normal->x + 1.0) < 1e-6,
           "the normal points at the ball");
  }

  // The wall moves out of the way; the first room is unharmed.
  const auto moved = room.with_vertices({{2, -1, -1}, {2, -1, 1}, {2, 1, 1}, {2, 1, -1}});
  const tocsin::StepReport clear = tocsin::Detector::make(*moved)->check(*avatar, steps[0]);
  expect(!clear.error && clear.contacts.empty() && clear.safe_until == 1.0,
         "clear of the moved wall");
  expect(detector->check(*avatar, steps[0]).contacts == report.contacts, "the same answer again");

  // A report without an answer is not one without contacts: its value throws.
  try {
    (void)detector->check({}, steps[0]).value();
    expect(false, "no report of no avatar");
  } catch (const tocsin::Exception& exception) {
    expect(!exception.error().message.empty(), "it says why");
  }

  // Errors are values; taking a value that is not there throws.
  const auto wrong = room.with_vertices({});
  expect(!wrong && !wrong.error().message.empty(), "too few vertices are an error that says why");
  try {
    (void)wrong->triangles();
    expect(false, "an error is not an empty room");
  } catch (const tocsin::Exception& exception) {
    expect(exception.error().message == wrong.error().message, "the error that was not asked for");
  }

  // The primitive, without a tree: the same contact.
  const auto touch = tocsin::certify({*avatar, steps[0], 0}, room.corners(0));
  expect(touch && *touch && (*touch)->status == tocsin::ContactStatus::kHit &&
             std::abs((*touch)->toc[1] - at) < 1e-6,
         "a link and a triangle can be asked about by themselves");

  // Devices are components of their own, and none is linked here.
  for (const tocsin::Backend backend : {tocsin::Backend::kGl, tocsin::Backend::kCuda}) {
    const auto device = tocsin::Detector::make(room, {.backend = backend});
    expect(!device && device.error().code == tocsin::ErrorCode::kUnavailable,
           "a backend that is not linked is unavailable");
    if (!device) std::printf("%s\n", device.error().message.c_str());
  }
  for (const tocsin::DeviceInfo& device : tocsin::list_devices()) {
    expect(!device.usable && !device.reason.empty(), "a device that is not linked says why");
  }

  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
