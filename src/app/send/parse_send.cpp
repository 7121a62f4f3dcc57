// The arguments of `tocsin send`.
#include <algorithm>
#include <limits>

#include "app/check/check_arguments.h"
#include "app/cli/parse_command.h"
#include "app/cli/server_arguments.h"

namespace tocsin::app {
namespace {

constexpr const char* kSendExamples = R"(Examples:
  A take, live, at its own pace, into the only room that a server on this machine has:
    tocsin send take.bvh --to localhost:50051

  The same over a bad network: late, lost and doubled frames leave no gap:
    tocsin send take.bvh --to localhost:50051 --loss 0.05 --jitter 40 --duplicate 0.02

  Every fourth frame, as from a slower camera; the contacts are those of tocsin check --frames ::4:
    tocsin send take.bvh --to localhost:50051 --frames ::4

  A load test: a hundred avatars at 90 Hz for a minute, with the result as JSON:
    tocsin send take.bvh --to localhost:50051 --avatars 100 --rate 90 --seconds 60 --out load.json

  Five hundred avatars of one program, on one stream, each elsewhere in the take:
    tocsin send take.bvh --to localhost:50051 --avatars 500 --one-stream --rate 90 --seconds 60 \
      --stagger

  Twenty avatars, a metre from each other, that are checked against each other and themselves:
    tocsin send take.bvh --to localhost:50051 --avatars 20 --apart 1 --meet --self

  As a headset has it: places in the world, Unity's axes, single precision, lost joints held:
    tocsin send take.bvh --to localhost:50051 --world --axes unity --float --missing 0.02

  A sword in the right hand; the contacts are those of tocsin check --hold:
    tocsin send take.bvh --to localhost:50051 --hold RightHand=sword.obj

  To another machine:
    tocsin send take.bvh --to studio.example:50051 --env stage --tls-ca ca.pem \
      --token-file token.txt

