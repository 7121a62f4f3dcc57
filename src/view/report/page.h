// A page in one file: its template, style, scripts and data.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tocsin::view {

/// A file of src/view/report/page, or three.js, as text inside the program
/// (cmake/TocsinEmbed.cmake).
struct PageFile {
  std::string_view name;  ///< the file's: "page.css"
  std::string_view text;
};

/// In order of name.
std::span<const PageFile> page_files();

/// True if three.js was there when Tocsin was built: a page can have a 3D view.
bool has_three();
/// What to install where it is not.
inline constexpr std::string_view kThreePackage = "libjs-three";

/// A page of one report. title: of the window, any text. data, scene: JSON; scene may be empty: the
/// page has no 3D view. The page loads nothing from elsewhere, and forbids it.
std::string report_page(std::string_view title, std::string_view data, std::string_view scene);

/// The index of many.
std::string index_page(std::string_view title, std::string_view data);

}  // namespace tocsin::view
