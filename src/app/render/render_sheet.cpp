#include "app/render/render_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "app/cli/progress.h"
#include "app/cli/words.h"
#include "app/render/picture_words.h"
#include "view/picture.h"
#include "view/sheet.h"

namespace tocsin::app {
namespace {

/// The episodes of a page: from `first` up to `end`, counted from 0.
struct Page {
  std::size_t first = 0;
  std::size_t end = 0;
  std::size_t all = 0;
  std::size_t pages = 1;
};

Result<Page> page_of(const RenderOptions& options, std::size_t episodes) {
  const std::size_t fit = view::sheet_capacity(options.camera.width, options.camera.height);
  Page out;
  out.all = episodes;
  out.pages = std::max<std::size_t>(1, (episodes + fit - 1) / fit);
  const auto page = static_cast<std::size_t>(options.page);
  if (page > out.pages) {
    return {ErrorCode::kUsage,
            fmt::format("--page: there {} of {} at this size, not {}",
                        out.pages == 1 ? "is one page" : fmt::format("are {} pages", out.pages),
                        count_of(static_cast<std::int64_t>(episodes), "episode"), page)};
  }
  out.first = (page - 1) * fit;
  out.end = std::min(episodes, out.first + fit);
  return out;
}

std::string shown_text(const Page& page) {
  if (page.all == 0) return "nothing is touched";
  return fmt::format("episodes {} to {} of {}", page.first + 1, page.end, page.all);
}

/// Leaves the contact that the caption names.
void keep_chosen(DrawnStep& drawn) {
  if (!drawn.about) return;
  const auto [actor, contact] = *drawn.about;
  const Contact chosen = drawn.actors[actor].report.contacts[contact];
  for (view::Actor& one : drawn.actors) one.report.contacts.clear();
  drawn.actors[actor].report.contacts = {chosen};
  drawn.about->contact = 0;
}

/// Draws steps into the cells of a sheet.
class SheetMaker {
 public:
  SheetMaker(const RenderOptions& options, const Job& job, gl::DeviceThread& device,
             const Page& page)
      : options_(options),
        job_(job),
        device_(device),
        sight_(job.environment),
        layout_(view::sheet_layout(options.camera.width, options.camera.height,
                                   std::max<std::size_t>(1, page.end - page.first))),
        sheet_(options.camera.width, options.camera.height, layout_, heading(page)) {}

  Status add(DrawnStep drawn, const view::Caption& caption) {
    keep_chosen(drawn);
    view::CameraWish wish = options_.camera;
    wish.width = layout_.width;
    wish.height = layout_.height;
    const view::StepScene scene(drawn.actors, job_.environment, job_.options.spec.margin,
                                options_.show, drawn.about);
    const auto picture = view::draw_step(device_, scene, sight_, wish, std::nullopt);
    if (!picture) return picture.error();
    sheet_.add(picture->image, caption);
    return Nothing{};
  }
  [[nodiscard]] const view::Image& image() const { return sheet_.image(); }

 private:
  [[nodiscard]] std::string heading(const Page& page) const {
    std::string out = page.all == 0 ? "Nothing is touched" : "E" + shown_text(page).substr(1);
    if (page.pages > 1) out += fmt::format(", page {} of {}", options_.page, page.pages);
    std::vector<std::string> names;
    for (const JobTake& take : job_.takes) names.push_back(take.name);
    return fmt::format("{}: {}", out, listed(names));
  }

  const RenderOptions& options_;
  const Job& job_;
  gl::DeviceThread& device_;
  view::Sight sight_;
  view::SheetLayout layout_;
  view::Sheet sheet_;
};

}  // namespace

Result<SheetPicture> draw_sheet(const RenderOptions& options, const Job& job,
                                const Detector& detector, const Findings& findings,
                                gl::DeviceThread& device) {
  const auto page = page_of(options, findings.episodes.size());
  if (!page) return page.error();
  SheetMaker sheet(options, job, device, *page);
  if (page->all == 0) {
    auto drawn = first_step(job, detector);
    if (!drawn) return drawn.error();
    const std::string step = step_text(job, drawn->step());
    if (auto added = sheet.add(std::move(*drawn), {step, "nothing is touched"}); !added) {
      return added.error();
    }
  }
  Progress progress("drawing", static_cast<std::int64_t>(page->end - page->first));
  for (std::size_t i = page->first; i < page->end; ++i) {
    auto drawn = step_of(job, detector, findings.episodes[i]);
    if (!drawn) return drawn.error();
    const auto caption = caption_of(job, findings.episodes[i], i + 1);
    if (auto added = sheet.add(std::move(*drawn), caption); !added) return added.error();
    progress.step();
  }
  std::string shows = shown_text(*page);
  if (page->end < page->all) {
    shows += fmt::format("; --page {} of {} has the next", options.page + 1, page->pages);
  }
  return SheetPicture{sheet.image(), std::move(shows)};
}

}  // namespace tocsin::app
