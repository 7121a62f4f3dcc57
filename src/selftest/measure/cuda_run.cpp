#include "selftest/measure/cuda_run.h"

#include <optional>
#include <span>
#include <utility>

#include "selftest/compare/contact_hash.h"

namespace tocsin::selftest {
namespace {

using cuda::BatchAnswer;
using cuda::BatchItem;

/// One set of batches in one room.
class Runner {
 public:
  Runner(const CudaRoom& room, const CudaBatches& batches)
      : room_(room), batches_(batches), items_(batches.members.size()), answers_(items_.size()) {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const Member& member = batches.members[i];
      items_[i] = {&member.avatar, nullptr, &member.active, &member.self, 0};
    }
  }

  Result<std::span<const BatchAnswer>> cuda(std::size_t batch) {
    for (std::size_t i = 0; i < items_.size(); ++i) items_[i].step = &batches_.steps[batch][i];
    std::size_t done = 0;
    const Status status = room_.checker->check(items_, batches_.meet, {}, answers_, done);
    if (!status) return status.error();
    for (const BatchAnswer& a : answers_) {
      if (a.left) return *a.left;
    }
    return std::span<const BatchAnswer>(answers_);
  }
  std::vector<StepReport> cpu(std::size_t batch) {
    return room_.cpu->check_batch(batches_.members, batches_.steps[batch], {.meet = batches_.meet});
  }

 private:
  const CudaRoom& room_;
  const CudaBatches& batches_;
  std::vector<BatchItem> items_;
  std::vector<BatchAnswer> answers_;
};

/// Untimed: what there is to do and to find, and whether both find the same.
Status compare(Runner& runner, const CudaBatches& batches, CudaRow& row) {
  ContactHash cuda_hash;
  ContactHash cpu_hash;
  row.equal = true;
  for (std::size_t b = 0; b < batches.steps.size(); ++b) {
    const auto answers = runner.cuda(b);
    if (!answers) return answers.error();
    const std::vector<StepReport> reports = runner.cpu(b);
    for (std::size_t i = 0; i < reports.size(); ++i) {
      if (reports[i].error) return *reports[i].error;
      const BatchAnswer& answer = answers.value()[i];
      if (row.equal && answer.contacts != reports[i].contacts) {
        row.equal = false;
        row.differing_batch = b;
        row.differing_avatar = i;
      }
      for (const Contact& c : reports[i].contacts) cpu_hash.add(c);
      for (const Contact& c : answer.contacts) {
        cuda_hash.add(c);
        ++(c.other() ? row.meetings : row.contacts);
      }
      row.work += answer.counters;
    }
  }
  for (const Member& member : batches.members) {
    row.joints += member.avatar.skeleton().joints().size() * row.batches;
    row.links += member.avatar.links().size() * row.batches;
  }
  row.hash = cuda_hash.hex();
  row.cpu_hash = cpu_hash.hex();
  return Nothing{};
}

/// A pass that waits after every stage.
Status split(const CudaRoom& room, Runner& runner, CudaRow& row) {
  room.checker->measure(true);
  if (const auto warm = runner.cuda(0); !warm) return warm.error();
  room.checker->measure(true);  // from 0, but memory has to be there
  const double begin = now_us();
  for (std::size_t b = 0; b < row.batches; ++b) {
    if (const auto answers = runner.cuda(b); !answers) return answers.error();
  }
  const double all = now_us() - begin;
  const auto costs = room.checker->costs();
  room.checker->measure(false);
  const auto cost = [&](cuda::Stage stage) { return costs[static_cast<std::size_t>(stage)]; };
  const cuda::StageCost upload = cost(cuda::Stage::kUpload);
  std::array<double, kCudaParts> seconds{};
  seconds[kPack] = upload.seconds - upload.upload_seconds;
  seconds[kUploadPart] = upload.upload_seconds;
  for (const auto& [part, stage] : {std::pair(kBoundsPart, cuda::Stage::kBounds),
                                    std::pair(kTraversalPart, cuda::Stage::kTraversal),
                                    std::pair(kCertifyPart, cuda::Stage::kCertify),
                                    std::pair(kLinkPairsPart, cuda::Stage::kLinkPairs)}) {
    seconds[part] = cost(stage).seconds - cost(stage).download_seconds;
  }
  double stages = 0.0;
  for (const cuda::StageCost& c : costs) {
    stages += c.seconds;
    row.uploaded += c.uploaded;
    row.downloaded += c.downloaded;
    row.launches += c.launches;
    row.waits += c.waits;
    seconds[kDownloadPart] += c.download_seconds;
  }
  seconds[kPack] -= upload.download_seconds;
  seconds[kRest] = 1e-6 * all - stages;
  for (std::size_t p = 0; p < kCudaParts; ++p) row.part_us[p] = 1e6 * seconds[p] / row.steps();
  return Nothing{};
}

}  // namespace

Result<CudaRoom> make_cuda_room(std::string name, const Environment& environment,
                                const std::shared_ptr<cuda::Device>& device,
                                const cuda::CheckerOptions& options) {
  CudaRoom out;
  out.name = std::move(name);
  out.triangles = environment.triangles().size();
  double begin = now_us();
  auto checker = cuda::BatchChecker::create(device, environment, options);
  if (!checker) return checker.error();
  out.checker = std::move(checker).value();
  out.upload_seconds = 1e-6 * (now_us() - begin);
  out.tree_megabytes = 1e-6 * static_cast<double>(out.checker->tree_bytes());
  begin = now_us();
  // The kernels know surfaces only: a Detector adds who is inside solids afterwards, on the CPU.
  auto cpu = Detector::make(environment, {.backend = Backend::kCpu, .surfaces = {"*"}});
  if (!cpu) return cpu.error();
  out.cpu = std::make_shared<const Detector>(std::move(cpu).value());
  out.cpu_seconds = 1e-6 * (now_us() - begin);
  return out;
}

Result<CudaRow> run_cuda(const CudaRoom& room, const CudaBatches& batches, std::size_t passes) {
  CudaRow row;
  row.triangles = room.triangles;
  row.avatars = batches.members.size();
  row.batches = batches.steps.size();
  Runner runner(room, batches);
  if (const Status same = compare(runner, batches, row); !same) return same.error();
  enum : std::size_t { kCuda, kCpu, kCudaProcessor, kCpuProcessor, kRows };
  Samples samples(kRows, row.batches);
  double begin = 0.0;
  double begin_processor = 0.0;
  const auto start = [&] {
    begin_processor = process_us();
    begin = now_us();
  };
  const auto set = [&](std::size_t wall, std::size_t processor, std::size_t batch) {
    const auto avatars = static_cast<double>(row.avatars);
    samples.set(wall, batch, (now_us() - begin) / avatars);
    samples.set(processor, batch, (process_us() - begin_processor) / avatars);
  };
  for (std::size_t pass = 0; pass < passes; ++pass) {
    samples.next_pass();
    for (std::size_t b = 0; b < row.batches; ++b) {
      start();
      if (const auto answers = runner.cuda(b); !answers) return answers.error();
      set(kCuda, kCudaProcessor, b);
      start();
      keep(runner.cpu(b));
      set(kCpu, kCpuProcessor, b);
    }
  }
  row.cuda_us = samples.along_passes(kCuda);
  row.cpu_us = samples.along_passes(kCpu);
  row.cuda_processor_us = samples.along_passes(kCudaProcessor);
  row.cpu_processor_us = samples.along_passes(kCpuProcessor);
  if (const Status done = split(room, runner, row); !done) return done.error();
  return row;
}

}  // namespace tocsin::selftest
