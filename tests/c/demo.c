/* A C99 program: checks a take in a room, files given, and prints how many contacts there are and
   the hash of their bytes (FNV-1a, 64 bits). Then the same contacts step by step through a stream.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tocsin/tocsin_c.h"

static uint64_t hash_of(const void* data, size_t size, uint64_t hash) {
  const unsigned char* byte = data;
  size_t i;
  for (i = 0; i < size; ++i) hash = (hash ^ byte[i]) * UINT64_C(0x100000001B3);
  return hash;
}

struct tally {
  uint64_t hash;
  size_t contacts;
  size_t steps;
};

static void must(tocsin_status status) {
  if (status == TOCSIN_OK) return;
  fprintf(stderr, "%s: %s\n", tocsin_status_name(status), tocsin_last_error());
  exit(1);
}

static int32_t add_report(void* user, tocsin_reports reports) {
  struct tally* tally = user;
  tocsin_contact contacts[64];
  size_t count = 0;
  contacts[0].size = sizeof contacts[0];
  must(tocsin_reports_contacts(reports, 0, contacts, 64, &count));
  tally->hash = hash_of(contacts, count * sizeof contacts[0], tally->hash);
  tally->contacts += count;
  ++tally->steps;
  return 1;
}

/* The same poses one by one, as if they came live. Frame 0 gives a step that does not move. */
static void push_poses(tocsin_motion motion, tocsin_stream stream, struct tally* tally) {
  tocsin_transform poses[256];
  tocsin_reports reports;
  int64_t frames = 0;
  int64_t frame;
  size_t joints = 0;
  must(tocsin_reports_create(&reports));
  must(tocsin_motion_frame_count(motion, &frames));
  for (frame = 0; frame < frames; ++frame) {
    must(tocsin_motion_pose(motion, frame, poses, 256, &joints));
    must(tocsin_stream_push(stream, poses, joints, (double)frame, NULL, reports));
    add_report(tally, reports);
  }
  must(tocsin_destroy(reports));
}

int main(int argc, char** argv) {
  struct tally whole = {UINT64_C(0xCBF29CE484222325), 0, 0};
  struct tally live = {UINT64_C(0xCBF29CE484222325), 0, 0};
  tocsin_motion motion;
  tocsin_environment room;
  tocsin_avatar avatar;
  tocsin_member member;
  tocsin_detector detector;
  tocsin_stream stream;
  if (argc != 3) return 2;
  must(tocsin_motion_load(argv[1], NULL, &motion));
  must(tocsin_environment_load(argv[2], NULL, &room));
  must(tocsin_avatar_load_for("auto", motion, &avatar));
  must(tocsin_member_create(avatar, NULL, NULL, &member));
  must(tocsin_detector_create(room, NULL, &detector));
  must(tocsin_detector_run(detector, member, motion, NULL, NULL, add_report, &whole));
  must(tocsin_stream_create(detector, member, NULL, &stream));
  push_poses(motion, stream, &live);
  must(tocsin_destroy(stream));
  must(tocsin_destroy(detector));
  must(tocsin_destroy(member));
  must(tocsin_destroy(avatar));
  must(tocsin_destroy(room));
  must(tocsin_destroy(motion));
  if (tocsin_handle_count() != 0 || whole.steps + 1 != live.steps || whole.hash != live.hash)
    return 1;
  printf("%lu contacts %016llx\n", (unsigned long)whole.contacts, (unsigned long long)whole.hash);
  return 0;
}