  As a VMC sender would send it, or a suit with Xsens MVN, or in Tocsin's own datagrams:
    tocsin send take.bvh --protocol vmc --to localhost:39539

Exit status: 0 done; 1 a report did not begin where the one before had ended, or a contact found under
--fail-on-contact; 2 wrong usage; 3 an input was refused, here or by the server; 4 could not finish
(no server, a stream that could not be resumed, disk full).
)";

constexpr const char* kSending = "How it is sent";
constexpr double kLeastRate = 1e-3;  // slower, and a take lasts for years
constexpr double kMostRate = 1e6;
constexpr std::int64_t kMostAvatars = 10'000;
constexpr std::int64_t kMostConnections = 256;
constexpr double kMostApart = 1000.0;
constexpr double kMostSeconds = 1e7;
constexpr double kMostJitter = 1e6;
constexpr double kMostNearest = 2.0;  // metres; the server's limit

/// `check`'s groups of options hold some that mean nothing here, or something else.
void leave_out(CLI::App& app, std::initializer_list<const char*> options) {
  for (const char* const name : options) app.remove_option(app.get_option(name));
}

class SendParser final : public CommandParser {
 public:
  explicit SendParser(CLI::App& tocsin)
      : CommandParser(tocsin, "send", "Send a take to a server as if it were live", kSendExamples) {
    CLI::App& a = app();
    question_.add_inputs(a);
    question_.add_question(a);
    question_.add_bodies(a);
    question_.add_running(a);
    question_.add_output(a, "the result as JSON", "a table for people");
    question_.add_fail_on_contact(a);
    leave_out(a, {"--body", "--env", "--env-up", "--env-scale", "--rate", "--sampled", "--threads",
                  "--tree-cache", "--gl-device", "--gl-size", "--gl-method"});
    add_server(a);
    add_sending(a);
  }

  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"--axes", "--missing", "--nearest", "--lookahead", "--to", "--token-file",
                         "--tls-ca", "--tls-cert", "--tls-key", "--out"});
    SendOptions o;
    o.check = question_.resolve(app());
    o.connection = server_.connection();
    o.token_file = server_.token_file();
    o.environment = environment_;
    resolve_sending(o);
    resolve_tracker(o);
    resolve_protocol(o);
    return o;
  }

 private:
  void add_server(CLI::App& a) {
    server_.add_target(a);
    add_text(a, "--env", environment_, "NAME", "The room's name there (the only one)",
             ServerArguments::kGroup);
    server_.add_credentials(a);
  }

  void add_sending(CLI::App& a) {
    add_text(a, "--protocol", protocol_, "grpc|vmc|xsens|udp",
             "How frames are written: as a client of the server, or as motion capture over UDP, "
             "which has no answer (grpc)",
             kSending);
    add_text(a, "--rate", rate_, "HZ|max",
             "Frames a second, or as fast as the server takes them; times in the take stay as they "
             "are (the take's)",
             kSending);
    add_text(a, "--avatars", avatars_, "N",
             "How many avatars at once, each in a session of its own (1)", kSending);
    add_text(a, "--apart", apart_, "METRES",
             "How far the avatars stand from each other, on a square grid from --place on (0)",
             kSending);
    add_text(a, "--seconds", seconds_, "S",
             "Play the take forwards and backwards for S seconds (once, to its end)", kSending);
    a.add_flag(
         "--stagger", stagger_,
         "Each avatar begins elsewhere in the take, evenly spread: with --seconds. Else all do "
         "the same at the same time")
        ->group(kSending);
    add_text(a, "--loss", loss_, "P", "Share of the frames that never arrive, 0 to 1 (0)",
             kSending);
    add_text(a, "--jitter", jitter_, "MS",
             "Frames are late by up to MS milliseconds; later ones overtake them (0)", kSending);
    add_text(a, "--duplicate", duplicates_, "P", "Share of the frames that come twice (0)",
             kSending);
    add_seed(a, seed_, "which frames are lost, late or doubled", kSending);
    add_text(a, "--connections", connections_, "N", "TCP connections that the avatars share (one)",
             kSending);
    a.add_flag("--one-stream", one_stream_,
               "The avatars share one stream (of each of --connections: one), and their frames "
               "come at the "
               "same times: as a game server has them")
        ->group(kSending);
    a.add_flag("--no-coalesce", no_coalesce_,
               "Under overload the server shall end the stream instead of skipping frames")
        ->group(kSending);
    a.add_flag(
         "--meet", meet_,
         "Check against all other sessions of the room that ask for it, at the server's ticks")
        ->group(kSending);
    a.add_flag("--float", floats_,
               "Send 32-bit floats, half as long: what is sent is what is checked")
        ->group(kSending);
    a.add_flag("--linked-joints", linked_only_,
               "Send only the joints that the avatar's links hang on; the others are as at rest")
        ->group(kSending);
    a.add_flag("--world", world_, "Send each joint's place in the world, as OpenXR has it")
        ->group(kSending);
    add_text(a, "--axes", axes_, "AXES",
             "Send poses on a tracker's axes: unity, unreal, z-up, or along which of Tocsin's axes "
             "its own point, X,Y,Z[,METRES], such as -x,y,z (Tocsin's)",
             kSending);
    add_text(a, "--missing", missing_, "P[,held|bad]",
             "Share of the joints that frames lack, as a tracker loses them: they are held, or the "
             "frames are bad (0)",
             kSending);
    question_.add_own_links(a, kSending);
    add_text(a, option::kNearest, nearest_, "What is checked");
    add_text(
        a, "--lookahead", lookahead_, "S",
        "Also what would be touched if the motion went on for S seconds, at most 1, and how much "
        "of it then was",
        "What is checked");
  }

  /// What is checked, and how, is the server's to say of motion capture.
  void resolve_protocol(SendOptions& o) const {
    if (protocol_ == "grpc") return;
    const auto* const named =
        std::find(service::kLiveNames.begin(), service::kLiveNames.end(), protocol_);
    if (named == service::kLiveNames.end()) {
      throw UsageError{fmt::format("--protocol: expected grpc, vmc, xsens or udp, found \"{}\"",
                                   base::printable(protocol_))};
    }
    o.protocol = static_cast<service::LiveProtocol>(named - service::kLiveNames.begin());
    constexpr std::string_view kMeant[] = {
        "--to",       "--protocol", "--rate",      "--seconds",     "--loss",
        "--jitter",   "--seed",     "--duplicate", "--motion-unit", "--motion-up",
        "--skeleton", "--clip",     "--skin",      "--frames"};
    for (const CLI::Option* const option : app().get_options()) {
      const std::string name = option->get_name();
      const bool meant = std::find(std::begin(kMeant), std::end(kMeant), name) != std::end(kMeant);
      if (option->count() == 0 || option->get_positional() || meant) continue;
      throw UsageError{
          fmt::format("{}: is the server's to say with --protocol {}", name, protocol_)};
    }
    if (rate_ == "max") throw UsageError{"--rate max: over UDP nothing slows the sender down"};
  }

  void resolve_sending(SendOptions& o) const {
    if (rate_ == "max") {
      o.rate = std::numeric_limits<double>::infinity();
    } else if (!rate_.empty()) {
      o.rate = parse_number_in("--rate", rate_, kLeastRate, kMostRate, "from 0.001 to 1e6, or max");
    }
    o.avatars = static_cast<int>(parse_whole("--avatars", avatars_, 1, kMostAvatars));
    if (!connections_.empty()) {
      o.connections =
          static_cast<int>(parse_whole("--connections", connections_, 1, kMostConnections));
    }
    o.apart = parse_length_in("--apart", apart_, 0.0, kMostApart, "from 0 to 1000 (metres)");
    o.seconds = parse_number_in("--seconds", seconds_, 0.0, kMostSeconds, "from 0 to 1e7");
    o.loss = parse_number_in("--loss", loss_, 0.0, 1.0, "from 0 to 1");
    o.jitter =
        parse_number_in("--jitter", jitter_, 0.0, kMostJitter, "from 0 to 1e6 (milliseconds)");
    o.duplicates = parse_number_in("--duplicate", duplicates_, 0.0, 1.0, "from 0 to 1");
    if (!nearest_.empty()) {
      o.nearest = parse_length_in("--nearest", nearest_, kLeast, kMostNearest,
                                  "above 0, at most 2 (metres)");
    }
    if (!lookahead_.empty()) o.lookahead = parse_lookahead("--lookahead", lookahead_);
    o.seed = parse_seed("--seed", seed_);
    o.coalesce = !no_coalesce_;
    o.one_stream = one_stream_;
    o.floats = floats_;
    o.linked_only = linked_only_;
    o.meet = meet_;
    o.stagger = stagger_;
    if (o.avatars == 1 && app().count("--apart") > 0) {
      throw UsageError{"--apart: is between several avatars (--avatars); there is one"};
    }
    if (stagger_ && (o.avatars == 1 || o.seconds <= 0.0)) {
      throw UsageError{
          "--stagger: is of several avatars (--avatars) that play the take for some time "
          "(--seconds)"};
    }
    if (meet_ && no_coalesce_) {
      throw UsageError{"--meet and --no-coalesce: at a tick frames between are skipped"};
    }
    if (meet_ && o.check.spec.clearance) {
      throw UsageError{"--meet and --clearance: distances to the others are not measured"};
    }
    if (rate_ == "max" && o.jitter > 0.0) {
      throw UsageError{"--jitter: nothing is late without a pace (--rate max)"};
    }
  }

  void resolve_tracker(SendOptions& o) const {
    o.tracker.poses.world = world_;
    if (!axes_.empty()) o.tracker.poses.axes = parse_axes("--axes", axes_);
    if (!missing_.empty()) parse_missing("--missing", missing_, o.tracker);
    if (world_ && linked_only_) {
      throw UsageError{
          "--world and --linked-joints: a place in the world is of no use without those above it"};
    }
  }

  CheckArguments question_;
  ServerArguments server_;
  std::string environment_;
  std::string protocol_ = "grpc";
  std::string rate_;
  std::string avatars_ = "1";
  std::string apart_ = "0";
  std::string seconds_ = "0";
  std::string loss_ = "0";
  std::string jitter_ = "0";
  std::string duplicates_ = "0";
  std::string seed_ = "1";
  std::string axes_;
  std::string missing_;
  std::string connections_;
  std::string nearest_;
  std::string lookahead_;
  bool one_stream_ = false;
  bool stagger_ = false;
  bool floats_ = false;
  bool linked_only_ = false;
  bool no_coalesce_ = false;
  bool meet_ = false;
  bool world_ = false;
};

}  // namespace

std::unique_ptr<CommandParser> send_parser(CLI::App& tocsin) {
  return std::make_unique<SendParser>(tocsin);
}

}  // namespace tocsin::app
