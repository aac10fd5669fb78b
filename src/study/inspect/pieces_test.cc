#include "study/inspect/pieces.h"

#include <gtest/gtest.h>

#include "support/inspect_sample.h"

namespace cuset::study {
namespace {

// "role[text]" for every piece, with "+" where it is learned and "#" where it is CUDA.
std::string dump(std::string_view text, const std::vector<ShownPiece>& pieces) {
  std::string out;
  for (const ShownPiece& piece : pieces) {
    out += fmt::format("{}{}{}[{}{}]", name_of(piece.role), piece.is_label ? "+" : "",
                       piece.is_cuda ? "#" : "", piece.bytes.of(text), piece.name);
  }
  return out;
}

std::string dump(const data::Example& example) {
  return dump(example.text, pieces_of_example(example, support::byte_tokenizer()));
}

TEST(InspectPieces, TokenThatTouchesARegionHasItsRole) {
  EXPECT_EQ(dump(support::kernel_example()),
            "prompt[ask]prompt[\n]response+[void ]signature+[f(int* p)]kernel body+#[ {]kernel body+#[*p]"
            "kernel body+#[=1;]kernel body+#[}\n]launch configuration+#[f<<]launch configuration+#[<1,2>>>]"
            "response+[(q);]special token+[<end>]");
}

TEST(InspectPieces, LettersOfAControlTokenStayText) {
  const data::Example example = support::ExampleMaker().prompt({"<end>"}).response({"a"}).end().done();
  EXPECT_EQ(dump(example), "prompt[<end>]response+[a]special token+[<end>]");
}

TEST(InspectPieces, TokensOfOneCharacterAreOnePiece) {
  data::Example example = support::ExampleMaker().response({"é", "a"}).done();
  example.ids.insert(example.ids.begin(), 0xC3);
  example.spans.insert(example.spans.begin(), {0, 2});
  example.is_label.insert(example.is_label.begin(), 1);
  example.is_cuda.insert(example.is_cuda.begin(), 0);
  const std::vector<ShownPiece> pieces = pieces_of_example(example, support::byte_tokenizer());
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].tokens, 2u);
  EXPECT_EQ(pieces[1].first_token, 2u);
}

TEST(InspectPieces, AddedTokenWithoutTextShowsItsName) {
  data::Example example = support::ExampleMaker().response({"a"}).done();
  example.ids.insert(example.ids.begin(), support::kEndId);
  example.spans.insert(example.spans.begin(), {0, 0});
  example.is_label.insert(example.is_label.begin(), 0);
  example.is_cuda.insert(example.is_cuda.begin(), 0);
  EXPECT_EQ(dump(example), "special token[<end>]response+[a]");
}

TEST(InspectPieces, LearnedClosingThatIsNoSpecialTokenIsNoPrompt) {
  data::Example example = support::ExampleMaker().prompt({"ask"}).response({"a"}).done();
  example.text += "z";
  example.ids.push_back('z');
  example.spans.push_back({4, 5});
  example.is_label.push_back(1);
  example.is_cuda.push_back(0);
  EXPECT_EQ(dump(example), "prompt[ask]response+[a]response+[z]");
}

TEST(InspectPieces, TextWithoutTokenIsNotLost) {
  data::Example example = support::ExampleMaker().prompt({"ask"}).response({"a", " ", "b", " "}).done();
  for (const size_t token : {4, 2}) {
    example.ids.erase(example.ids.begin() + static_cast<ptrdiff_t>(token));
    example.spans.erase(example.spans.begin() + static_cast<ptrdiff_t>(token));
    example.is_label.erase(example.is_label.begin() + static_cast<ptrdiff_t>(token));
    example.is_cuda.erase(example.is_cuda.begin() + static_cast<ptrdiff_t>(token));
  }
  EXPECT_EQ(dump(example), "prompt[ask]response+[a]response[ ]response+[b]response[ ]");
}

TEST(InspectPieces, SourceIsCutAtItsRegions) {
  const std::string text = "__global__ void f(int* p) { p[threadIdx.x] = 1; } void g() { f<<<1, 2>>>(q); }";
  EXPECT_EQ(dump(text, pieces_of_source(text, cuda_source::find_regions(text))),
            "response[__global__ void ]signature[f(int* p)]response[ ]kernel body[{ p[threadIdx.x] = 1; }]"
            "response[ void g() { f]launch configuration[<<<1, 2>>>]response[(q); }]");
  EXPECT_EQ(dump(text, pieces_of_source(text, cuda_source::find_regions(text, {.sensitivity = true})))
                .substr(0, 107),
            "response[__global__ void ]signature[f(int* p)]response[ ]kernel body[{ ]global memory[p[]thread "
            "indexing[th");
}

TEST(InspectPieces, EmptyTextHasNoPieces) {
  EXPECT_TRUE(pieces_of_source("", {}).empty());
  EXPECT_TRUE(pieces_of_example({}, support::byte_tokenizer()).empty());
}

}  // namespace
}  // namespace cuset::study
