// `tocsin serve` as its operator sees it: the line that says where it listens, clients, signals,
// and what is left afterwards.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <mutex>

#include "cli/scenes.h"
#include "cli/serve/live_pole.h"
#include "service/access/test_certificates.h"
#include "soak/serve_process.h"
#include "support/eventually.h"
#include "support/net/hostile_visits.h"
#include "tocsin/client.h"
#include "tocsin/io.h"

namespace tocsin::test {
namespace {

namespace fs = std::filesystem;

TEST(Serve, SaysWhereItListensChecksAndEndsOnSigterm) {
  const PoleScene scene;
  ServeProcess server({"--env", "pole=" + scene.full("room.obj"), "--record", scene.full("records"),
                       "--max-sessions", "100"},
                      scene.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  EXPECT_TRUE(matches(server.said(),
                      "^listening on 127\\.0\\.0\\.1:[0-9]+, 1 room \\(pole: 6 triangles\\)\n$"))
      << server.said();
  {
    const Connection connection = connect(server);
    Pole pole(scene);
    auto session = connection.track(pole.options, pole.handler);
    ASSERT_TRUE(session.ok()) << session.error().message;
    EXPECT_TRUE(session->send(pole.frames()).ok());
    EXPECT_TRUE(session->finish().ok());
    ASSERT_TRUE(session->wait(kTimeLimit));
    EXPECT_EQ(pole.end(), StreamEnd::kEnded);
    EXPECT_EQ(pole.steps(), 8U);
    EXPECT_EQ(pole.contacts(), 8U);  // worked out in scenes.h
    EXPECT_TRUE(contains(pole.ended().record, ".poses")) << pole.ended().record;
  }
  server.send(SIGTERM);
  EXPECT_EQ(server.wait(60.0), 0) << server.log();
  const std::string log = server.log();
  EXPECT_TRUE(contains(log, "room pole: 6 triangles, 3 objects, ready in ")) << log;
  EXPECT_TRUE(contains(log, " checks: ")) << log;  // what, and why
  EXPECT_TRUE(contains(log, "ended: 1 session in all, 8 steps, 8 contacts, 0 frames skipped"))
      << log;
  EXPECT_EQ(lines_of(log).size(), 3U) << log;

  // What it kept stands by itself.
  std::size_t reports = 0;
  for (const auto& entry : fs::directory_iterator(scene.full("records"))) {
    if (entry.path().extension() != ".jsonl") continue;
    ++reports;
    const CommandResult verified = run_tocsin({"verify", entry.path().string()});
    EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  }
  EXPECT_EQ(reports, 1U);
}

TEST(Serve, AStreamIsToldAndWhatIsInFlightIsChecked) {
  const PoleScene scene;
  ServeProcess server({"--env", scene.full("room.obj")}, scene.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  const Connection connection = connect(server);
  EXPECT_EQ(connection.health().value(), "SERVING");
  Pole pole(scene);
  auto session = connection.track(pole.options, pole.handler);
  ASSERT_TRUE(session.ok()) << session.error().message;
  EXPECT_TRUE(session->send(pole.frames()).ok());
  ASSERT_TRUE(eventually([&] { return pole.steps() == 8; }));
  server.send(SIGINT);
  ASSERT_TRUE(session->wait(kTimeLimit));
  EXPECT_EQ(pole.end(), StreamEnd::kClosing);
  EXPECT_EQ(server.wait(60.0), 0);
  EXPECT_TRUE(contains(server.log(), "ending: 1 stream")) << server.log();
  EXPECT_TRUE(contains(server.log(), "8 steps, 8 contacts")) << server.log();
  EXPECT_TRUE(contains(server.log(), "0 frames left unchecked")) << server.log();
}

TEST(Serve, SaysThatOthersReachIt) {
  for (const std::string address : {"0.0.0.0:0", "127.0.0.1:0"}) {
    const CommandResult result =
        run_tocsin({"serve", "--listen", address, "--insecure", "--env", "none.obj"});
    EXPECT_EQ(result.status, 3);
    EXPECT_EQ(contains(result.err, "put deploy/haproxy.cfg before it"), address != "127.0.0.1:0")
        << result.err;
  }
}

TEST(Serve, IdleItSaysNothingAndQuietNotEvenThatItEnds) {
  const PoleScene scene;
  ServeProcess server({"--env", scene.full("room.obj"), "--quiet"}, scene.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  EXPECT_EQ(server.log(), "");
  server.send(SIGTERM);
  EXPECT_EQ(server.wait(60.0), 0);
  EXPECT_EQ(lines_of(server.log()).size(), 1U) << server.log();  // the summary
}

TEST(Serve, RoomsComeAndGo) {
  const PoleScene scene;
  fs::create_directories(scene.full("rooms"));
  fs::copy_file(scene.full("room.obj"), scene.full("rooms/one.obj"));
  ServeProcess server({"--environments", scene.full("rooms")}, scene.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  EXPECT_TRUE(contains(server.said(), ", no room yet\n")) << server.said();
  const Connection connection = connect(server);
  const std::vector<std::string> path{"one.obj"};
  const auto loaded = connection.load_environment("one", path);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(loaded->triangles, 6U);
  const auto uploaded =
      connection.upload_environment("two", scene.full("room.obj"), {2.0, UpAxis::kY});
  ASSERT_TRUE(uploaded.ok()) << uploaded.error().message;
  EXPECT_EQ(uploaded->most.x, 10.0);  // the floor reaches to 5
  EXPECT_EQ(connection.environments()->size(), 2U);
  EXPECT_FALSE(connection.load_environment("one", path).ok());
  const std::vector<std::string> outside{"../room.obj"};
  const auto refused = connection.load_environment("three", outside);
  EXPECT_TRUE(contains(refused.error().message, "leads out")) << refused.error().message;
  EXPECT_TRUE(connection.unload_environment("one").ok());
  EXPECT_EQ(connection.environments()->size(), 1U);
  server.send(SIGTERM);
  EXPECT_EQ(server.wait(60.0), 0) << server.log();
}

TEST(Serve, TokensLetInAndAreNotLogged) {
  const PoleScene scene;
  const std::string tokens = scene.write(
      "tokens.json",
      R"({"format":"tocsin.tokens.v1","tokens":[{"name":"studio","token":"the-secret-of-a-studio"}]})");
  ASSERT_EQ(::chmod(tokens.c_str(), 0600), 0);
  ServeProcess server({"--env", scene.full("room.obj"), "--tokens", tokens}, scene.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  EXPECT_EQ(connect(server, "the-secret-of-a-studio").environments()->size(), 1U);
  EXPECT_FALSE(connect(server, "the-secret-of-a-guesser").environments().ok());
  EXPECT_FALSE(connect(server).environments().ok());
  server.send(SIGTERM);
  EXPECT_EQ(server.wait(60.0), 0) << server.log();
  EXPECT_FALSE(contains(server.log(), "the-secret")) << server.log();
}

std::string tokens_text(const std::string& token) {
  return R"({"format":"tocsin.tokens.v1","tokens":[{"name":"studio","token":")" + token + R"("}]})";
}

TEST(Serve, HangupReadsTheTokensAgainAndEndsNoStream) {
  const PoleScene scene;
  const std::string before = "the-token-of-before";
  const std::string after = "the-token-of-after";
  const std::string tokens = scene.write("tokens.json", tokens_text(before));
  ASSERT_EQ(::chmod(tokens.c_str(), 0600), 0);
  ServeProcess server({"--env", scene.full("room.obj"), "--tokens", tokens}, scene.full("log"));
  server.send(SIGHUP);  // as soon as it has said where it listens
  ASSERT_FALSE(server.address().empty()) << server.log();
  ASSERT_TRUE(eventually([&] { return contains(server.log(), ": 1 token (0 new, 0 changed"); }));
  const Connection connection = connect(server, before);
  Pole pole(scene);
  auto session = connection.track(pole.options, pole.handler);
  ASSERT_TRUE(session.ok()) << session.error().message;
  ASSERT_TRUE(eventually([&] { return connection.environments().value()[0].sessions == 1; }));

  scene.write("tokens.json", "{");
  server.send(SIGHUP);
  ASSERT_TRUE(eventually([&] { return contains(server.log(), "the tokens of before stay: "); }));
  EXPECT_TRUE(connect(server, before).environments().ok());

  scene.write("tokens.json", tokens_text(after));
  server.send(SIGHUP);
  ASSERT_TRUE(eventually([&] { return contains(server.log(), ": 1 token (0 new, 1 changed"); }));
  EXPECT_FALSE(connect(server, before).environments().ok());
  EXPECT_TRUE(connect(server, after).environments().ok());
  EXPECT_TRUE(session->send(pole.frames()).ok());
  EXPECT_TRUE(session->finish().ok());
  ASSERT_TRUE(session->wait(kTimeLimit));
  EXPECT_EQ(pole.end(), StreamEnd::kEnded);
  EXPECT_EQ(pole.steps(), 8U);
  server.send(SIGTERM);
  EXPECT_EQ(server.wait(60.0), 0) << server.log();
}

/// Also while it waits as a lame duck.
TEST(Serve, HangupReadsTheCertificatesAgain) {
  const PoleScene scene;
  const TestIdentity before = make_identity({.common_name = "server"});
  const TestIdentity after = make_identity({.common_name = "server"});
  scene.write("server.pem", before.certificate);
  scene.write("server.key", before.key);
  scene.write("before.pem", before.certificate);
  scene.write("after.pem", after.certificate);
  ServeProcess server({"--env", scene.full("room.obj"), "--tls-cert", scene.full("server.pem"),
                       "--tls-key", scene.full("server.key"), "--lame-duck", "600"},
                      scene.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  const auto serves = [&](const std::string& authority, std::chrono::seconds limit = kTimeLimit) {
    const auto connection = Connection::open(
        {.target = server.address(), .ca = scene.full(authority), .timeout = limit});
    return connection.ok() && connection->environments().ok();
  };
  EXPECT_TRUE(serves("before.pem"));
  scene.write("server.key", after.key);
  server.send(SIGHUP);
  ASSERT_TRUE(
      eventually([&] { return contains(server.log(), "the certificates of before stay: "); }));
  EXPECT_TRUE(serves("before.pem"));
  server.send(SIGTERM);
  ASSERT_TRUE(eventually([&] { return contains(server.log(), "not ready any more"); }));
  scene.write("server.pem", after.certificate);
  server.send(SIGHUP);
  ASSERT_TRUE(eventually([&] { return contains(server.log(), "certificates read again"); }));
  EXPECT_TRUE(serves("after.pem"));
  EXPECT_FALSE(serves("before.pem", std::chrono::seconds(3)));
  EXPECT_TRUE(server.running());
}

TEST(Serve, ASecondSignalEndsItAtOnce) {
  const PoleScene scene;
  ServeProcess server({"--env", scene.full("room.obj"), "--grace", "600"}, scene.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  const Connection connection = connect(server);
  // A client that takes nothing, not even that its session is open: its end is waited for.
  RawCall deaf(server.address(), kTrackPath, 0);
  deaf.send(grpc_message(sound_open("room")));
  ASSERT_TRUE(eventually([&] { return connection.environments().value()[0].sessions == 1; }));
  server.send(SIGTERM);
  ASSERT_TRUE(eventually([&] { return contains(server.log(), "ending: "); }));
  // What came within half a second would be the same request.
  ASSERT_EQ(server.wait(0.7), -1) << server.log();
  server.send(SIGTERM);
  EXPECT_EQ(server.wait(60.0), 4);
  EXPECT_TRUE(contains(server.log(), "ended at once")) << server.log();
}

TEST(Serve, WithoutGraceWhatIsPendingIsLeftAndCounted) {
  const LongScene scene;
  ServeProcess server({"--env", scene.full("room.obj"), "--grace", "0", "--max-pending", "100000"},
                      scene.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  const Connection connection = connect(server);
  Pole pole(scene);
  pole.options.spec.clearance = true;
  auto session = connection.track(pole.options, pole.handler);
  ASSERT_TRUE(session.ok()) << session.error().message;
  EXPECT_TRUE(session->send(pole.frames()).ok());
  ASSERT_TRUE(eventually([&] { return pole.steps() > 0; })) << server.log();
  server.send(SIGTERM);
  EXPECT_EQ(server.wait(60.0), 0);
  EXPECT_FALSE(contains(server.log(), "; 0 frames left")) << server.log();
}

TEST(Serve, HelpNamesEveryOption) {
  const std::string help = run_tocsin({"serve", "--help"}).out;
  for (const std::string option :
       {"--listen",      "--env",         "--env-up",       "--env-scale",   "--environments",
        "--default-env", "--tree-cache",  "--tls-cert",     "--tls-key",     "--client-ca",
        "--tokens",      "--insecure",    "--max-sessions", "--max-pending", "--session-ttl",
        "--max-upload",  "--max-message", "--threads",      "--batch-size",  "--batch-delay",
        "--record",      "--grace",       "--quiet",        "--backend",     "--emulate"}) {
    EXPECT_TRUE(contains(help, "  " + option)) << option;
  }
  for (const std::string& line : lines_of(help)) EXPECT_LE(line.size(), 110U) << line;
}

struct BadStart {
  std::vector<std::string> arguments;
  int status;
  std::string part;  ///< of the message
};

TEST(Serve, WhatIsWrongIsSaidBeforeItListens) {
  const PoleScene scene;
  scene.write("broken.obj", "v 1 2 x\n");
  scene.write("tokens.json", "{}");
  scene.write("no.pem", "no certificate");
  ASSERT_EQ(::chmod(scene.full("tokens.json").c_str(), 0644), 0);
  ServeProcess other({"--env", scene.full("room.obj"), "--quiet"}, scene.full("log"));
  ASSERT_FALSE(other.address().empty()) << other.log();
  const std::vector<BadStart> cases{
      {{"--env", "none.obj"}, 3, "none.obj: cannot be opened"},
      {{"--env", "broken.obj"}, 3, "broken.obj:1: "},
      {{"--env", "room.obj", "--env", "./room.obj"}, 2, "two rooms would be called room"},
      {{"--env", "a=room.obj", "--env", "./a.obj"}, 2, "two rooms would be called a"},
      {{"--env", "my room.obj"}, 2, "NAME=my room.obj"},
      {{"--env", ""}, 2, "--env: the value is empty"},
      {{"--env", "a="}, 2, "names no file"},
      {{"--env-scale", "0"}, 2, "above 0"},
      {{"--env", "room.obj", "--default-env", "hall"}, 2, "no --env is called \"hall\""},
      {{"--listen", "nowhere"}, 2, "\"nowhere\""},
      {{"--listen", "127.0.0.1:70000"}, 2, "70000"},
      {{"--listen", "0.0.0.0:0"}, 2, "--insecure"},
      {{"--listen", "0.0.0.0:0", "--tls-cert", "no.pem", "--tls-key", "no.pem"}, 2, "--tokens"},
      {{"--listen", other.address()}, 4, other.address()},
      {{"--tls-cert", "no.pem"}, 2, "key"},
      {{"--tls-cert", "no.pem", "--tls-key", "no.pem"}, 3, "no.pem"},
      {{"--env", "broken.obj", "--tls-cert", "no.pem", "--tls-key", "no.pem"}, 3, "no.pem"},
      {{"--tls-cert", "none.pem", "--tls-key", "none.pem"}, 3, "none.pem"},
      {{"--client-ca", "no.pem"}, 2, "certificate"},
      {{"--tokens", "none.json"}, 3, "none.json"},
      {{"--tokens", "tokens.json"}, 3, "others may read"},
      {{"--environments", "none"}, 3, "none is not a folder"},
      {{"--environments", "room.obj"}, 3, "room.obj is not a folder"},
      {{"--record", "room.obj/x", "--max-sessions", "9"}, 4, "--record"},
      {{"--max-pending", "0"}, 2, "--max-pending"},
      {{"--max-sessions", "many"}, 2, "--max-sessions"},
      {{"--max-message", "0"}, 2, "--max-message"},
      {{"--memory", "0"}, 2, "--memory"},
      {{"--max-upload", "1e3"}, 2, "--max-upload"},
      {{"--session-ttl", "-1"}, 2, "--session-ttl"},
      {{"--batch-delay", "1001"}, 2, "--batch-delay"},
      {{"--batch-size", "0"}, 2, "--batch-size"},
      {{"--grace", "0.5"}, 2, "--grace"},
      {{"--threads", "0"}, 2, "--threads"},
      {{"--backend", "gpu"}, 2, "--backend"},
      {{"--backend", ""}, 2, "--backend"},
      {{"--emulate"}, 2, "--emulate: needs --backend cuda"},
      {{"--emulate", "--backend", "gl"}, 2, "--emulate: needs --backend cuda"},
      {{"--port", "1"}, 2, "--port"},
  };
  const std::vector<std::string> files = scene.files();
  for (const BadStart& bad : cases) {
    std::vector<std::string> arguments{"serve"};
    arguments.insert(arguments.end(), bad.arguments.begin(), bad.arguments.end());
    if (bad.arguments[0] != "--listen") {
      arguments.insert(arguments.end(), {"--listen", "127.0.0.1:0"});
    }
    const CommandResult result = run_tocsin(arguments, scene.path());
    EXPECT_EQ(result.status, bad.status) << testing::PrintToString(bad.arguments) << result.err;
    EXPECT_TRUE(contains(result.err, bad.part)) << bad.part << " in: " << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
  }
  EXPECT_EQ(scene.files(), files);
}

TEST(Serve, NothingTemporaryIsLeft) {
  const PoleScene scene;
  fs::create_directories(scene.full("tmp"));
  fs::create_directories(scene.full("rooms"));
  ::setenv("TMPDIR", scene.full("tmp").c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  ServeProcess server({"--environments", scene.full("rooms"), "--record", scene.full("records")},
                      scene.full("log"));
  ::unsetenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe)
  ASSERT_FALSE(server.address().empty()) << server.log();
  scene.write("broken.obj", "v 1 2 x\n");
  const Connection connection = connect(server);
  EXPECT_TRUE(connection.upload_environment("room", scene.full("room.obj")).ok());
  EXPECT_FALSE(connection.upload_environment("broken", scene.full("broken.obj")).ok());
  EXPECT_FALSE(connection.upload_environment("take", scene.full("take.bvh")).ok());
  EXPECT_TRUE(eventually([&] { return fs::is_empty(scene.full("tmp")); }));
  server.send(SIGTERM);
  EXPECT_EQ(server.wait(60.0), 0) << server.log();
  EXPECT_TRUE(fs::is_empty(scene.full("tmp")));
  // The upload is kept for records, whole; what could not be read is not.
  std::vector<std::string> kept;
  for (const auto& entry : fs::recursive_directory_iterator(scene.full("records"))) {
    if (!entry.is_directory()) kept.push_back(entry.path().filename().string());
  }
  EXPECT_EQ(kept, std::vector<std::string>{"room.obj"});
}

}  // namespace
}  // namespace tocsin::test
