// Rooms and avatar models over a real port.
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/process_memory.h"
#include "service/rpc/live_server.h"
#include "support/environment_variable.h"
#include "support/test_folder.h"
#include "wire/values.h"

namespace tocsin {
namespace {

namespace fs = std::filesystem;
using grpc::StatusCode;
using test::LiveOptions;
using test::LiveServer;

constexpr const char* kDoor = "o door\nv 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n";

v1::LoadEnvironmentRequest begin(const std::string& name, const std::string& file_name,
                                 const std::vector<std::string>& paths = {}) {
  v1::LoadEnvironmentRequest out;
  out.mutable_begin()->set_name(name);
  out.mutable_begin()->set_file_name(file_name);
  for (const std::string& path : paths) out.mutable_begin()->add_paths(path);
  return out;
}

v1::LoadEnvironmentRequest chunk(const std::string& bytes) {
  v1::LoadEnvironmentRequest out;
  out.set_chunk(bytes);
  return out;
}

class ServerRooms : public testing::Test {
 protected:
  ServerRooms() {
    fs::create_directories(spool());
    fs::create_directories(folder.path() / "rooms");
    folder.write("rooms/door.obj", kDoor);
    folder.write("secret.obj", kDoor);
  }
  [[nodiscard]] fs::path spool() const { return folder.path() / "spool"; }
  static LiveOptions options(const test::TestFolder& folder) {
    LiveOptions out;
    out.rooms.folder = folder.path() / "rooms";
    out.rooms.most_upload = 100'000;
    out.server.most_message = 200'000;
    return out;
  }

  grpc::Status load(const std::vector<v1::LoadEnvironmentRequest>& messages) {
    grpc::ClientContext context;
    test::prepare(context);
    loaded.Clear();
    const auto writer = stub->LoadEnvironment(&context, &loaded);
    for (const auto& message : messages) {
      if (!writer->Write(message)) break;
    }
    writer->WritesDone();
    const grpc::Status status = writer->Finish();
    // Nobody is told where files lie on the server.
    EXPECT_EQ(status.error_message().find(folder.path().string()), std::string::npos)
        << status.error_message();
    return status;
  }
  std::vector<std::string> names() {
    grpc::ClientContext context;
    test::prepare(context);
    v1::ListEnvironmentsResponse response;
    EXPECT_TRUE(stub->ListEnvironments(&context, {}, &response).ok());
    std::vector<std::string> out;
    for (const v1::Environment& room : response.environments()) out.push_back(room.name());
    return out;
  }
  grpc::Status unload(const std::string& name) {
    grpc::ClientContext context;
    test::prepare(context);
    v1::UnloadEnvironmentRequest request;
    request.set_name(name);
    return stub->UnloadEnvironment(&context, request, &unloaded);
  }
  /// (The live server keeps its own room there.)
  [[nodiscard]] bool spool_is_empty() const {
    for (const fs::directory_entry& entry : fs::directory_iterator(spool())) {
      if (entry.path().filename().string().starts_with("tocsin-upload")) return false;
    }
    return true;
  }

