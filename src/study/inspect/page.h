// A data set as one HTML page that needs nothing else: inline style and script, no network, readable from a
// file.
//
// page.html is the page; its figures and samples travel in it as base/json/html_page.h says, so nothing in
// the data can become markup.
#pragma once

#include <string>
#include <vector>

#include "base/json/json.h"
#include "data/dataset.h"

namespace cuset::study {

struct PageOptions {
  std::string title;
  size_t most_samples = 200;  // the page says how many there are
};

// The whole page.
std::string render_page(const data::Dataset& dataset, const text::Tokenizer& tokenizer,
                        const PageOptions& options);

// One sample as the page's script wants it: its counts, its regions, and
// "pieces": [[text, role, marks, [id, ...]], ...], where marks is 1 for learned + 2 for CUDA.
base::Json sample_for_page(const data::Example& example, const text::Tokenizer& tokenizer);

}  // namespace cuset::study
