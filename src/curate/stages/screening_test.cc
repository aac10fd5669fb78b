#include "curate/stages/screening.h"

#include <gtest/gtest.h>

#include "curate/text/license.h"
#include "data/messages.h"

namespace cuset::curate {
namespace {

TEST(Screening, SecretsAreRecognized) {
  // Put together here, so that no scanner takes this file for one with secrets.
  const std::string random = "a8Fk2LmQ9xZr4TbV7nYp3WcD6sHj1EgU0oKi5";
  const std::vector<std::pair<std::string, std::string>> secrets = {
      {"key = AKIA" + std::string("QX7Z2M4N8P3R5T1V"), "AWS access key"},
      {"// ghp_" + random, "GitHub token"},
      {"hf_" + random, "Hugging Face token"},
      {"sk-proj-" + random + random, "OpenAI key"},
      {"const char* api_key = \"" + random + "\";", "password or key in quotes"},
      {"PASSWORD: '" + random + "'", "password or key in quotes"},
      {"-----BEGIN RSA PRIVATE KEY-----\n" + random + random + random + random, "private key"},
  };
  for (const auto& [text, name] : secrets) EXPECT_EQ(secret_in(text), name) << text;
}

TEST(Screening, CodeAndPlaceholdersAreNoSecrets) {
  for (const char* text :
       {"sk-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX", "std::string token = \"<your token here>\";",
        "const char* password = \"\";", "int token = tokens[i];", "fopen(\"data/secret_numbers_input.bin\")",
        "-----BEGIN PUBLIC KEY-----", "key: \"x\"", "FILE* f = fopen(\"data/input0123456789.bin\", \"rb\");",
        "task_AKIAQX7Z2M4N8P3R5T1V"})
    EXPECT_EQ(secret_in(text), std::nullopt) << text;
}

TEST(Screening, LicensesAreReadFromTagsAndSentences) {
  EXPECT_EQ(license_in("// SPDX-License-Identifier: BSD-3-Clause\nint x;"), "BSD-3-Clause");
  EXPECT_EQ(license_in("/*\n * Licensed under the Apache License, Version 2.0 (the \"License\")\n */"),
            "Apache-2.0");
  EXPECT_EQ(license_in("// Permission is hereby granted, free of charge, to any\n// person obtaining a copy"),
            "MIT");
  EXPECT_EQ(license_in("GNU GENERAL PUBLIC LICENSE\n Version 3"), "GPL-3.0");
  EXPECT_EQ(license_in("int main() {}"), "");
}

Row row_with(const std::string& license) {
  Row row;
  row.messages = base::Json::array({data::make_message("assistant", "int x;")});
  row.is_source = true;
  row.license = license;
  return row;
}

TEST(Screening, OnlyAllowedLicensesStay) {
  ScreeningOptions options;
  EXPECT_FALSE(screen(row_with("GPL"), options));
  options.licenses = {"MIT"};
  EXPECT_FALSE(screen(row_with("MIT"), options));
  EXPECT_FALSE(screen(row_with(""), options));
  EXPECT_EQ(screen(row_with("GPL"), options)->detail, "GPL");
  options.unknown_license = false;
  EXPECT_EQ(screen(row_with(""), options)->detail, "unknown");
}

}  // namespace
}  // namespace cuset::curate
