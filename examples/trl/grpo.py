#!/usr/bin/env python3
"""GRPO with TRL, rewarded by the judge of cuset: which kernels compile, run and are right decides what is learned.

    pip install trl ./python
    cuset gym tasks --output tasks.jsonl --count 20
    OMP_NUM_THREADS=1 python examples/trl/grpo.py --model assets/model --tasks tasks.jsonl --steps 5

prints TRL's progress and metrics, and at the end one line a step, "step N: reward R" with the mean reward of its four answers. The model of
assets/model is small enough for a CPU; an answer that is cut off (--tokens) has the reward 0. The judge is started here and judges on the CPU where there is no GPU. For a judge on another machine, give --url.
"""
import argparse

from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from cuset import Judge, trl_reward


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="model folder or name")
    parser.add_argument("--tasks", help="tasks to judge by, for a judge that is started here")
    parser.add_argument("--url", help="a judge that runs already")
    parser.add_argument("--output", default="runs/trl-grpo")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--tokens", type=int, default=512, help="longest completion")
    arguments = parser.parse_args()
    with Judge(tasks=None if arguments.url else arguments.tasks, url=arguments.url) as judge:
        rows = [{"prompt": [{"role": "user", "content": task["prompts"][0]["text"]}], "task": task["id"]}  # in the model's chat form
                for task in judge.tasks() if task["prompts"]]
        config = GRPOConfig(output_dir=arguments.output, max_steps=arguments.steps, per_device_train_batch_size=4,
                            num_generations=4, max_completion_length=arguments.tokens, temperature=0.8, learning_rate=1e-5,
                            logging_steps=1, report_to=[], bf16=False)
        trainer = GRPOTrainer(model=arguments.model, reward_funcs=trl_reward(judge), args=config,
                              train_dataset=Dataset.from_list(rows))
        trainer.train()
        for record in trainer.state.log_history:
            if "reward" in record:
                print(f"step {record['step']}: reward {record['reward']:.3f}")


if __name__ == "__main__":
    main()
