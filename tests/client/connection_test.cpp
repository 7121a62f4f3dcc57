// Connections and the calls that are no streams.
#include <gtest/gtest.h>

#include <chrono>

#include "client/fake_server.h"
#include "support/test_folder.h"
#include "tocsin/client.h"

namespace tocsin::test::connection_test {
namespace {

using std::chrono::milliseconds;

FakeServer::Script refuses() {
  return [](auto&, auto&, const auto&) {
    return grpc::Status(grpc::StatusCode::UNIMPLEMENTED, "no streams here");
  };
}

TEST(Connection, NobodyThere) {
  // Where the machine stops for the second that the system's answer has, it is asked again.
  std::string said;
  for (int i = 0; i < 20 && said.find("efused") == std::string::npos; ++i) {
    const auto connection =
        Connection::open({.target = "127.0.0.1:1", .timeout = milliseconds(1000)});
    ASSERT_FALSE(connection.ok());
    EXPECT_EQ(connection.error().code, ErrorCode::kResource);
    said = connection.error().message;
    EXPECT_NE(said.find("127.0.0.1:1"), std::string::npos);
  }
  EXPECT_NE(said.find("efused"), std::string::npos) << said;
}

TEST(Connection, OptionsThatMakeNoSense) {
  struct Case {
    ConnectionOptions options;
    const char* says;
  };
  const TestFolder folder;
  const auto rubbish = folder.write("rubbish.pem", "hello");
  const std::vector<Case> cases{
      {{.target = "nowhere"}, "HOST:PORT"},
      {{.target = "example.com:1", .token = "0123456789abcdef"}, "TLS"},
      {{.target = "localhost:1", .token = "two words"}, "visible ASCII"},
      {{.target = "localhost:1", .ca = "/no/such/file"}, "/no/such/file"},
      {{.target = "localhost:1", .ca = rubbish}, "not a PEM file"},
      {{.target = "localhost:1", .certificate = rubbish}, "go together"},
      {{.target = "localhost:1", .key = rubbish}, "go together"},
  };
  for (const Case& c : cases) {
    const auto connection = Connection::open(c.options);
    ASSERT_FALSE(connection.ok()) << c.says;
    EXPECT_EQ(connection.error().code, ErrorCode::kUsage) << c.says;
    EXPECT_NE(connection.error().message.find(c.says), std::string::npos)
        << connection.error().message;
  }
}

TEST(Connection, WithoutOneEveryCallIsAnError) {
  const Connection none;
  EXPECT_EQ(none.environments().error().code, ErrorCode::kUsage);
  EXPECT_EQ(none.avatar_models().error().code, ErrorCode::kUsage);
  EXPECT_EQ(none.health().error().code, ErrorCode::kUsage);
  EXPECT_EQ(none.unload_environment("x").error().code, ErrorCode::kUsage);
  EXPECT_EQ(none.track({}, {}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(none.resume("x", 0, {}, {}).error().code, ErrorCode::kUsage);
  LiveSession session;
  EXPECT_FALSE(session.send({}).ok());
  EXPECT_FALSE(session.finish().ok());
  session.abandon();
  EXPECT_TRUE(session.wait(milliseconds(0)));
}

TEST(Connection, CallsAndTheirErrors) {
  const FakeServer server(refuses());
  const auto connection =
      Connection::open({.target = server.address(), .token = "0123456789abcdef"});
  ASSERT_TRUE(connection.ok()) << connection.error().message;
  EXPECT_EQ(connection->health().value(), "SERVING");
  const auto rooms = connection->environments();
  ASSERT_EQ(rooms->size(), 1U) << rooms.error().message;
  EXPECT_EQ((*rooms)[0].name, "hall");
  EXPECT_EQ((*rooms)[0].triangles, 12U);
  EXPECT_EQ((*rooms)[0].files, std::vector<std::string>{"hall.obj"});
  EXPECT_EQ(server.authorization(), "Bearer 0123456789abcdef");
  EXPECT_EQ(connection->unload_environment("hall")->sessions, 3U);
  const auto unknown = connection->unload_environment("attic");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::kInput);
  EXPECT_EQ(unknown.error().message, "there is no room \"attic\"");
  // Nothing implements it: what the server says, too.
  EXPECT_EQ(connection->avatar_models().error().code, ErrorCode::kInput);
}

TEST(Connection, LoadingAndUploading) {
  const FakeServer server(refuses());
  const auto connection = Connection::open({.target = server.address()});
  ASSERT_TRUE(connection.ok()) << connection.error().message;
  EXPECT_EQ(server.authorization(), "");
  const std::vector<std::string> paths{"a.obj", "b.ply"};
  const auto loaded = connection->load_environment("both", paths, {2.0, UpAxis::kZ});
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(loaded->name, "both");
  EXPECT_EQ(server.upload_begin().paths_size(), 2);
  EXPECT_EQ(server.upload_begin().scale(), 2.0);
  EXPECT_EQ(server.upload_begin().up(), v1::UP_AXIS_Z);

  std::string bytes(1'300'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31 % 251);
  const TestFolder folder;
  const auto file = folder.write("room.ply", bytes);
  ASSERT_TRUE(connection->upload_environment("mine", file).ok());
  EXPECT_EQ(server.uploaded(), bytes);
  EXPECT_EQ(server.upload_begin().file_name(), "room.ply");
  const auto taken = connection->upload_environment("taken", file);
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().message, "there is a room \"taken\"");
  EXPECT_EQ(connection->upload_environment("x", "/no/such/file").error().code, ErrorCode::kInput);
  EXPECT_EQ(connection->upload_environment("x", folder.path()).error().code, ErrorCode::kInput);
  EXPECT_EQ(connection->load_environment("x", {}).error().code, ErrorCode::kUsage);
}

TEST(Connection, OverAUnixSocket) {
  const TestFolder folder;
  const FakeServer server(refuses(), "unix:" + (folder.path() / "s").string());
  const auto connection =
      Connection::open({.target = server.address(), .token = "0123456789abcdef"});
  ASSERT_TRUE(connection.ok()) << connection.error().message;
  EXPECT_EQ(connection->environments()->size(), 1U);
}

}  // namespace
}  // namespace tocsin::test::connection_test
