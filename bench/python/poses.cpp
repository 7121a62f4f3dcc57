// What `bench/python/poses.py` measures, in C++: a take of many poses that lie in memory as an
// array is made a motion, and checked. Prints the seconds of each, those of processors that both
// took, and how many contacts there are.
//   bench_python TAKE ROOM FRAMES [THREADS]

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <span>
#include <string>
#include <vector>

#include "tocsin/tocsin.h"

namespace {

using Clock = std::chrono::steady_clock;
using tocsin::Transform;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The take forth and back and forth, so that it never jumps.
std::vector<double> long_array(const tocsin::Motion& take, std::int64_t frames) {
  const std::int64_t turn = 2 * (take.frame_count() - 1);
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(frames * take.skeleton().size() * 7));
  for (std::int64_t f = 0; f < frames; ++f) {
    const std::int64_t at = f % turn;
    for (const Transform& t : take.pose(at < take.frame_count() ? at : turn - at)) {
      const auto& [q, p] = t;
      out.insert(out.end(), {q.w, q.x, q.y, q.z, p.x, p.y, p.z});
    }
  }
  return out;
}

int run(const std::string& file, const std::string& room, std::int64_t frames, int threads) {
  const tocsin::Motion take = tocsin::load_motion(file).value();
  const auto avatar = tocsin::choose_bound_avatar(take).value().avatar;
  const auto detector =
      tocsin::Detector::make(tocsin::load_environment(room).value(),
                             {.backend = tocsin::Backend::kCpu, .threads = threads})
          .value();
  const std::vector<double> array = long_array(take, frames);

  const std::clock_t worked = std::clock();  // all threads
  const auto begin = Clock::now();
  const auto* const first = reinterpret_cast<const Transform*>(array.data());
  const auto motion =
      tocsin::Motion::create(take.skeleton(), take.frame_time(),
                             std::vector<Transform>(first, first + array.size() / 7))
          .value();
  const auto steps = motion.steps().value();
  const double made = seconds_since(begin);
  std::vector<tocsin::Contact> contacts;
  const auto checked_from = Clock::now();
  const auto done = detector.run(avatar, steps, {.threads = threads}, [&](const auto& report) {
    contacts.insert(contacts.end(), report.contacts.begin(), report.contacts.end());
    return true;
  });
  static_cast<void>(done.value());
  const double checked = seconds_since(checked_from);
  const double work = static_cast<double>(std::clock() - worked) / CLOCKS_PER_SEC;
  fmt::print("{} {} {} {}\n", made, checked, work, contacts.size());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  try {
    return run(argv[1], argv[2], std::atoll(argv[3]), argc > 4 ? std::atoi(argv[4]) : 0);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_python: {}\n", error.what());
    return 3;
  }
}
