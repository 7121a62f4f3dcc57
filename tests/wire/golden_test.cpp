// The bytes of every message, put together by hand from the field numbers of the first release:
// numbers and types of fields never change.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "tocsin/v1/collision.pb.h"
#include "wire/reports.h"

namespace tocsin::test {
namespace {

// ---- The encoding: protobuf's, from its description. ----

std::string varint(std::uint64_t v) {
  std::string out;
  for (; v >= 0x80U; v >>= 7U) out += static_cast<char>((v & 0x7FU) | 0x80U);
  return out + static_cast<char>(v);
}
/// Wire type 0.
std::string whole(std::uint64_t field, std::uint64_t v) { return varint(field << 3U) + varint(v); }
std::string bytes_of(double v) {
  auto bits = std::bit_cast<std::uint64_t>(v);
  std::string out;
  for (int i = 0; i < 8; ++i, bits >>= 8U) out += static_cast<char>(bits & 0xFFU);
  return out;
}
/// Wire type 1.
std::string number(std::uint64_t field, double v) { return varint(field << 3U | 1U) + bytes_of(v); }
/// Wire type 2: strings, messages, packed numbers.
std::string block(std::uint64_t field, const std::string& bytes) {
  return varint(field << 3U | 2U) + varint(bytes.size()) + bytes;
}
std::string numbers(std::uint64_t field, std::initializer_list<double> list) {
  std::string bytes;
  for (const double v : list) bytes += bytes_of(v);
  return block(field, bytes);
}

std::string hex(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

template <class Message>
void expect_bytes(const Message& message, const std::string& wanted) {
  EXPECT_EQ(hex(message.SerializeAsString()), hex(wanted)) << message.GetTypeName();
  Message back;
  ASSERT_TRUE(back.ParseFromString(wanted)) << message.GetTypeName();
  EXPECT_EQ(back.SerializeAsString(), message.SerializeAsString()) << message.GetTypeName();
  // No field was forgotten here: a message that grows needs a line that says how.
  const auto* const descriptor = message.GetDescriptor();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const auto* const field = descriptor->field(i);
    if (field->real_containing_oneof() != nullptr) continue;
    const bool set = field->is_repeated() ? message.GetReflection()->FieldSize(message, field) > 0
                                          : message.GetReflection()->HasField(message, field);
    EXPECT_TRUE(set) << field->full_name() << " is not looked at";
  }
}

v1::Vec3 vec(double x, double y, double z) {
  v1::Vec3 out;
  out.set_x(x);
  out.set_y(y);
  out.set_z(z);
  return out;
}
const std::string kVec = number(1, 1) + number(2, 2) + number(3, -0.0);

v1::Environment room() {
  v1::Environment out;
  out.set_name("house");
  out.set_revision(300);
  out.set_objects(2);
  out.set_triangles(3);
  *out.mutable_least() = vec(1, 2, -0.0);
  *out.mutable_most() = vec(1, 2, -0.0);
  out.set_sessions(4);
  out.add_files("house.obj");
  out.set_backend("cuda");
  out.set_device("a GPU");
  out.set_fallback("it fell off");
  return out;
}
std::string room_bytes() {
  return block(1, "house") + whole(2, 300) + whole(3, 2) + whole(4, 3) + block(5, kVec) +
         block(6, kVec) + whole(7, 4) + block(8, "house.obj") + block(9, "cuda") +
         block(10, "a GPU") + block(11, "it fell off");
}

v1::Pose pose() {
  v1::Pose out;
  for (const double v : {1.0, 0.0, -0.0, 0.5}) out.add_rotations(v);
  for (const double v : {0.1, 0.0, 4.0}) out.add_translations(v);
  return out;
}
std::string pose_bytes() { return numbers(1, {1, 0, -0.0, 0.5}) + numbers(2, {0.1, 0, 4}); }

TEST(Golden, AFrameByteByByte) {
  const wire::PoseCodec codec(*Skeleton::create({{"root", -1, {}}}));
  v1::TrackRequest message;
  codec.to_wire({300, 1.5, {{{1, 0, 0, 0}, {0, -0.0, 2}}}},
                *message.mutable_frames()->add_frames());
  EXPECT_EQ(hex(message.SerializeAsString()),
            "1a4c"                // frames: 76 bytes
            "0a4a"                // a frame: 74 bytes
            "08ac02"              // id: 300
            "11000000000000f83f"  // capture_time: 1.5
            "1a3c"                // pose: 60 bytes
            "0a20"
            "000000000000f03f"
            "0000000000000000"  // rotations: 32 bytes
            "0000000000000000"
            "0000000000000000"  //
            "1218"
            "0000000000000000"
            "0000000000000080"
            "0000000000000040");  // translations
}

TEST(Golden, Values) {
  expect_bytes(vec(1, 2, -0.0), kVec);
  v1::Quaternion q;
  q.set_w(1);
  q.set_x(2);
  q.set_y(3);
  q.set_z(4);
  const std::string q_bytes = number(1, 1) + number(2, 2) + number(3, 3) + number(4, 4);
  expect_bytes(q, q_bytes);
  expect_bytes(pose(), pose_bytes());

  v1::Joint joint;
  joint.set_name("Hips");
  joint.set_parent(-1);
  *joint.mutable_rest_rotation() = q;
  *joint.mutable_rest_translation() = vec(1, 2, -0.0);
  const std::string joint_bytes = block(1, "Hips") + whole(2, 1) +  // zigzag: -1 is 1
                                  block(3, q_bytes) + block(4, kVec);
  expect_bytes(joint, joint_bytes);
  v1::Skeleton skeleton;
  *skeleton.add_joints() = joint;
  expect_bytes(skeleton, block(1, joint_bytes));
}

TEST(Golden, Environments) {
  expect_bytes(room(), room_bytes());
  expect_bytes(v1::ListEnvironmentsRequest(), "");
  v1::ListEnvironmentsResponse list;
  *list.add_environments() = room();
  expect_bytes(list, block(1, room_bytes()));

  v1::LoadEnvironmentRequest load;
  load.mutable_begin()->set_name("house");
  load.mutable_begin()->add_paths("a/house.obj");
  load.mutable_begin()->set_file_name("house.ply");
  load.mutable_begin()->set_scale(0.01);
  load.mutable_begin()->set_up(v1::UP_AXIS_X);
  const std::string begin = block(1, "house") + block(2, "a/house.obj") + block(3, "house.ply") +
                            number(4, 0.01) + whole(5, 2);
  expect_bytes(load.begin(), begin);
  expect_bytes(load, block(1, begin));
  load.set_chunk("v 0 0 0\n");
  expect_bytes(load, block(2, "v 0 0 0\n"));
  v1::LoadEnvironmentResponse loaded;
  *loaded.mutable_environment() = room();
  loaded.add_warnings("w");
  expect_bytes(loaded, block(1, room_bytes()) + block(2, "w"));

  v1::UnloadEnvironmentRequest unload;
  unload.set_name("house");
  expect_bytes(unload, block(1, "house"));
  v1::UnloadEnvironmentResponse unloaded;
  unloaded.set_sessions(5);
  expect_bytes(unloaded, whole(1, 5));
}

TEST(Golden, AvatarModels) {
  v1::EndPoint offset;
  *offset.mutable_offset() = vec(1, 2, -0.0);
  EXPECT_EQ(hex(offset.SerializeAsString()), hex(block(1, kVec)));
  v1::EndPoint end;
  end.set_joint("Hand");
  end.set_beyond("Arm");
  end.set_times(0.5);
  const std::string end_bytes = block(2, "Hand") + block(3, "Arm") + number(4, 0.5);
  expect_bytes(end, end_bytes);

  v1::Link link;
  link.set_name("forearm");
  link.set_joint("ForeArm");
  *link.mutable_a() = offset;
  *link.mutable_b() = end;
  link.set_radius(0.045);
  link.set_length(0.25);
  const std::string link_bytes = block(1, "forearm") + block(2, "ForeArm") +
                                 block(3, block(1, kVec)) + block(4, end_bytes) + number(5, 0.045) +
                                 number(6, 0.25);
  expect_bytes(link, link_bytes);

  v1::AvatarModel model;
  model.set_name("m");
  model.set_description("d");
  *model.add_links() = link;
  model.add_aliases()->set_joint("Hand");
  model.mutable_aliases(0)->add_names("hand_l");
  const std::string aliases = block(1, "Hand") + block(2, "hand_l");
  expect_bytes(model.aliases(0), aliases);
  v1::AvatarModel::NamingScheme& scheme = *model.add_schemes();
  scheme.set_name("s");
  scheme.set_prefix("p_");
  *scheme.add_joints() = model.aliases(0);
  const std::string scheme_bytes = block(1, "s") + block(2, "p_") + block(3, aliases);
  expect_bytes(scheme, scheme_bytes);
  const std::string model_bytes = block(1, "m") + block(2, "d") + block(3, link_bytes) +
                                  block(4, aliases) + block(5, scheme_bytes);
  expect_bytes(model, model_bytes);
  expect_bytes(v1::ListAvatarModelsRequest(), "");
  v1::ListAvatarModelsResponse list;
  *list.add_models() = model;
  expect_bytes(list, block(1, model_bytes));
}

TEST(Golden, Open) {
  v1::Open open;
  open.set_environment("house");
  open.mutable_skeleton()->add_joints();
  open.set_model("humanoid16");
  open.set_radius_factor(0.0);  // of a oneof: zero is told
  *open.mutable_place() = vec(1, 2, -0.0);
  open.set_place_yaw_degrees(90);
  open.set_in_between(v1::IN_BETWEEN_TRANSLATE_ROTATE);
  open.set_contacts(v1::CONTACTS_FIRST);
  open.set_margin(0.25);
  open.set_tolerance(0.0);  // optional: zero is told
  open.set_clearance(true);
  open.add_ignore("*:*");
  open.set_coalesce(false);  // optional: false is told
  open.set_stop_pose(true);
  open.set_frame_seconds(0.125);
  open.set_label("take 1");
  open.set_meet(true);
  open.set_self(true);
  const auto wanted = [](const std::string& avatar, const std::string& radius) {
    return block(1, "house") + block(2, block(1, "")) + avatar + radius + block(7, kVec) +
           number(8, 90) + whole(9, 1) + whole(10, 1) + number(11, 0.25) + number(12, 0) +
           whole(13, 1) + block(14, "*:*") + whole(15, 0) + whole(16, 1) + number(17, 0.125) +
           block(18, "take 1") + whole(19, 1) + whole(20, 1);
  };
  expect_bytes(open, wanted(block(3, "humanoid16"), number(5, 0)));
  open.mutable_inline_model();
  open.set_radius_auto(true);
  expect_bytes(open, wanted(block(4, ""), whole(6, 1)));

  v1::Resume resume;
  resume.set_session_id("id");
  resume.set_received_steps(7);
  const std::string resume_bytes = block(1, "id") + whole(2, 7);
  expect_bytes(resume, resume_bytes);
  v1::TrackRequest request;
  request.mutable_open();
  expect_bytes(request, block(1, ""));
  *request.mutable_resume() = resume;
  expect_bytes(request, block(2, resume_bytes));
  v1::Frame frame;
  frame.set_id(9);
  frame.set_capture_time(2.5);
  *frame.mutable_pose() = pose();
  const std::string frame_bytes = whole(1, 9) + number(2, 2.5) + block(3, pose_bytes());
  expect_bytes(frame, frame_bytes);
  *request.mutable_frames()->add_frames() = frame;
  expect_bytes(request.frames(), block(1, frame_bytes));
  expect_bytes(request, block(3, block(1, frame_bytes)));
}

v1::FrameStamp stamp() {
  v1::FrameStamp out;
  out.set_id(11);
  out.set_capture_time(0.5);
  return out;
}
const std::string kStamp = whole(1, 11) + number(2, 0.5);

TEST(Golden, Reports) {
  expect_bytes(stamp(), kStamp);
  v1::IdRange range;
  range.set_first(12);
  range.set_last(13);
  expect_bytes(range, whole(1, 12) + whole(2, 13));

  v1::Contact contact;
  contact.set_link(1);
  contact.set_object(2);
  contact.set_triangle(3);
  contact.set_link_name("hand");
  contact.set_object_name("door");
  contact.set_status(v1::CONTACT_STATUS_GRAZE);
  contact.set_toc_low(0.25);
  contact.set_toc_high(0.5);
  *contact.mutable_point() = vec(1, 2, -0.0);
  *contact.mutable_normal() = vec(1, 2, -0.0);
  contact.set_limited(true);
  v1::Other& other = *contact.mutable_other();
  other.set_member(4);
  other.set_label("Bo");
  other.set_link(5);
  other.set_link_name("foot");
  const std::string other_bytes = whole(1, 4) + block(2, "Bo") + whole(3, 5) + block(4, "foot");
  expect_bytes(other, other_bytes);
  const std::string contact_bytes = whole(1, 1) + whole(2, 2) + whole(3, 3) + block(4, "hand") +
                                    block(5, "door") + whole(6, 2) + number(7, 0.25) +
                                    number(8, 0.5) + block(9, kVec) + block(10, kVec) +
                                    whole(11, 1) + block(12, other_bytes);
  expect_bytes(contact, contact_bytes);

  v1::Timing timing;
  timing.set_waited(1);
  timing.set_checked(2);
  timing.set_total(3);
  timing.set_batch(4);
  const std::string timing_bytes = number(1, 1) + number(2, 2) + number(3, 3) + whole(4, 4);
  expect_bytes(timing, timing_bytes);

  v1::Tick tick;
  tick.set_from(7);
  tick.set_to(8);
  tick.set_members(2);
  const std::string tick_bytes = whole(1, 7) + whole(2, 8) + whole(3, 2);
  expect_bytes(tick, tick_bytes);

  v1::StepReport report;
  report.set_step(1);
  *report.mutable_from() = stamp();
  *report.mutable_to() = stamp();
  *report.add_skipped() = range;
  report.set_safe_until(0.25);
  report.set_safe_until_time(0.75);
  *report.add_contacts() = contact;
  *report.mutable_stop_pose() = pose();
  report.add_clearances(0.125);
  report.set_stale_frames(5);
  report.set_duplicate_frames(6);
  *report.mutable_timing() = timing;
  *report.mutable_tick() = tick;
  report.set_fallback("it fell off");
  const std::string report_bytes =
      whole(1, 1) + block(2, kStamp) + block(3, kStamp) + block(4, whole(1, 12) + whole(2, 13)) +
      number(5, 0.25) + number(6, 0.75) + block(7, contact_bytes) + block(8, pose_bytes()) +
      numbers(9, {0.125}) + whole(10, 5) + whole(11, 6) + block(12, timing_bytes) +
      block(13, tick_bytes) + block(14, "it fell off");
  expect_bytes(report, report_bytes);
  v1::TrackResponse response;
  *response.mutable_reports()->add_reports() = report;
  expect_bytes(response.reports(), block(1, report_bytes));
  expect_bytes(response, block(2, block(1, report_bytes)));
}

TEST(Golden, EndsOfASession) {
  v1::Opened opened;
  opened.set_session_id("id");
  *opened.mutable_environment() = room();
  opened.set_avatar("humanoid16");
  opened.set_radius_factor(1.5);
  opened.add_links("hand");
  opened.set_backend("cpu");
  opened.set_device("a CPU");
  opened.set_version("0.6.0");
  opened.set_max_pending_frames(16);
  opened.set_session_ttl(60);
  opened.set_next_step(7);
  *opened.mutable_covered() = stamp();
  opened.add_warnings("w");
  v1::Meeting meeting;
  meeting.set_rate(120);
  meeting.set_member(3);
  const std::string meeting_bytes = number(1, 120) + whole(2, 3);
  expect_bytes(meeting, meeting_bytes);
  *opened.mutable_meeting() = meeting;
  const std::string opened_bytes =
      block(1, "id") + block(2, room_bytes()) + block(3, "humanoid16") + number(4, 1.5) +
      block(5, "hand") + block(6, "cpu") + block(7, "a CPU") + block(8, "0.6.0") + whole(9, 16) +
      number(10, 60) + whole(11, 7) + block(12, kStamp) + block(13, "w") + block(14, meeting_bytes);
  expect_bytes(opened, opened_bytes);

  v1::Ended ended;
  ended.set_steps(1);
  ended.set_contacts(2);
  ended.set_skipped_frames(3);
  ended.set_stale_frames(4);
  ended.set_duplicate_frames(5);
  ended.set_record("r.poses");
  const std::string ended_bytes =
      whole(1, 1) + whole(2, 2) + whole(3, 3) + whole(4, 4) + whole(5, 5) + block(6, "r.poses");
  expect_bytes(ended, ended_bytes);
  v1::Closing closing;
  closing.set_reason("r");
  expect_bytes(closing, block(1, "r"));

  v1::TrackResponse response;
  *response.mutable_opened() = opened;
  expect_bytes(response, block(1, opened_bytes));
  *response.mutable_ended() = ended;
  expect_bytes(response, block(3, ended_bytes));
  *response.mutable_closing() = closing;
  expect_bytes(response, block(4, block(1, "r")));
}

TEST(Golden, Enumerators) {
  EXPECT_EQ(static_cast<int>(v1::UP_AXIS_Y), 0);
  EXPECT_EQ(static_cast<int>(v1::UP_AXIS_Z), 1);
  EXPECT_EQ(static_cast<int>(v1::UP_AXIS_X), 2);
  EXPECT_EQ(static_cast<int>(v1::IN_BETWEEN_SCREW), 0);
  EXPECT_EQ(static_cast<int>(v1::CONTACTS_PAIRS), 0);
  EXPECT_EQ(static_cast<int>(v1::CONTACT_STATUS_OVERLAP), 0);
  EXPECT_EQ(static_cast<int>(v1::CONTACT_STATUS_HIT), 1);
  EXPECT_EQ(static_cast<int>(v1::CONTACT_STATUS_GRAZE), 2);
}

TEST(Golden, NoMessageIsLeftOut) {
  // 35 here, Begin, Aliases and NamingScheme inside others.
  EXPECT_EQ(v1::Frame::descriptor()->file()->message_type_count(), 35);
}

}  // namespace
}  // namespace tocsin::test
