#include "app/send/datagrams/send_datagrams.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <random>
#include <thread>
#include <utility>

#include "app/check/take_words.h"
#include "app/cli/saved.h"
#include "app/cli/words.h"
#include "app/send/datagrams/packets.h"
#include "app/send/send_schedule.h"
#include "base/output_file.h"
#include "service/live/udp_sender.h"
#include "tocsin/io.h"

namespace tocsin::app {
namespace {

constexpr std::string_view kSendDatagrams = "tocsin send";

struct Sent {
  std::uint64_t frames = 0;
  std::uint64_t datagrams = 0;
  double seconds = 0.0;
};

/// False: it was interrupted.
bool wait_until(std::chrono::steady_clock::time_point due, const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kSlice{100};  // in which an interrupt is noticed
  while (!stop.stop_requested()) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= due) return true;
    std::this_thread::sleep_until(std::min(due, now + kSlice));
  }
  return false;
}

Result<Sent> send_all(const SendOptions& options, const Playback& playback, const Packets& packets,
                      const service::UdpSender& to, const std::stop_token& stop) {
  const Chances chances{options.loss, options.jitter / 1e3, options.duplicates, options.seed};
  SendSchedule schedule(playback, chances, 0, 0.0);
  const auto start = std::chrono::steady_clock::now();
  Sent out;
  while (const auto event = schedule.next()) {
    const std::chrono::duration<double> due(event->due);
    if (!wait_until(start + std::chrono::ceil<std::chrono::nanoseconds>(due), stop)) break;
    const auto datagrams =
        packets.of(playback.id(event->frame), playback.capture_time(event->frame),
                   playback.pose(event->frame));
    for (const std::string& datagram : datagrams) {
      if (auto sent = to.send(datagram); !sent) return sent.error();
    }
    ++out.frames;
    out.datagrams += datagrams.size();
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

Result<Sent> load_and_send(const SendOptions& options, const std::stop_token& stop) {
  const Take& take = options.check.takes.front();
  auto motion = load_motion(take.motion, take.reading);
  if (!motion) return motion.error();
  print_warnings(kSendDatagrams, motion->source().warnings);
  FrameRange frames = take.frames;
  if (const auto said = settle_rest_frame(take, *motion, frames)) {
    print_warning(kSendDatagrams, *said);
  }
  if (const auto steps = motion->steps({frames.first, frames.last, frames.stride}); !steps) {
    return Error{steps.error().code, "--frames: " + steps.error().message};
  }
  const auto packets = make_packets(*options.protocol, *motion, std::random_device{}());
  if (!packets) return packets.error();
  const auto to = service::UdpSender::to(options.connection.target);
  if (!to) return Error{to.error().code, "--to: " + to.error().message};
  const Playback playback(std::move(motion).value(), options.rate, options.seconds, frames);
  return send_all(options, playback, **packets, **to, stop);
}

}  // namespace

ExitStatus run_send_datagrams(const SendOptions& options, const std::stop_token& stop) {
  const auto sent = load_and_send(options, stop);
  if (!sent) return report_failure(kSendDatagrams, sent.error());
  const Status said = base::write_to_standard_output(fmt::format(
      "sent {} in {} to {} ({}) in {} s; no answer comes\n",
      count_of(static_cast<std::int64_t>(sent->frames), "frame"),
      count_of(static_cast<std::int64_t>(sent->datagrams), "datagram"), options.connection.target,
      service::kLiveNames[static_cast<std::size_t>(*options.protocol)], brief(sent->seconds)));
  if (!said) return report_failure(kSendDatagrams, said.error());
  return stop.stop_requested() ? kUnfinished : kDone;
}

}  // namespace tocsin::app
