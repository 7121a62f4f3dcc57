#include "app/view/checks.h"

#include <utility>

#include "app/check/load_job.h"
#include "app/view/check_shown.h"
#include "app/view/story_of.h"

namespace tocsin::app {

Result<std::unique_ptr<Checks>> Checks::make(std::shared_ptr<const ShownReport> shown) {
  std::unique_ptr<Checks> out(new Checks);
  out->shown_ = std::move(shown);
  const Job& job = out->shown_->job;
  if (!job.scene) out->sight_ = std::make_shared<const view::Sight>(job.environment);
  auto story = story_of(out->shown_, out->sight_);
  if (!story) return story.error();
  out->story_ = std::move(story).value();
  const CheckSpec& spec = job.options.spec;
  out->told_ = {spec.margin, spec.ignore, spec.in_between};
  out->worker_ =
      std::jthread([checks = out.get()](const std::stop_token& stop) { checks->work(stop); });
  return out;
}

Checks::~Checks() {
  worker_.request_stop();
  {
    const std::lock_guard lock(mutex_);
    under_way_.request_stop();
  }
  wake_.notify_all();
}

std::shared_ptr<const view::Story> Checks::latest() {
  const std::lock_guard lock(mutex_);
  return story_;
}

void Checks::ask(const view::CheckWish& wish) {
  {
    const std::lock_guard lock(mutex_);
    asked_ = wish;
    problem_.clear();
    under_way_.request_stop();
  }
  wake_.notify_all();
}

view::CheckWish Checks::wish() const {
  const std::lock_guard lock(mutex_);
  return asked_ ? *asked_ : doing_.value_or(told_);
}

std::string Checks::state() const {
  const std::lock_guard lock(mutex_);
  return asked_ || doing_ ? "checking ..." : problem_;
}

bool Checks::busy() const {
  const std::lock_guard lock(mutex_);
  return asked_ || doing_;
}

void Checks::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wake_.wait(lock, [&] { return stop.stop_requested() || asked_.has_value(); });
    if (stop.stop_requested()) return;
    const view::CheckWish wish = *asked_;
    asked_.reset();
    doing_ = wish;
    under_way_ = std::stop_source();
    const std::stop_token given_up = under_way_.get_token();
    lock.unlock();
    std::string warning;
    auto story = check(wish, given_up, warning);
    lock.lock();
    doing_.reset();
    if (given_up.stop_requested()) continue;  // what was asked since is another question
    if (story) {
      story_ = std::move(story).value();
      told_ = wish;
      problem_ = warning;
    } else {
      problem_ = story.error().message;
    }
  }
}

Result<std::shared_ptr<const view::Story>> Checks::check(const view::CheckWish& wish,
                                                         const std::stop_token& stop,
                                                         std::string& warning) const {
  try {
    const Job& first = shown_->job;
    CheckOptions options = first.options;
    options.spec.margin = wish.margin;
    options.spec.ignore = wish.ignore;
    options.spec.in_between = wish.in_between;
    options.resolved = true;
    options.ignore_rest = false;  // its pairs are among the patterns
    options.out.reset();
    Rooms rooms;
    rooms.environment = first.environment;
    auto job = load_job(options, &rooms);
    if (!job) return job.error();
    for (const std::string& said : job->warnings) {
      if (warning.empty() && said.starts_with("--ignore")) warning = said;
    }
    job->detector.backend = first.detector.backend;
    auto again = check_shown(std::move(job).value(), shown_->file, stop, false);
    if (!again) return again.error();
    return story_of(std::make_shared<const ShownReport>(std::move(again).value()), sight_);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, "out of memory"};
  }
}

}  // namespace tocsin::app
