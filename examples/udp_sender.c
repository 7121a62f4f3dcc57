/* Sends an arm that swings for a second to `tocsin serve --udp PORT=ROOM,skeleton=udp_arm.bvh`, in
   datagrams of the form tocsin.udp.v1 (docs/reference/live-protocols.md). Usage: udp_sender ADDRESS
   PORT. For machines whose least significant byte comes first. */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { JOINTS = 4, FRAMES = 100 }; /* Shoulder, Elbow, Wrist, Wrist_end: in the order of the file */

struct frame { /* 108 bytes, no gaps */
  char magic[8];
  uint32_t stream; /* another number for each run */
  uint16_t joints, positions;
  uint64_t sequence;
  double seconds;
  float rotations[JOINTS][4]; /* w, x, y, z: joint to parent */
  float position[3];          /* of the root, metres */
};

int main(int count, char** words) {
  if (count != 3) return fprintf(stderr, "usage: udp_sender ADDRESS PORT\n"), 2;
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[2]))};
  const int udp = socket(AF_INET, SOCK_DGRAM, 0);
  if (udp < 0 || inet_pton(AF_INET, words[1], &to.sin_addr) != 1) return perror(words[1]), 1;
  for (int i = 0; i < FRAMES; ++i) {
    struct frame frame = {.stream = (uint32_t)getpid(), .joints = JOINTS, .positions = 1};
    memcpy(frame.magic, "TOCSINU1", 8);
    frame.sequence = (uint64_t)i;
    frame.seconds = 0.01 * i;
    const double turn = 0.5 * sin(6.2831853 * frame.seconds); /* half of the angle, about y */
    for (int j = 0; j < JOINTS; ++j) frame.rotations[j][0] = 1.0F;
    frame.rotations[0][0] = (float)cos(turn);
    frame.rotations[0][2] = (float)sin(turn);
    frame.position[1] = 1.4F;
    const size_t size = offsetof(struct frame, position) + sizeof frame.position;
    if (sendto(udp, &frame, size, 0, (struct sockaddr*)&to, sizeof to) < 0)
      return perror("sendto"), 1;
    nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
  }
  printf("sent %d frames\n", FRAMES);
  return 0;
}
