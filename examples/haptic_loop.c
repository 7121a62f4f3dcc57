/* A live haptic loop in C, 1,000 times a second: a ball of 5 cm (the proxy) follows a device and
   never enters the table, however fast the device is: its motion is checked between the instants,
   too. What pulls the device back is a spring from it to the proxy. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tocsin/tocsin_c.h>

#define RADIUS 0.05
#define GAP 1e-4 /* metres that the proxy keeps: what touches cannot be told from touching */
#define STIFFNESS 2000.0 /* newtons a metre */

static void must(tocsin_status status) {
  if (status == TOCSIN_OK) return;
  fprintf(stderr, "%s: %s\n", tocsin_status_name(status), tocsin_last_error());
  exit(1);
}

static tocsin_skeleton skeleton; /* of one joint */
static tocsin_stream stream;
static tocsin_reports reports;

/* Moves the proxy towards `to` as far as the way is proved free, less the gap. */
static void move(tocsin_vec3* proxy, tocsin_vec3 to) {
  const tocsin_transform from = {{1, 0, 0, 0}, *proxy}, goal = {{1, 0, 0, 0}, to};
  const double dx = to.x - proxy->x, dy = to.y - proxy->y, dz = to.z - proxy->z;
  const double length = sqrt(dx * dx + dy * dy + dz * dz);
  tocsin_report report = {0};
  tocsin_step step;
  double t;
  if (length == 0.0) return;
  must(tocsin_step_create(skeleton, &from, &goal, 1, TOCSIN_SCREW, &step));
  must(tocsin_stream_check(stream, step, NULL, reports));
  must(tocsin_destroy(step));
  report.size = sizeof report;
  must(tocsin_reports_get(reports, 0, &report));
  t = report.safe_until < 1.0 ? fmax(0.0, report.safe_until - GAP / length) : 1.0;
  proxy->x += t * dx;
  proxy->y += t * dy;
  proxy->z += t * dz;
}

int main(void) {
  const tocsin_vec3f corners[] = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}};
  const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
  const tocsin_object table = {sizeof table, 0, "table", corners, 4, triangles, 2};
  const tocsin_transform rest = {{1, 0, 0, 0}, {0, 0, 0}};
  const char* name = "device";
  const int32_t parent = -1;
  tocsin_link ball = {sizeof ball, 0, "ball", {0, 0, 0}, {0, 0, 0}, RADIUS, NULL};
  tocsin_vec3 proxy = {-0.5, 0.3, 0}, device = proxy;
  tocsin_environment room;
  tocsin_avatar avatar;
  tocsin_member member;
  tocsin_detector detector;
  double lowest = 1.0;
  int tick;
  must(tocsin_environment_create(&table, 1, &room));
  must(tocsin_skeleton_create(1, &name, &parent, &rest, &skeleton));
  must(tocsin_avatar_create("probe", skeleton, &ball, 1, &avatar));
  must(tocsin_member_create(avatar, NULL, NULL, &member));
  must(tocsin_detector_create(room, NULL, &detector));
  must(tocsin_stream_create(detector, member, NULL, &stream));
  must(tocsin_reports_create(&reports));
  for (tick = 1; tick <= 1000; ++tick) {
    device.x = -0.5 + 0.001 * tick;                /* along the table ... */
    device.y = 0.3 * cos(tick * 0.00628318530718); /* ... into it, to 0.3 m below, and out again */
    move(&proxy, device);                          /* on the straight way, */
    move(&proxy, (tocsin_vec3){device.x, fmax(device.y, proxy.y), device.z}); /* then along it */
    lowest = fmin(lowest, proxy.y);
    if (tick % 250 == 0) printf("%4d ms: %7.2f N\n", tick, STIFFNESS * (proxy.y - device.y));
  }
  printf("lowest %.4f m\n", lowest);
  return lowest >= RADIUS && lowest < RADIUS + 3 * GAP && fabs(proxy.y - device.y) < 1e-12 ? 0 : 1;
}
