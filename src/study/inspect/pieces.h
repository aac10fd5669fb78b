// A text cut into pieces that look alike, for showing it: the step that terminal and page share.
//
// An example is cut at its tokens, because that is how the trainer sees it: a token that only touches a
// region has the region's role as a whole. A source file without tokens is cut where regions begin and end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/byte_span.h"
#include "cuda_source/regions.h"
#include "data/example.h"

namespace cuset::study {

// What a piece is. Where several apply, the last of this list is shown.
enum class Role : uint8_t {
  kPrompt,
  kResponse,  // and whatever else of a source file is in no region
  kDeviceBody,
  kSignature,
  kKernelBody,
  kLaunchDefinition,
  kLaunchConfiguration,
  kGlobalMemory,
  kSharedMemory,
  kThreadIndexing,
  kSynchronization,
  kSpecial,  // a control token, not text
};
inline constexpr size_t kRoles = 12;

// "prompt", "response", "kernel body", ...
std::string_view name_of(Role role);

Role role_of(cuda_source::RegionKind kind);

struct ShownPiece {
  base::ByteSpan bytes;  // of the text
  std::string name;      // of a token without text, which the tokenizer added: shown in its place
  Role role = Role::kResponse;
  size_t first_token =
      0;              // the tokens that share these bytes: several where each holds a part of a character
  size_t tokens = 0;  // 0: a source file, or text that no token stands for
  bool is_label = false;
  bool is_cuda = false;
};

// The pieces, in order; their bytes cover the text without gap or overlap.
std::vector<ShownPiece> pieces_of_example(const data::Example& example, const text::Tokenizer& tokenizer);
std::vector<ShownPiece> pieces_of_source(std::string_view text,
                                         const std::vector<cuda_source::Region>& regions);

}  // namespace cuset::study