  test::TestFolder folder;
  // Where uploads are put while they come.
  test::EnvironmentVariable temporary{"TMPDIR", (folder.path() / "spool").string()};
  LiveServer live{(fs::create_directories(folder.path() / "spool"), options(folder))};
  std::unique_ptr<v1::CollisionService::Stub> stub = live.stub();
  v1::LoadEnvironmentResponse loaded;
  v1::UnloadEnvironmentResponse unloaded;
};

using Names = std::vector<std::string>;

TEST_F(ServerRooms, LoadsListsAndUnloads) {
  const fs::path hall = live.hall();
  EXPECT_EQ(names(), Names{"hall"});
  grpc::Status status = load({begin("entry", "", {"door.obj"})});
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(loaded.environment().triangles(), 1U);
  EXPECT_EQ(loaded.environment().files(0), "door.obj");
  EXPECT_EQ(loaded.environment().most().y(), 2.0);
  // In pieces, one of them empty.
  const std::string door = kDoor;
  status = load(
      {begin("gate", "gate.obj"), chunk(door.substr(0, 11)), chunk(""), chunk(door.substr(11))});
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(loaded.environment().files(0), "gate.obj");
  EXPECT_EQ(loaded.environment().revision(), 3U);
  EXPECT_EQ(names(), (Names{"entry", "gate", "hall"}));
  EXPECT_TRUE(unload("entry").ok());
  EXPECT_EQ(names(), (Names{"gate", "hall"}));
  EXPECT_EQ(unload("entry").error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(unload("hall").error_code(), StatusCode::PERMISSION_DENIED);  // the operator's
}

TEST_F(ServerRooms, ScalesAndTurns) {
  v1::LoadEnvironmentRequest first = begin("turned", "door.obj");
  first.mutable_begin()->set_scale(0.5);
  first.mutable_begin()->set_up(v1::UP_AXIS_Z);
  ASSERT_TRUE(load({first, chunk(kDoor)}).ok());
  EXPECT_EQ(loaded.environment().most().x(), 0.5);
  EXPECT_EQ(loaded.environment().least().z(), -1.0);
}

struct BadLoad {
  const char* what;
  std::vector<v1::LoadEnvironmentRequest> messages;
  StatusCode code;
  const char* words;
};

TEST_F(ServerRooms, RefusesWhatMakesNoSense) {
  v1::LoadEnvironmentRequest scale = begin("a", "a.obj");
  scale.mutable_begin()->set_scale(-1);
  v1::LoadEnvironmentRequest up = begin("a", "a.obj");
  up.mutable_begin()->set_up(static_cast<v1::UpAxis>(9));
  const std::string large(60'000, '#');
  const std::vector<BadLoad> table{
      {"nothing", {}, StatusCode::INVALID_ARGUMENT, "before `begin`"},
      {"neither", {{}}, StatusCode::INVALID_ARGUMENT, "must be `begin`"},
      {"bytes first", {chunk("v")}, StatusCode::INVALID_ARGUMENT, "must be `begin`"},
      {"twice", {begin("a", "a.obj"), begin("b", "b.obj")}, StatusCode::INVALID_ARGUMENT, "twice"},
      {"no bytes", {begin("a", "a.obj")}, StatusCode::INVALID_ARGUMENT, "empty"},
      {"both", {begin("a", "a.obj", {"door.obj"})}, StatusCode::INVALID_ARGUMENT, "together"},
      {"paths, then bytes",
       {begin("a", "", {"door.obj"}), chunk("v")},
       StatusCode::INVALID_ARGUMENT,
       "`paths`"},
      {"scale", {scale}, StatusCode::INVALID_ARGUMENT, "scale"},
      {"up", {up}, StatusCode::INVALID_ARGUMENT, ""},
      {"a taken name",
       {begin("hall", "a.obj"), chunk(kDoor)},
       StatusCode::ALREADY_EXISTS,
       "is there already"},
      {"a bad name", {begin("a/b", "a.obj"), chunk(kDoor)}, StatusCode::INVALID_ARGUMENT, ""},
      {"no format", {begin("a", "a.txt"), chunk(kDoor)}, StatusCode::INVALID_ARGUMENT, ""},
      {"no triangles",
       {begin("a", "a.obj"), chunk("v 1 2 3\n")},
       StatusCode::INVALID_ARGUMENT,
       "a.obj"},
      {"too large",
       {begin("a", "a.obj"), chunk(large), chunk(large)},
       StatusCode::RESOURCE_EXHAUSTED,
       "100000 bytes"},
      {"a message too large",
       {begin("a", "a.obj"), chunk(std::string(300'000, '#'))},
       StatusCode::RESOURCE_EXHAUSTED,
       "larger than max"},
      {"absent", {begin("a", "", {"attic.obj"})}, StatusCode::INVALID_ARGUMENT, "attic.obj"},
      {"outside", {begin("a", "", {"../secret.obj"})}, StatusCode::INVALID_ARGUMENT, ""},
      {"absolute", {begin("a", "", {"/etc/passwd"})}, StatusCode::INVALID_ARGUMENT, ""},
  };
  for (const BadLoad& row : table) {
    SCOPED_TRACE(row.what);
    const grpc::Status status = load(row.messages);
    EXPECT_EQ(status.error_code(), row.code) << status.error_message();
    EXPECT_NE(status.error_message().find(row.words), std::string::npos) << status.error_message();
    EXPECT_EQ(names(), Names{"hall"});
  }
  EXPECT_TRUE(test::eventually([&] { return spool_is_empty(); }));
}

TEST_F(ServerRooms, ADamagedMessageIsNotTheEndOfTheFile) {
  grpc::GenericStub generic(live.channel());
  grpc::ClientContext context;
  test::prepare(context);
  grpc::CompletionQueue queue;
  void* tag = nullptr;
  bool ok = false;
  const auto stream =
      generic.PrepareCall(&context, "/tocsin.v1.CollisionService/LoadEnvironment", &queue);
  const auto step = [&] { return queue.Next(&tag, &ok) && ok; };
  stream->StartCall(nullptr);
  ASSERT_TRUE(step());
  for (const std::string& bytes : {begin("a", "a.obj").SerializeAsString(),
                                   chunk(kDoor).SerializeAsString(), std::string("\xff\xff")}) {
    const grpc::Slice slice(bytes);
    stream->Write(grpc::ByteBuffer(&slice, 1), grpc::WriteOptions(), nullptr);
    step();
  }
  grpc::ByteBuffer response;
  stream->Read(&response, nullptr);
  EXPECT_FALSE(step());
  grpc::Status status;
  stream->Finish(&status, nullptr);
  step();
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT) << status.error_message();
  EXPECT_EQ(names(), Names{"hall"});
}

/// Half a file is a file, too: nothing but the end of the stream tells them apart.
TEST_F(ServerRooms, ALostUploadLoadsNothing) {
  bool was_there = false;
  for (int i = 0; i < 60; ++i) {
    const auto lost = live.stub();
    grpc::ClientContext context;
    test::prepare(context);
    v1::LoadEnvironmentResponse response;
    const auto writer = lost->LoadEnvironment(&context, &response);
    writer->Write(begin("lost", "lost.obj"));
    writer->Write(chunk(kDoor));
    if (i % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(i % 9));
    was_there = was_there || !spool_is_empty();
    // However slow this machine is, one was under way.
    if (i == 59) was_there = was_there || test::eventually([&] { return !spool_is_empty(); });
    context.TryCancel();
    EXPECT_EQ(writer->Finish().error_code(), StatusCode::CANCELLED);
  }
  EXPECT_TRUE(test::eventually([&] { return spool_is_empty(); }));
  EXPECT_EQ(names(), Names{"hall"});
  EXPECT_TRUE(was_there);
  ASSERT_TRUE(load({begin("lost", "lost.obj"), chunk(kDoor)}).ok());
}

TEST_F(ServerRooms, OnlySoManyAreLoadedAtOnce) {
  struct Upload {
    grpc::ClientContext context;
    v1::LoadEnvironmentResponse response;
    std::unique_ptr<grpc::ClientWriter<v1::LoadEnvironmentRequest>> writer;
  };
  std::vector<std::unique_ptr<Upload>> uploads;
  const auto cancel = [&] {
    for (auto& upload : uploads) upload->context.TryCancel();
    for (auto& upload : uploads) upload->writer->Finish();
    uploads.clear();
  };
  std::chrono::milliseconds head_start{5};
  const auto full = [&] {
    for (int i = 0; i < 2; ++i) {
      uploads.push_back(std::make_unique<Upload>());
      Upload& upload = *uploads.back();
      test::prepare(upload.context);
      upload.writer = stub->LoadEnvironment(&upload.context, &upload.response);
      upload.writer->Write(begin("a" + std::to_string(i), "a.obj"));
    }
    std::this_thread::sleep_for(head_start);
    const grpc::Status status = load({begin("b", "", {"door.obj"})});
    if (status.error_code() == StatusCode::RESOURCE_EXHAUSTED) return true;
    // The others were not there yet, and this one may have cost one of them its place.
    if (status.ok()) unload("b");
    cancel();
    head_start *= 2;
    return false;
  };
  EXPECT_TRUE(test::eventually(full));
  cancel();
  EXPECT_TRUE(test::eventually([&] { return load({begin("b", "", {"door.obj"})}).ok(); }));
}

/// Who was answered does not count among the loads any more, whatever the answer was.
TEST_F(ServerRooms, OneLoadAfterTheOther) {
  grpc::ClientContext context;
  test::prepare(context);
  v1::LoadEnvironmentResponse response;
  const auto other = stub->LoadEnvironment(&context, &response);  // one of the two
  ASSERT_TRUE(other->Write(begin("a", "a.obj")));
  for (int i = 0; i < 100; ++i) {
    const grpc::Status bad = load({begin("c", "c.obj"), chunk("v 1 2 x\n")});
    ASSERT_EQ(bad.error_code(), StatusCode::INVALID_ARGUMENT) << bad.error_message();
    const grpc::Status good = load({begin("b", "", {"door.obj"})});
    ASSERT_TRUE(good.ok()) << good.error_message();
    ASSERT_TRUE(unload("b").ok());
  }
  ASSERT_TRUE(other->Write(chunk(kDoor)));
  ASSERT_TRUE(other->WritesDone());
  EXPECT_TRUE(other->Finish().ok());
}

TEST_F(ServerRooms, SessionsGoOnInARoomThatIsUnloaded) {
  const fs::path hall = live.hall();
  std::ifstream in(hall);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  ASSERT_TRUE(load({begin("copy", "hall.obj"), chunk(bytes)}).ok());
  const test::Walk walk(0.2);
  v1::TrackRequest open = walk.open();
  open.mutable_open()->set_environment("copy");
  test::Stream stream(*stub);
  stream.open(open);
  EXPECT_TRUE(unload("copy").ok());
  EXPECT_EQ(unloaded.sessions(), 1U);
  ASSERT_TRUE(stream.write(walk.frames(0, 1)));
  const auto reports = stream.reports(1);
  ASSERT_EQ(reports.size(), 1U);
  test::expect_same(reports.front(), walk.expected(hall, {0, 1}).front(), walk.codec);
  EXPECT_EQ(test::refusal(*stub, open).error_code(), StatusCode::NOT_FOUND);
}

TEST_F(ServerRooms, ListsItsAvatarModels) {
  grpc::ClientContext context;
  test::prepare(context);
  v1::ListAvatarModelsResponse response;
  ASSERT_TRUE(stub->ListAvatarModels(&context, {}, &response).ok());
  bool found = false;
  for (const v1::AvatarModel& model : response.models()) {
    EXPECT_FALSE(model.description().empty());
    if (model.name() == "humanoid16") found = model.links_size() == 16;
  }
  EXPECT_TRUE(found);
}

TEST(ServerRoomsAtTheEnd, AnUploadUnderWayDoesNotHoldUpTheServer) {
  LiveServer live;
  const auto stub = live.stub();
  grpc::ClientContext context;
  test::prepare(context);
  v1::LoadEnvironmentResponse response;
  const auto writer = stub->LoadEnvironment(&context, &response);
  writer->Write(begin("a", "a.obj"));
  writer->Write(chunk(kDoor));
  live.server().stop(std::chrono::milliseconds(0));
  // Had the server waited for the rest, the call's deadline would have ended it.
  const StatusCode code = writer->Finish().error_code();
  EXPECT_TRUE(code == StatusCode::CANCELLED || code == StatusCode::UNAVAILABLE) << code;
}

/// An upload that becomes a room is kept where records are.
TEST_F(ServerRooms, UploadsLeaveTheReserveFree) {
  LiveOptions full = options(folder);
  full.engine.record = folder.path() / "records";
  fs::create_directories(full.engine.record);
  full.engine.record_rules.reserve = std::uint64_t{1} << 62U;  // more than any disk has
  LiveServer other(full);
  stub = other.stub();
  const grpc::Status status = load({begin("a", "a.obj"), chunk(kDoor)});
  EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_NE(status.error_message().find("--record-reserve"), std::string::npos)
      << status.error_message();
}

/// Rooms of the folder count as uploads do, with what they refer to.
TEST_F(ServerRooms, RoomsOfTheFolderAreWithinTheMemory) {
  folder.write("rooms/large.obj", kDoor + std::string(std::size_t{4} << 20U, ' '));
  folder.write("rooms/refers.gltf",
               R"({"asset":{"version":"2.0"},"buffers":[{"uri":"a.bin","byteLength":4194304}]})");
  std::filesystem::create_directories(folder.path() / "rooms/parts");
  // Inlined eight times by each of two files: as often it is read.
  folder.write("rooms/parts/leaf.x3d",
               "<X3D>" + std::string(std::size_t{256} << 10U, ' ') + "</X3D>");
  std::string eight = "<X3D><Scene>";
  for (int i = 0; i < 8; ++i) eight += "<Inline url='\"leaf.x3d\" \"http://x/leaf.x3d\"'/>";
  folder.write("rooms/parts/eight.x3d", eight + "</Scene></X3D>");
  folder.write("rooms/inlines.x3d",
               "<X3D><Scene><Inline DEF='a' url='&quot;parts/eight.x3d&quot;'/>\n<Inline\n url = "
               "\"parts/eight.x3d\"></Inline></Scene></X3D>");
  LiveOptions little = options(folder);
  // The process has some 60 MiB already; 40 times the small file is nothing, of the large 160 MiB.
  little.server.memory = base::process_memory().resident + (std::uint64_t{120} << 20U);
  LiveServer other(little);
  stub = other.stub();
  EXPECT_TRUE(load({begin("small", "", {"door.obj"})}).ok());
  for (const char* const file : {"large.obj", "refers.gltf", "inlines.x3d"}) {
    const grpc::Status status = load({begin("room", "", {file})});
    EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED) << file;
    EXPECT_NE(status.error_message().find("--memory"), std::string::npos) << status.error_message();
  }
}

/// One verb of each kind, on its way over the port.
TEST_F(ServerRooms, ARoomIsChangedAsAWhole) {
  v1::LoadEnvironmentRequest first = begin("stage", "", {"door.obj"});
  first.mutable_begin()->set_changeable(true);
  ASSERT_TRUE(load({first}).ok());
  EXPECT_TRUE(loaded.environment().changeable());
  v1::UpdateEnvironmentResponse answer;
  const auto update = [&](const v1::UpdateEnvironmentRequest& request) {
    grpc::ClientContext context;
    test::prepare(context);
    return stub->UpdateEnvironment(&context, request, &answer);
  };
  v1::UpdateEnvironmentRequest request;
  request.set_name("stage");
  EXPECT_EQ(update(request).error_code(), StatusCode::INVALID_ARGUMENT) << "no edits";
  v1::SceneEdit::Add& crate = *request.add_edits()->mutable_add();
  crate.set_object("crate");
  wire::to_wire(Vec3{1, 1, 1}, *crate.mutable_mesh()->mutable_shape()->mutable_box());
  wire::to_wire(Vec3{5, 0, 0}, *crate.mutable_at()->mutable_translation());
  v1::SceneEdit::Add& other = *request.add_edits()->mutable_add();
  other.set_object("other");
  other.mutable_mesh()->set_like("crate");
  v1::SceneEdit::Move& moved = *request.add_edits()->mutable_move();
  moved.set_object("crate");
  wire::to_wire(Vec3{7, 0, 0}, *moved.mutable_to()->mutable_translation());
  request.add_edits()->mutable_set_active()->set_object("door");
  request.add_edits()->mutable_set_pairs()->set_pattern("*hand:crate");
  request.add_edits()->mutable_add_switch()->set_name("lights");
  request.add_edits()->mutable_set_switch()->set_object("other");
  request.mutable_edits(6)->mutable_set_switch()->set_parent("lights");
  request.add_edits()->mutable_choose()->set_parent("lights");
  ASSERT_TRUE(update(request).ok());
  EXPECT_EQ(answer.version(), 1U);
  EXPECT_EQ(answer.environment().version(), 1U);
  EXPECT_EQ(answer.environment().objects(), 3U);
  EXPECT_EQ(answer.environment().triangles(), 13U);
  EXPECT_EQ(answer.environment().least().x(), 6.0) << "the door is off, and the other not chosen";
  EXPECT_EQ(live.engine().metrics().room_changes.value(), 1U);
  EXPECT_EQ(live.engine().metrics().room_edits.value(), 8U);

  // Its corners, and where it is, in one edit; also without corners.
  request.clear_edits();
  request.add_edits()->mutable_set_active()->set_object("door");
  request.mutable_edits(0)->mutable_set_active()->set_active(true);
  v1::SceneEdit::Deform& bent = *request.add_edits()->mutable_deform();
  bent.set_object("door");
  for (const float x : {0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 3.F, 0.F}) bent.add_vertices(x);
  wire::to_wire(Vec3{0, 1, 0}, *bent.mutable_to()->mutable_translation());
  v1::SceneEdit::Deform& gone = *request.add_edits()->mutable_deform();
  gone.set_object("crate");
  wire::to_wire(Vec3{7, 0, 0}, *gone.mutable_to()->mutable_translation());
  wire::to_wire(Vec3{2, 2, 2}, *gone.mutable_to()->mutable_scale());
  ASSERT_TRUE(update(request).ok());
  EXPECT_EQ(answer.environment().most().y(), 4.0);
  EXPECT_EQ(answer.environment().most().x(), 9.0);

  // Refused for what is wrong with it.
  request.clear_edits();
  v1::SceneEdit::Deform& large = *request.add_edits()->mutable_deform();
  large.set_object("door");
  large.mutable_vertices()->Resize(3 * 10'000, 0.5F);
  grpc::Status status = update(request);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT) << status.error_message();
  EXPECT_NE(status.error_message().find("edit 0 (deform \"door\")"), std::string::npos)
      << status.error_message();

  request.clear_edits();
  request.add_edits();
  status = update(request);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_NE(status.error_message().find("edit 0: it has no verb"), std::string::npos)
      << status.error_message();
  request.mutable_edits(0)->mutable_remove()->set_object("crate");
  request.set_expected_version(7);
  EXPECT_EQ(update(request).error_code(), StatusCode::FAILED_PRECONDITION);
  request.clear_expected_version();
  request.set_name("nowhere");
  EXPECT_EQ(update(request).error_code(), StatusCode::NOT_FOUND);
  request.set_name("stage");
  request.mutable_edits(0)->mutable_move()->set_object("crate");
  wire::to_wire(Vec3{2, 2, 2},
                *request.mutable_edits(0)->mutable_move()->mutable_to()->mutable_scale());
  status = update(request);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_NE(status.error_message().find("does not change the scale"), std::string::npos);
  EXPECT_EQ(live.engine().metrics().room_changes.value(), 2U);
}

}  // namespace
}  // namespace tocsin
