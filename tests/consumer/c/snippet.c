/* The C that docs/c.md shows, as it stands there. */
/* [snippet] */
#include <stdio.h>
#include <tocsin/tocsin_c.h>

static int failed(tocsin_status status) {
  if (status != TOCSIN_OK) fprintf(stderr, "%s\n", tocsin_last_error());
  return status != TOCSIN_OK;
}

int main(void) {
  /* A room of one wall at x = 0.6 m, two triangles. */
  const tocsin_vec3f corners[] = {{0.6f, -1, -1}, {0.6f, -1, 1}, {0.6f, 1, 1}, {0.6f, 1, -1}};
  const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
  const tocsin_object wall = {sizeof wall, 0, "wall", corners, 4, triangles, 2};
  /* An avatar: two joints, the second 0.3 m above the first, and one link between them. */
  const char* names[] = {"hip", "head"};
  const int32_t parents[] = {-1, 0};
  tocsin_transform pose[] = {{{1, 0, 0, 0}, {0, 0, 0}}, {{1, 0, 0, 0}, {0, 0.3, 0}}};
  const tocsin_link body = {sizeof body, 0, "body", {0, 0, 0}, {0, 0.3, 0}, 0.1, NULL};

  tocsin_environment room;
  tocsin_skeleton skeleton;
  tocsin_avatar avatar;
  tocsin_member member;
  tocsin_detector detector;
  tocsin_stream stream;
  tocsin_reports reports;
  tocsin_contact contacts[16];
  size_t count, i;
  int frame;
  if (failed(tocsin_environment_create(&wall, 1, &room)) ||
      failed(tocsin_skeleton_create(2, names, parents, pose, &skeleton)) ||
      failed(tocsin_avatar_create("figure", skeleton, &body, 1, &avatar)) ||
      failed(tocsin_member_create(avatar, NULL, NULL, &member)) ||
      failed(tocsin_detector_create(room, NULL, &detector)) ||
      failed(tocsin_stream_create(detector, member, NULL, &stream)) ||
      failed(tocsin_reports_create(&reports))) {
    return 1;
  }
  contacts[0].size = sizeof contacts[0];
  for (frame = 0; frame < 3; ++frame) { /* live: a pose a frame, 0.4 m further each */
    pose[0].translation.x = 0.4 * frame;
    if (failed(tocsin_stream_push(stream, pose, 2, frame, NULL, reports))) return 1;
    if (failed(tocsin_reports_contacts(reports, 0, contacts, 16, &count))) return 1;
    for (i = 0; i < count; ++i) {
      printf("frame %d: touches at %.6f of the step, x = %.3f m\n", frame, contacts[i].toc[1],
             contacts[i].point.x);
    }
  }
  tocsin_destroy(reports);
  tocsin_destroy(stream);
  tocsin_destroy(detector);
  tocsin_destroy(member);
  tocsin_destroy(avatar);
  tocsin_destroy(skeleton);
  tocsin_destroy(room);
  return tocsin_handle_count() == 0 ? 0 : 1;
}
/* [end] */
