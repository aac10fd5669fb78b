// POST /v1/chat/completions and /v1/completions, GET /v1/models, and vLLM's endpoints for adapters and tokens: from a request's body
// to requests of the engine, and from its events back to a reply or a stream.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "data/example.h"
#include "serve/generation/generation_service.h"
#include "serve/http/http_server.h"
#include "serve/openai/completion_request.h"

namespace cuset::serve {

// A prompt that leaves no room for an answer. Clients know it by its code, and shorten the conversation.
class ContextLengthExceeded : public base::Error {
 public:
  using base::Error::Error;
};

struct CompletionOptions {
  std::string model_name;              // what the base model is called
  std::string model_folder;            // another name for it
  std::filesystem::path adapter_root;  // adapters may be loaded from below it; empty: from nowhere
};

// Belongs to the server's thread. All that it is given must outlive it.
class Completions {
 public:
  Completions(HttpServer& server, GenerationService& service, const data::ExampleBuilder& builder,
              CompletionOptions options);

  void complete(const std::shared_ptr<HttpExchange>& exchange, CompletionKind kind);
  void list_models(HttpExchange& exchange) const;
  void show_model(HttpExchange& exchange) const;
  // vLLM's: the tokens of {"prompt"} or {"messages"}, and the text of {"tokens"}.
  void tokenize(HttpExchange& exchange) const;
  void detokenize(HttpExchange& exchange) const;
  void load_adapter(const std::shared_ptr<HttpExchange>& exchange);
  void unload_adapter(HttpExchange& exchange);

 private:
  struct Job;

  base::Json models() const;
  // Throws ContextLengthExceeded for a prompt of so many bytes that it must be longer than the context.
  void check_size(size_t bytes) const;
  [[noreturn]] void refuse_length(const std::string& length) const;
  std::vector<int64_t> encode_plain(const CompletionRequest::PlainText& prompt) const;
  std::vector<std::vector<int64_t>> prompts_of(const CompletionRequest& request) const;
  void check_amount(const CompletionRequest& request, const std::vector<std::vector<int64_t>>& prompts) const;
  void check_token(const char* field, int64_t token) const;
  std::string adapter_named(const std::string& model) const;  // empty: the base model
  bool knows_model(const std::string& model) const;
  bool submit(const std::shared_ptr<Job>& job, const CompletionRequest& request);
  GenerationListener listener_for(const std::shared_ptr<Job>& job, size_t index);
  // Throws Error for a folder that is not below the root.
  std::filesystem::path allowed_folder(const std::string& path) const;

  HttpServer& server_;
  GenerationService& service_;
  const data::ExampleBuilder& builder_;
  CompletionOptions options_;
  size_t longest_token_ = 1;  // bytes
};

}  // namespace cuset::serve
