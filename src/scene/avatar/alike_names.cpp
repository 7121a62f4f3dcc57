#include "scene/avatar/alike_names.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

#include "base/lower_case.h"

namespace tocsin::scene {
namespace {

/// Longer names are noise and are not compared letter by letter.
constexpr std::size_t kMostLetters = 64;
/// A shorter word with one letter changed is another word.
constexpr std::size_t kLeastLetters = 4;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_word(char c) {
  return is_digit(c) || is_upper(c) || is_lower(c) || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

/// `LeftUpArm01` gives Left, Up, Arm, 01; `LHipJoint` gives L, Hip, Joint.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> out;
  bool fresh = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_word(c)) {
      fresh = true;
      continue;
    }
    if (i > 0 && !fresh) {
      const char before = name[i - 1];
      const bool next_is_small = i + 1 < name.size() && is_lower(name[i + 1]);
      fresh = is_digit(c) != is_digit(before) || (is_upper(c) && is_lower(before)) ||
              (is_upper(c) && is_upper(before) && next_is_small);
    }
    if (fresh) out.emplace_back();
    out.back() += c;
    fresh = false;
  }
  for (std::string& word : out) word = base::lower(word);
  return out;
}

/// The side that a word names, or ' '.
char side_of(const std::string& word) {
  if (word == "l" || word == "left" || word == "lft") return 'l';
  if (word == "r" || word == "right" || word == "rgt") return 'r';
  return ' ';
}

/// Cuts a side off the front of a word that is written as one: `leftarm`.
char cut_side(std::string& word) {
  for (const auto& [text, side] : {std::pair{std::string_view("left"), 'l'}, {"right", 'r'}}) {
    if (word.size() > text.size() && word.starts_with(text)) {
      word.erase(0, text.size());
      return side;
    }
  }
  return ' ';
}

/// One letter more, less or other.
bool one_letter_off(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1 || a == b) return false;
  const auto differ = std::mismatch(a.begin(), a.end(), b.begin());
  const auto at = static_cast<std::size_t>(differ.first - a.begin());
  return a.substr(at + (a.size() == b.size() ? 1 : 0)) == b.substr(at + 1);
}

bool near(const NameKey& a, const NameKey& b) {
  const std::size_t longer = std::max(a.letters.size(), b.letters.size());
  return a.side == b.side && a.digits == b.digits && longer >= kLeastLetters &&
         longer <= kMostLetters && !a.letters.empty() && !b.letters.empty() &&
         a.letters.front() == b.letters.front() && one_letter_off(a.letters, b.letters);
}

/// Without the namespace of the tool that wrote it: `rig:Hips`.
std::string_view own_part(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

}  // namespace

NameKey name_key(std::string_view name) {
  name = own_part(name);
  std::vector<std::string> words = words_of(name);
  NameKey key;
  for (std::size_t i = 0; i < words.size() && words.size() > 1 && key.side == ' '; ++i) {
    // A number alone has no side: Xsens' L5 is a vertebra.
    const bool only_digits = words.size() == 2 && is_digit(words[1 - i].front());
    if (side_of(words[i]) == ' ' || only_digits) continue;
    key.side = side_of(words[i]);
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (std::string& word : words) {
    if (key.side == ' ') key.side = cut_side(word);
    if (!is_digit(word.front())) {
      key.letters += word;
      continue;
    }
    const std::size_t first = std::min(word.find_first_not_of('0'), word.size() - 1);
    key.digits += (key.digits.empty() ? "" : ".") + word.substr(first);
  }
  return key;
}

AlikeNames::AlikeNames(const Skeleton& skeleton) {
  for (const Joint& joint : skeleton.joints()) {
    const int index = static_cast<int>(keys_.size());
    keys_.push_back(name_key(joint.name));
    const auto [at, fresh] = by_key_.try_emplace(keys_.back(), index);
    if (!fresh) at->second = -1;
  }
}

const NameKey& AlikeNames::key_of(std::string_view name) const {
  std::string own(own_part(name));
  const auto known = asked_.find(own);
  if (known != asked_.end()) return known->second;
  NameKey key = name_key(own);
  return asked_.emplace(std::move(own), std::move(key)).first->second;
}

int AlikeNames::find_same(std::span<const std::string> names) const {
  for (const std::string& name : names) {
    if (const auto it = by_key_.find(key_of(name)); it != by_key_.end()) return it->second;
  }
  return -1;
}

int AlikeNames::find_near(std::span<const std::string> names, const std::set<int>& taken) const {
  for (const std::string& name : names) {
    const NameKey& wanted = key_of(name);
    int found = -1;
    int count = 0;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (!near(wanted, keys_[i])) continue;
      found = static_cast<int>(i);
      count += 1;
    }
    if (count == 1 && taken.find(found) == taken.end()) return found;
  }
  return -1;
}

}  // namespace tocsin::scene
