#!/usr/bin/env python3
"""cuset serve against KernelGYM's own client (Dr. Kernel's reward function), run in place from a checkout of hkust-nlp/KernelGYM.

usage: KERNELGYM=CHECKOUT kernelgym_client.py CUSET TASKS

Needs ray and httpx. The client takes its rate limiter from an old release of verl; a limiter of a few lines stands in for it, since it has no
part in what is sent or understood.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import types

CHECKOUT = os.environ.get("KERNELGYM")
try:
    import httpx  # noqa: F401
    import ray
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)
if not CHECKOUT:
    print("skipped: the variable KERNELGYM names no checkout")
    sys.exit(77)

LIMITER = '''
import ray

@ray.remote
class TokenBucketWorker:
    def __init__(self, rate_limit):
        self.count = 0
    def acquire(self):
        self.count += 1
    def release(self):
        self.count -= 1
    def get_current_count(self):
        return self.count
'''

REFERENCE = '''
import torch
import torch.nn as nn

class {name}(nn.Module):
    def forward(self, x):
        return torch.relu(x) * 2

def get_inputs():
    return [torch.randn(64, 128)]

def get_init_inputs():
    return []
'''

KERNEL = '''
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
__global__ void twice(const float* x, float* y, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0 ? {factor} * x[i] : 0;
}}
torch::Tensor run(torch::Tensor x) {{
  auto y = torch::empty_like(x);
  int n = x.numel();
  twice<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}}
"""
module = load_inline(name="twice", cpp_sources="torch::Tensor run(torch::Tensor x);", cuda_sources=source, functions=["run"])

class {name}New(nn.Module):
    def forward(self, x):
        return module.run(x)
'''

LAZY = '''
import torch
import torch.nn as nn

class ModelNew(nn.Module):
    def forward(self, x):
        return torch.relu(x) * 2
'''


def settings_for(address):
    penalties = types.SimpleNamespace(penalty_score=0.0)
    return types.SimpleNamespace(
        server_url=address, timeout=600, task_timeout=300, task_timeout_in_client=600, max_retries=3, rate_limit=8, max_concurrent=8,
        acquire_timeout=60, reward_func_name="calculate_reward_weighted", init_correct_weight=0.5, init_performance_weight=0.5,
        speedup_eps=0.01, reward_policy=types.SimpleNamespace(penalties=penalties), speedup_reward_upper_bound=3.0,
        speedup_reward_lower_bound=0.0, num_perf_trials=10, num_correct_trials=2, enable_profiling=True, verbose_errors=True,
        detect_decoy_kernel=True, reference_backend=None,
        coverage_reward=types.SimpleNamespace(reward_type="time_coverage", enable=False, weight=0.25))  # fmt: skip


def rewards_of(address):
    from kernel.rewards.kernel_reward import compute_kernel_reward_batch

    codes = [("Model", KERNEL.format(name="Model", factor="2")), ("Model", KERNEL.format(name="Model", factor="3")),
             ("Twice", KERNEL.format(name="Twice", factor="2")), ("Model", LAZY), ("Model", KERNEL.format(name="Model", factor="2 +"))]  # fmt: skip
    names = [name for name, _ in codes]
    return compute_kernel_reward_batch([f"```python\n{code}```" for _, code in codes], [REFERENCE.format(name=name) for name in names],
                                       names, reward_config=settings_for(address))  # fmt: skip


def main(program, tasks):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "verl" / "tools").mkdir(parents=True)
        for package in ("verl", "verl/tools"):
            (folder / package / "__init__.py").touch()
        (folder / "verl/tools/sandbox_fusion_tools.py").write_text(LIMITER)
        path = [str(folder), str(pathlib.Path(CHECKOUT) / "drkernel")]
        sys.path[:0] = path
        ray.init(address="local", num_cpus=1, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": ":".join(path)}})
        server = subprocess.Popen([program, "serve", "--judge", "--tasks", tasks, "--output", folder / "judge", "--executor", "cpu", "--port", "0"],
                                  stdout=subprocess.PIPE, text=True)  # fmt: skip
        try:
            address = server.stdout.readline().split()[-1]
            told = [(reward["compiled"], reward["correctness"], reward.get("decoy_kernel", False), reward["reward"]) for reward in rewards_of(address)]
        finally:
            server.terminate()
            server.wait()
            ray.shutdown()
    wanted = [(True, True, False, 0.5), (True, False, False, 0.0), (True, True, False, 0.5), (False, False, True, 0.0), (False, False, False, 0.0)]
    if told != wanted:
        sys.exit(f"kernelgym_client: {told}, wanted {wanted}")
    print("KernelGYM's client: right, wrong, another entry point, no kernel, compile error")


if __name__ == "__main__":
    main(*sys.argv[1:])
