#include "app/check/ignore_suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "app/check/contact_words.h"
#include "app/cli/words.h"
#include "base/json_text.h"
#include "detect/crowd/name_patterns.h"
#include "scene/avatar/literal_glob.h"

namespace tocsin::app {
namespace {

/// An object hides the others if it has this share of all contacts, ...
constexpr double kDrowns = 0.5;
/// ... and of a link this share of the object's contacts is part of the reason.
constexpr double kMatters = 0.05;
/// More links than these do not rest on something: that is a collision, and no case for --ignore.
constexpr std::size_t kMostLinks = 4;
/// With fewer contacts than this the table is short anyway.
constexpr std::int64_t kLeastContacts = 20;

/// Contacts by the name of the link.
using ByLink = std::map<std::string, std::int64_t>;

struct Share {
  std::uint32_t object = 0;
  std::int64_t contacts = 0;
  ByLink links;
};

/// The object with most contacts; none if it does not hide others.
std::optional<Share> drowning(const Job& job, std::span<const io::Episode> episodes) {
  std::map<std::uint32_t, Share> shares;
  std::int64_t all = 0;
  for (const io::Episode& one : episodes) {
    all += one.steps;
    const RoomTriangle* const room = one.first.room();
    if (room == nullptr) continue;
    Share& share = shares[room->object];
    share.object = room->object;
    share.contacts += one.steps;
    const auto& links = job.takes[static_cast<std::size_t>(one.avatar)].member.avatar.links();
    share.links[links[static_cast<std::size_t>(one.first.link)].name] += one.steps;
  }
  const auto most = std::max_element(
      shares.begin(), shares.end(),
      [](const auto& a, const auto& b) { return a.second.contacts < b.second.contacts; });
  if (most == shares.end()) return std::nullopt;
  const std::int64_t contacts = most->second.contacts;
  const bool hides = contacts >= kLeastContacts && contacts < all &&
                     static_cast<double>(contacts) >= kDrowns * static_cast<double>(all);
  return hides ? std::optional(most->second) : std::nullopt;
}

std::set<std::string> names_of_all_links(const Job& job) {
  std::set<std::string> out;
  for (const JobTake& take : job.takes) {
    for (const Link& link : take.member.avatar.links()) out.insert(link.name);
  }
  return out;
}

/// "*foot" for left_foot and right_foot, if it matches these two of all links and no other; else
/// empty.
std::string common_glob(const std::string& left, const std::set<std::string>& chosen,
                        const std::set<std::string>& all) {
  constexpr std::string_view kLeft = "left_";
  if (!left.starts_with(kLeft)) return {};
  const std::string stem = left.substr(kLeft.size());
  if (!chosen.contains("right_" + stem)) return {};
  const std::string glob = "*" + scene::literal_glob(stem);
  const std::vector<std::string> names(all.begin(), all.end());
  const auto matched = detect::matching(
      glob, names.size(), [&names](std::size_t i) -> const std::string& { return names[i]; });
  return std::count(matched.begin(), matched.end(), std::uint8_t{1}) == 2 ? glob : std::string();
}

/// Globs that match these links and no other.
std::vector<std::string> globs_for(std::set<std::string> chosen, const std::set<std::string>& all) {
  std::vector<std::string> out;
  while (!chosen.empty()) {
    const std::string name = *chosen.begin();
    const std::string glob = common_glob(name, chosen, all);
    out.push_back(glob.empty() ? scene::literal_glob(name) : glob);
    if (!glob.empty()) chosen.erase("right_" + name.substr(5));
    chosen.erase(name);
  }
  return out;
}

/// In single quotes for a shell.
std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string ignore_suggestion(const Job& job, std::span<const io::Episode> episodes) {
  const auto found = drowning(job, episodes);
  if (!found) return {};
  const Share& share = *found;
  std::set<std::string> links;
  std::int64_t left_out = 0;
  for (const auto& [link, contacts] : share.links) {
    const double part = static_cast<double>(contacts) / static_cast<double>(share.contacts);
    if (part < kMatters) continue;
    links.insert(link);
    left_out += contacts;
  }
  if (links.size() > kMostLinks) return {};
  std::int64_t all = 0;
  for (const io::Episode& one : episodes) all += one.steps;
  const std::string& object = object_name(job, share.object);
  std::string options;
  for (const std::string& glob : globs_for(links, names_of_all_links(job))) {
    options += " --ignore " + shell_quoted(glob + ":" + scene::literal_glob(object));
  }
  const std::vector<std::string> names(links.begin(), links.end());
  return base::printable(fmt::format("{} of {} are of {} and {}. To leave these out:\n   {}\n",
                                     grouped(left_out), count_of(all, "contact"), listed(names),
                                     object, options));
}

}  // namespace tocsin::app
