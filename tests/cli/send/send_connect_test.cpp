// What `tocsin send` says when it gets no connection, or none that lets it in.
#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <string>
#include <vector>

#include "cli/command.h"
#include "service/access/test_certificates.h"
#include "soak/serve_process.h"
#include "support/places.h"

namespace tocsin::test {
namespace {

namespace fs = std::filesystem;

const std::string kFiles = source_dir();
const std::string kWalk = kFiles + "/motions/walk_and_reach.bvh";
const std::string kMusicRoom = kFiles + "/environments/music_room.obj";

/// Keys and certificates in a folder: a server's, a client's, and whoever signed both.
struct TlsFiles {
  TemporaryFolder folder;
  TestIdentity authority = make_identity({.common_name = "house CA"});
  TestIdentity server_identity = make_identity({.common_name = "server", .signer = &authority});
  TestIdentity client_identity = make_identity({.common_name = "client", .signer = &authority});
  std::string ca = folder.write("ca.pem", authority.certificate);
  std::string server = folder.write("server.pem", server_identity.certificate);
  std::string server_key = folder.write("server.key", server_identity.key);
  std::string client = folder.write("client.pem", client_identity.certificate);
  std::string client_key = folder.write("client.key", client_identity.key);
};

struct Case {
  std::vector<std::string> arguments;
  int status;
  const char* says;
};

void expect_refused(const Case& c) {
  std::vector<std::string> arguments{"send", kWalk, "--rate", "max"};
  arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
  const CommandResult result = run_tocsin(arguments);
  EXPECT_EQ(result.status, c.status) << c.says << '\n' << result.err;
  EXPECT_NE(result.err.find(c.says), std::string::npos) << c.says << '\n' << result.err;
  EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;  // nothing of gRPC's own
}

TEST(SendConnect, TlsFilesAreLookedAtBeforeConnecting) {
  const TlsFiles tls;
  const std::string text = tls.folder.write("notes.txt", "no key, no certificate\n");
  const std::string locked = tls.folder.write("locked.key", with_password(tls.client_identity.key));
  const std::string to = "127.0.0.1:1";  // nobody listens there: that would be status 4
  const std::vector<Case> cases{
      {{"--to", to, "--tls-ca", text}, 3, "notes.txt: there is no certificate in it"},
      {{"--to", to, "--tls-ca", "/no/such.pem"}, 3, "/no/such.pem"},
      {{"--to", to, "--tls-cert", tls.client, "--tls-key", tls.server_key},
       3,
       "server.key: the key does not belong to the certificate"},
      {{"--to", to, "--tls-cert", tls.client, "--tls-key", tls.client},
       3,
       "client.pem: there is no private key"},
      {{"--to", to, "--tls-cert", tls.client_key, "--tls-key", tls.client_key},
       3,
       "client.key: there is no certificate"},
      {{"--to", to, "--tls-cert", tls.client, "--tls-key", locked},
       3,
       "locked.key: the key has a password"},
  };
  for (const Case& c : cases) expect_refused(c);
}

TEST(SendConnect, WhatAServerMayWantIsHinted) {
  const TlsFiles tls;
  const ServeProcess plain({"--env", kMusicRoom}, tls.folder.full("plain.log"));
  const ServeProcess server({"--env", kMusicRoom, "--tls-cert", tls.server, "--tls-key",
                             tls.server_key, "--client-ca", tls.ca},
                            tls.folder.full("tls.log"));
  const std::string tokens = tls.folder.write(
      "tokens.json",
      R"({"format":"tocsin.tokens.v1","tokens":[{"name":"anna","token":"0123456789abcdef"}]})");
  fs::permissions(tokens, fs::perms::owner_read);
  const ServeProcess guarded({"--env", kMusicRoom, "--tokens", tokens},
                             tls.folder.full("token.log"));
  const std::vector<Case> cases{
      {{"--to", server.address()}, 4, "does the server want TLS, or a client certificate?"},
      {{"--to", server.address(), "--tls-ca", tls.ca}, 4, "want a client certificate?"},
      {{"--to", server.address(), "--tls-ca", tls.client}, 4, "does --tls-ca name the authority"},
      {{"--to", plain.address(), "--tls-ca", tls.ca}, 4, "does the server want no TLS?"},
      {{"--to", guarded.address()}, 3, "--token-file"},
  };
  // Each tries for as long as it takes to be sure: all at once.
  std::vector<std::future<void>> running;
  for (const Case& c : cases) {
    running.push_back(std::async(std::launch::async, [&c] { expect_refused(c); }));
  }
  for (auto& one : running) one.wait();
  const CommandResult result =
      run_tocsin({"send", kWalk, "--to", server.address(), "--rate", "max", "--tls-ca", tls.ca,
                  "--tls-cert", tls.client, "--tls-key", tls.client_key});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
}

}  // namespace
}  // namespace tocsin::test
