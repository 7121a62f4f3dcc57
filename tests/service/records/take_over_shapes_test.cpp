// A server goes on with a session whose avatar has shapes, those too that a client uploaded.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/mesh_bytes.h"
#include "cli/command.h"
#include "io/poses/record_head.h"
#include "service/records/take_over_rig.h"

namespace tocsin::test::take_over_shapes_test {
namespace {

class TakeOverShapesTest : public TakeOverTest {
 protected:
  /// As large as a body, so that it touches the room in most steps.
  static Shape tool() {
    return Shape::cone(0.3, 1.7, 1e-5)
        ->placed({{0.1, 0.2, -0.1}, {0.6, 0.8, 0, 0}, {1, 1, 1.1}})
        .value();
  }
  static ShapePlacement place() { return {{0, -0.1, 0}, {0.8, 0, 0.6, 0}, {1, -1, 1}}; }
  void upload_tool(Environments& rooms) {
    const Shape shape = tool();
    const fs::path file = folder_.path() / "tool.bytes";
    std::ofstream(file, std::ios::binary) << base::mesh_bytes(shape.corners(), shape.features());
    service::RoomRequest request("tool");
    request.shape = true;
    std::vector<std::string> warnings;
    const auto loaded = rooms.load_upload(*anyone_, request, file, "tool.shape", {}, warnings);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  }
  TrackOptions armed() const {
    TrackOptions out = options();
    out.environment = "own";
    out.frame_seconds = take_[0].motion.frame_time();
    LinkModel& inline_one = out.model->links.emplace_back();
    inline_one.name = "box";
    inline_one.joint = out.model->links.front().joint;
    inline_one.shape = *Shape::box({0.2, 0.3, 0.4}, 0.01);
    LinkModel& link = out.model->links.emplace_back();
    link.name = "tool";
    link.joint = out.model->links.front().joint;
    LoadedShape& asked = out.shapes.emplace_back();
    asked.link = out.model->links.size() - 1;
    asked.name = "tool";
    asked.at = place();
    return out;
  }
  std::vector<TrackReport> begin_armed(Engine& engine, std::int64_t last) {
    session_ = engine.open(anyone_, armed(), outlet_, opened_, problem_);
    EXPECT_TRUE(session_) << problem_.message;
    if (!session_) return {};
    id_ = opened_.session_id;
    return walk(*session_, *outlet_, take_[0], last);
  }
  /// What a check of the same poses finds.
  void expect_of_check(const std::vector<TrackReport>& reports) const {
    AvatarModel model = *armed().model;
    model.links.back().shape = tool().placed(place()).value();
    const auto avatar = Avatar::bind(model, take_[0].motion.skeleton());
    ASSERT_TRUE(avatar.ok()) << avatar.error().message;
    const Detector detector = Detector::make(room("room0")->environment).value();
    ASSERT_EQ(reports.size(), static_cast<std::size_t>(kLast));
    std::size_t i = 0;
    std::size_t of_shapes = 0;
    for (const Step& step : take_[0].motion.steps().value()) {
      if (i == reports.size()) break;
      const StepReport want = detector.check(*avatar, step);
      EXPECT_EQ(reports[i].result.contacts, want.contacts) << i;
      for (const Contact& contact : want.contacts) of_shapes += contact.link_feature ? 1U : 0U;
      ++i;
    }
    EXPECT_GT(of_shapes, 20U);
  }
};

TEST_F(TakeOverShapesTest, ShapesAreThoseOfTheRecord) {
  const fs::path folder = records("one");
  const auto rooms = rooms_of(folder);
  upload(*rooms, *anyone_, "own");
  upload_tool(*rooms);
  Engine first(engine_options(folder), rooms);
  std::vector<TrackReport> reports = begin_armed(first, 15);
  // Twice: the second record knows the shapes from the first.
  fs::path left = crashed(folder);
  Engine second(engine_options(left), rooms_of(left));
  auto outlet = std::make_shared<WaitingOutlet>();
  auto session = resume(second, reports.size(), outlet);
  ASSERT_TRUE(session) << problem_.message;
  for (std::int64_t k = static_cast<std::int64_t>(opened_.covered->id) + 1; k <= 25; ++k) {
    ASSERT_FALSE(session->offer(outlet.get(), frame_of(take_[0].motion, k), Clock::now()));
  }
  const auto end = Clock::now() + seconds(60);
  while (reports.back().to.id != 25 && Clock::now() < end) {
    outlet->wait();
    append(reports, session->pull(outlet.get(), 100));
  }
  left = crashed(left);
  Engine third(engine_options(left), rooms_of(left));
  outlet = std::make_shared<WaitingOutlet>();
  service::MemoryBudget little(1);
  EXPECT_FALSE(third.resume(anyone_, id_, reports.size(), outlet, opened_, problem_, &little));
  EXPECT_EQ(problem_.refusal, Refusal::kOverloaded) << problem_.message;
  session = resume(third, reports.size(), outlet);
  ASSERT_TRUE(session) << problem_.message;
  append(reports, go_on(*session, *outlet, opened_.covered->id));
  expect_of_check(reports);
}

TEST_F(TakeOverShapesTest, TheSecondRecordNamesTheMeshes) {
  const fs::path folder = records("one");
  const auto rooms = rooms_of(folder);
  upload(*rooms, *anyone_, "own");
  upload_tool(*rooms);
  Engine first(engine_options(folder), rooms);
  const std::size_t told = begin_armed(first, 10).size();
  const fs::path left = crashed(folder);
  Engine second(engine_options(left), rooms_of(left));
  auto outlet = std::make_shared<WaitingOutlet>();
  const auto session = resume(second, told, outlet);
  ASSERT_TRUE(session) << problem_.message;
  std::size_t records = 0;
  for (const auto& entry : fs::directory_iterator(left)) {
    if (entry.path().extension() != ".poses") continue;
    const auto head = io::read_record_head(entry.path());
    ASSERT_TRUE(head.ok()) << head.error().message;
    const auto& inputs = head->run.inputs;
    EXPECT_EQ(std::count_if(inputs.begin(), inputs.end(),
                            [](const io::InputRecord& input) { return input.role == "mesh"; }),
              1)
        << entry.path();
    ++records;
  }
  EXPECT_EQ(records, 2U);
}

TEST_F(TakeOverShapesTest, AMeshThatChangedIsNotTaken) {
  const fs::path folder = records("one");
  const auto rooms = rooms_of(folder);
  upload(*rooms, *anyone_, "own");
  upload_tool(*rooms);
  Engine first(engine_options(folder), rooms);
  const std::size_t told = begin_armed(first, 10).size();
  for (const std::string damage : {"gone", "changed"}) {
    const fs::path left = crashed(folder);
    for (const auto& entry : fs::recursive_directory_iterator(left / "rooms")) {
      if (entry.path().filename() != "tool.shape") continue;
      const Shape other = *Shape::box({1, 1, 1});
      const std::string bytes = base::mesh_bytes(other.corners(), other.features());
      if (damage == "gone") fs::remove(entry.path());
      if (damage == "changed") std::ofstream(entry.path(), std::ios::binary) << bytes;
      break;
    }
    Engine second(engine_options(left), rooms_of(left));
    auto outlet = std::make_shared<WaitingOutlet>();
    EXPECT_FALSE(resume(second, told, outlet)) << damage;
    EXPECT_EQ(problem_.refusal, Refusal::kOutOfRange) << problem_.message;
    EXPECT_EQ(problem_.message.find('/'), std::string::npos) << problem_.message;
  }
}

/// The contact lines of a report.
std::vector<std::string> contact_lines(const std::string& report) {
  std::vector<std::string> out;
  std::size_t at = 0;
  while (at < report.size()) {
    const std::size_t end = std::min(report.find('\n', at), report.size());
    const std::string line = report.substr(at, end - at);
    if (line.starts_with("{\"type\":\"contact\"")) out.push_back(line);
    at = end + 1;
  }
  return out;
}

// Confirmed whole, and as far as it is whole wherever it is cut off; its mesh is kept while there
// is a record that needs it.
TEST_F(TakeOverShapesTest, ARecordIsConfirmedAndCutAnywhere) {
  const fs::path folder = records("one");
  const auto rooms = rooms_of(folder);
  upload(*rooms, *anyone_, "own");
  upload_tool(*rooms);
  std::string stem;
  {
    Engine engine(engine_options(folder), rooms);
    begin_armed(engine, kLast);
    session_->finish(outlet_.get());
    const auto end = Clock::now() + seconds(60);
    while (!session_->ended(outlet_.get()) && Clock::now() < end) {
      outlet_->wait();
      static_cast<void>(session_->pull(outlet_.get(), 100));
    }
    session_.reset();
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".poses") stem = entry.path().stem().string();
  }
  ASSERT_FALSE(stem.empty());
  const auto head = io::read_record_head(folder / (stem + ".poses"));
  ASSERT_TRUE(head.ok()) << head.error().message;
  fs::path mesh;
  for (const io::InputRecord& input : head->run.inputs) {
    if (input.role == "mesh") mesh = folder / input.file;
  }
  ASSERT_TRUE(fs::exists(mesh)) << mesh;
  const std::string report = (folder / (stem + ".jsonl")).string();
  const CommandResult verified = run_tocsin({"verify", report});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  std::ifstream in(report, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::vector<std::string> whole = contact_lines(text);
  ASSERT_GT(whole.size(), 20U);
  std::ifstream poses_in(folder / (stem + ".poses"), std::ios::binary);
  const std::string poses{std::istreambuf_iterator<char>(poses_in), {}};
  const std::string cut = (folder / "cut.poses").string();
  // From behind the head and two poses on.
  std::size_t least = 0;
  for (int line = 0; line < 4; ++line) least = poses.find('\n', least) + 1;
  for (int i = 0; i < 12; ++i) {
    const std::size_t bytes =
        i == 0 ? poses.size()
               : static_cast<std::size_t>(random_.uniform(static_cast<double>(least),
                                                          static_cast<double>(poses.size())));
    std::ofstream(cut, std::ios::binary) << poses.substr(0, bytes);
    const CommandResult again = run_tocsin({"check", "--like", cut, "--out", "-"});
    ASSERT_EQ(again.status, 0) << bytes << ": " << again.err;
    const std::vector<std::string> part = contact_lines(again.out);
    ASSERT_LE(part.size(), whole.size());
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin())) << bytes;
    EXPECT_TRUE(i > 0 || part.size() == whole.size());
  }
  fs::remove(cut);
  // Old enough to go, but for the record.
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(48);
  fs::last_write_time(mesh, old);
  service::RecordStore store(folder, engine_options(folder).record_rules, nullptr);
  store.tidy({});
  EXPECT_TRUE(fs::exists(mesh));
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with(stem)) fs::remove(entry.path());
  }
  store.tidy({});
  EXPECT_FALSE(fs::exists(mesh));
}

}  // namespace
}  // namespace tocsin::test::take_over_shapes_test
