#include "train/ranks/rank_mailbox.h"

#include <gtest/gtest.h>

#include <future>

#include "base/error.h"
#include "support/error_text.h"
#include "support/free_port.h"

namespace cuset::train {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kLong(60'000);

RankEnvironment rank_of_two(int rank, int port) {
  RankEnvironment environment;
  environment.rank = rank;
  environment.size = 2;
  environment.master_host = "127.0.0.1";
  environment.master_port = static_cast<uint16_t>(port);
  return environment;
}

// Both ranks in this process: the store is a real one, over TCP.
class Mailboxes : public testing::Test {
 protected:
  void SetUp() override {
    const int port = support::free_port();
    auto first = std::async(std::launch::async,
                            [&] { return std::make_unique<RankMailbox>(rank_of_two(0, port), options_); });
    second_ = std::make_unique<RankMailbox>(rank_of_two(1, port), options_);
    first_ = first.get();
  }

  const MailboxOptions options_{.start_timeout = kLong, .interval = milliseconds(10), .patience = 50};
  std::unique_ptr<RankMailbox> first_;
  std::unique_ptr<RankMailbox> second_;
};

TEST_F(Mailboxes, MessagesArriveInOrderWithTheirSender) {
  EXPECT_EQ(first_->sharers(), 2);
  second_->post(0, "one");
  second_->post(0, std::string(300'000, 'x'));
  EXPECT_EQ(first_->take(kLong)->text, "one");
  const std::optional<RankMessage> second = first_->take(kLong);
  EXPECT_EQ(second->from, 1);
  EXPECT_EQ(second->text.size(), 300'000u);
  first_->post(1, "back");
  EXPECT_EQ(second_->take(kLong)->text, "back");
  EXPECT_EQ(second_->take(milliseconds(0)), std::nullopt);
}

TEST_F(Mailboxes, ASilentRankIsLostOnce) {
  second_.reset();
  std::optional<int> lost;
  while (!lost) lost = first_->take_lost();
  EXPECT_EQ(lost, 1);
  EXPECT_EQ(first_->take(milliseconds(0)), std::nullopt);
}

TEST_F(Mailboxes, WithoutRankZeroTheOthersEnd) {
  first_.reset();
  EXPECT_EQ(support::error_of([&] { second_->take(kLong); }).find("rank 1 lost rank 0: "), 0u);
}

}  // namespace
}  // namespace cuset::train
