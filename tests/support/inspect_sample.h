// A hand-made example for the tests of inspect: tokens are given as texts, and no model is needed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/example.h"
#include "support/tiny_tokenizer.h"

namespace cuset::support {

// A tokenizer of bytes whose id 256 is the control token <end>.
inline text::Tokenizer byte_tokenizer() {
  base::Json document = tiny_document();
  add_token(document, "<end>", {"special"});
  return text::Tokenizer::from_json(document.dump(), "tiny");
}

inline constexpr uint32_t kEndId = 256;

// Tokens as they come: a prompt, a response, and <end>. The id of a text token is its first byte.
class ExampleMaker {
 public:
  ExampleMaker& prompt(const std::vector<std::string>& tokens) {
    for (const std::string& token : tokens) add(token, static_cast<unsigned char>(token[0]), false);
    return *this;
  }

  ExampleMaker& response(const std::vector<std::string>& tokens) {
    example_.response.begin = example_.text.size();
    for (const std::string& token : tokens) add(token, static_cast<unsigned char>(token[0]), true);
    example_.response.end = example_.text.size();
    return *this;
  }

  ExampleMaker& end() {
    add("<end>", kEndId, true);
    return *this;
  }

  // The first place of `text` in the example is a region; tokens that touch it become CUDA if its kind is
  // masked.
  ExampleMaker& region(cuda_source::RegionKind kind, std::string_view text, std::string name = "") {
    const size_t begin = example_.text.find(text);
    example_.regions.push_back({begin, begin + text.size(), kind, std::move(name)});
    for (size_t i = 0; i < example_.ids.size(); ++i) {
      const bool touches = example_.spans[i].begin < begin + text.size() && begin < example_.spans[i].end;
      if (touches && cuda_source::in_cuda_mask(kind) && example_.is_label[i] != 0) example_.is_cuda[i] = 1;
    }
    return *this;
  }

  data::Example done(std::string place = "data.jsonl:1") {
    cuda_source::sort_regions(example_.regions);
    example_.place = std::move(place);
    return example_;
  }

 private:
  void add(const std::string& text, uint32_t id, bool is_label) {
    const auto begin = static_cast<uint32_t>(example_.text.size());
    example_.text += text;
    example_.ids.push_back(id);
    example_.spans.push_back({begin, static_cast<uint32_t>(example_.text.size())});
    example_.is_label.push_back(is_label ? 1 : 0);
    example_.is_cuda.push_back(0);
  }

  data::Example example_;
};

// "ask" -> a kernel with its launch: 12 tokens, 10 learned, 6 of them CUDA.
inline data::Example kernel_example(std::string place = "data.jsonl:1") {
  return ExampleMaker()
      .prompt({"ask", "\n"})
      .response({"void ", "f(int* p)", " {", "*p", "=1;", "}\n", "f<<", "<1,2>>>", "(q);"})
      .end()
      .region(cuda_source::RegionKind::kKernelSignature, "f(int* p)", "f")
      .region(cuda_source::RegionKind::kKernelBody, "{*p=1;}", "f")
      .region(cuda_source::RegionKind::kLaunchConfiguration, "<<<1,2>>>", "f")
      .done(std::move(place));
}

}  // namespace cuset::support
