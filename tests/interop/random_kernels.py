"""Random kernels on the CPU executor, in two ways that share little code: as loops over the threads of regions, and as coroutines
with the threads in reverse order (`cuset run --schedules 2`). Kernels are free of races and update what they share by operations
without an order, so that every order gives the same numbers. A kernel with a race must be noticed, or the comparison compares nothing.

usage: random_kernels.py CUSET [--programs N] [--seed S]
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

from cudabench_rows import skip_without_cpu_executor

KERNELS = 6
VALUES = ["v", "w", "t", "u", "n", "block", "threadIdx.x", "threadIdx.y", "lane", "kept[2]", "kept[(t + u) & 3]", "-7", "39",
          "mine[t]", "bytes[v & 7]", "__float_as_uint(f)", "static_cast<unsigned>(wide >> 20)"]
SOME_THREADS = ["t < n", "t % 3 == 0", "threadIdx.x < 20", "lane < 9", "(v & 4) == 0", "t >= n", "(t ^ v) & 2",
                "t < n && threadIdx.y < 3"]
WHOLE_WARPS = ["t < 32", "t / 32 == 1", "t / 32 % 2 == 0", "warp < u"]
WHOLE_BLOCKS = ["n > 30", "u & 1", "block == 0", "common[3] & 2"]
WARP_OPERATIONS = ["v += __shfl_xor_sync(~0u, w, 4);", "w ^= __shfl_down_sync(~0u, v, 3);", "v += __reduce_add_sync(~0u, w);",
                   "v ^= __shfl_sync(~0u, w, (lane * 5 + u) & 31);", "w += __ballot_sync(~0u, v & 8);"]
SHAPES = ["dim3(64, 1)", "dim3(32, 4)", "dim3(16, 8)", "dim3(96, 2)"]
ARGUMENTS = [(37, 3), (100, 2), (7, 5)]

KERNEL = """__global__ void k%d(const unsigned* in, unsigned* out, int n, unsigned u) {
  __shared__ unsigned line[256], common[4];
  const int t = threadIdx.x + threadIdx.y * blockDim.x, size = blockDim.x * blockDim.y;
  const int lane = t %% 32, warp = t / 32, block = blockIdx.x;
  unsigned v = in[t], w = in[t + 300] + block, kept[4] = {v, w, v ^ w, 7};
  unsigned char bytes[8] = {1, 2, 3, 5, 8, 13, 21, 34};
  float f = v %% 1000 * 0.01f;
  unsigned long long wide = w;
  unsigned* mine = out + 1024 + block * size;
  if (t < 4) common[t] = u + t;
  mine[t] = w * 5;
  __syncthreads();
%s
  out[block * size + t] = v * 31 + w * 17 + kept[0] + kept[1] * 3 + kept[2] * 5 + kept[3] * 7 + bytes[v & 7] +
                          __float_as_uint(f) + static_cast<unsigned>(wide >> 9);
}"""

PROGRAM = """#include <cstdio>
__device__ __noinline__ unsigned mix(unsigned a, unsigned* b) { return *b += a ^ threadIdx.x; }
__device__ unsigned pick(unsigned a, unsigned b) {
  if (a & 1) return b + 3;
  return a > b ? a - b : b;
}
%s
unsigned *in, *out;
template <class K>
void run(K kernel, dim3 block, int n, unsigned u, const char* name) {
  for (int i = 0; i < 2048; ++i) out[i] = 0xabcdef;
  kernel<<<3, block>>>(in, out, n, u);
  const cudaError_t error = cudaDeviceSynchronize();
  unsigned long long sum = 0;
  for (int i = 0; i < 2048; ++i) sum = sum * 6364136223846793005ull + out[i];
  std::printf("%%s %%s %%llx\\n", name, cudaGetErrorName(error), sum);
}
int main() {
  cudaMallocManaged(&in, 8192);
  cudaMallocManaged(&out, 8192);
  for (unsigned i = 0; i < 2048; ++i) in[i] = i * 2654435761u >> 7;
%s
}
"""


class Kernel:
    """Statements at random: `together` where all threads of a block pass, `warps` where all of a warp do."""

    def __init__(self, stream):
        self.stream = stream
        self.loops = 0
        # A kernel in which some warps alone wait is not cut into regions at all.
        self.places_of_warps = WHOLE_BLOCKS + (WHOLE_WARPS if stream.random() < 0.25 else [])

    def value(self, depth=2):
        if depth == 0 or self.stream.random() < 0.3:
            return self.stream.choice(VALUES)
        return f"({self.value(depth - 1)} {self.stream.choice('+-*^&|')} {self.value(depth - 1)})"

    def counter(self):
        self.loops += 1
        return f"i{self.loops}"

    def exchange(self):
        place = self.stream.choice(["(t + 1) % size", "(t + n) % size", "size - 1 - t", "7 * t % size"])
        return [f"line[t] = {self.value()};", "__syncthreads();", f"v += line[{place}];", "__syncthreads();"]

    def vote(self):
        return [f"w += __syncthreads_{self.stream.choice(['count', 'and', 'or'])}({self.stream.choice(SOME_THREADS)});"]

    # One thread works alone, on what all of them read before and afterwards.
    def alone(self):
        i = self.counter()
        place = self.stream.choice(["0", "u & 3", f"{i} & 3"])
        return ["__syncthreads();", f"if (t == {self.stream.choice(['0', 'n % 16', 'size - 1'])})",
                f"  for (int {i} = 0; {i} < {self.stream.choice(['3', 'n % 9', 'size'])}; ++{i})",
                f"    common[{place}] = common[{place}] * 5 + {self.stream.choice([f'line[{i} % 7]', 'v', f'mine[{i}]'])};",
                "__syncthreads();", f"v ^= common[{self.stream.choice(['0', 'u & 3', 't & 3'])}];", "__syncthreads();"]

    def count(self):
        update = self.stream.choice(["atomicAdd", "atomicXor", "atomicMax"])
        return ["__syncthreads();", f"if ({self.stream.choice(SOME_THREADS)}) {update}(&common[{self.stream.choice(['1', 'v & 3'])}], {self.value(1)});",
                "__syncthreads();", f"w += common[{self.stream.choice(['1', 't & 3'])}];", "__syncthreads();"]

    def neighbors(self):
        return [f"mine[t] {self.stream.choice(['=', '+='])} {self.value()};", "__syncthreads();",
                "w ^= mine[(t + 3) % size];", "__syncthreads();"]

    def agreed_end(self, depth):
        i = self.counter()
        return [f"for (int {i} = 0; {i} < 6; ++{i}) {{", *self.statements(depth, True, True),
                f"  if (__syncthreads_or((v & 63) == {i})) break;", "}"]

    def update(self):
        target = self.stream.choice(["v", "w", "kept[1]", "kept[(t + u) & 3]", "kept[v & 3]", "wide", "mine[t]", "bytes[w & 7]"])
        return self.stream.choice([
            [f"{target} {self.stream.choice(['+=', '^=', '-='])} {self.value()};"], [f"{target} += {self.value(1)};"],
            [f"f = f * {self.stream.choice(['0.5f', '1.25f', '0.001f'])} + {self.stream.choice(['v % 77', 'w % 5', 'n', 'lane'])};"],
            ["f = expf(f * -0.01f) + tanhf(f * 0.1f);"], ["f = sqrtf(fabsf(f)) / (1.5f + lane);"],
            [f"v += mix({self.value(1)}, &{self.stream.choice(['w', 'kept[1]', 'kept[v & 3]'])});"],
            [f"w ^= pick({self.value(1)}, {self.value(1)});"]])

    def switch(self, depth):
        return [f"switch ({self.stream.choice(['v & 3', 't % 4', 'u & 3', 'block'])}) {{",
                "case 0:", *self.statements(depth, False, False), "break;", "case 2:", *self.statements(depth, False, False),
                "default:", *self.statements(depth, False, False), "}"]

    def early_end(self, depth):
        i = self.counter()
        leave = self.stream.choice(["break", "continue"])
        return [f"for (int {i} = {self.stream.choice(['0', 't & 7'])}; {i} < {self.stream.choice(['9', 'n', '12 + lane'])}; ++{i}) {{",
                f"if ({self.stream.choice(['in[' + i + '] & 1', '(v ^ w) & 1', i + ' == u', 'f > 3'])}) {leave};",
                *self.statements(depth, False, False), f"f += in[{i}] % 13 * 0.25f;", "}"]

    def common_loop(self, depth, together, warps):
        i = self.counter()
        end = self.stream.choice(["3", "n % 5", "u % 4", "static_cast<int>(gridDim.x)"])
        return [f"for (int {i} = 0; {i} < {end}; ++{i}) {{", *self.statements(depth, together, warps), f"v += {i} * 3;", "}"]

    def ragged_loop(self):
        i = self.counter()
        start = self.stream.choice(["t", "static_cast<int>(threadIdx.x)", "t + block"])
        end, step = self.stream.choice(["n", "n + t % 3", "40"]), self.stream.choice(["size", "1 + u % 3", "16"])
        place = self.stream.choice([i, f"{i} * 3", f"({i} + u)"])
        return [f"for (int {i} = {start}; {i} < {end}; {i} += {step}) {{", f"v += in[{place} & 1023] ^ {i};",
                f"w += {self.value(1)};", "}"]

    def branch(self, depth, together, warps):
        condition = self.stream.choice(self.places_of_warps if warps else SOME_THREADS)
        together = together and condition in WHOLE_BLOCKS
        lines = [f"if ({condition}) {{", *self.statements(depth, together, warps)]
        if self.stream.random() < 0.5:
            lines += ["} else {", *self.statements(depth, together, warps)]
        return lines + ["}"]

    def statement(self, depth, together, warps):
        choices = [self.update]
        if together:
            choices += [self.exchange, self.exchange, self.vote, self.alone, self.count, self.neighbors]
        if warps:
            choices += [lambda: [self.stream.choice(WARP_OPERATIONS)]] * 2
        if depth > 0:
            choices += [lambda: self.common_loop(depth - 1, together, warps), self.ragged_loop,
                        lambda: self.branch(depth - 1, False, False), lambda: self.switch(depth - 1), lambda: self.early_end(depth - 1)]
            if together:
                choices.append(lambda: self.agreed_end(depth - 1))
            if together or (warps and len(self.places_of_warps) > len(WHOLE_BLOCKS)):
                choices.append(lambda: self.branch(depth - 1, together, True))
        return self.stream.choice(choices)()

    def statements(self, depth, together, warps):
        count = self.stream.randrange(1, 4)
        return [line for _ in range(count) for line in self.statement(depth, together, warps)]


def program(seed):
    stream = random.Random(seed)
    kernels, calls = [], []
    for k in range(KERNELS):
        kernel = Kernel(stream)
        body = [line for _ in range(3) for line in kernel.statements(3, True, True)]
        kernels.append(KERNEL % (k, "\n".join("  " + line for line in body)))
        calls += [f'  run(k{k}, {shape}, {n}, {u}, "k{k} {shape} {n}");' for shape in SHAPES for n, u in ARGUMENTS]
    return PROGRAM % ("\n".join(kernels), "\n".join(calls))


def racing_program():
    kernel = KERNEL % (0, "  line[t] = v;\n  v += line[(t + 1) % size];")
    return PROGRAM % (kernel, '  run(k0, dim3(64, 1), 1, 1, "race");')


def differs(cuset, text, folder):
    """What `cuset run` says of a program whose results depend on the order; empty if they do not."""
    source = pathlib.Path(folder, "kernels.cu")
    source.write_text(text)
    done = subprocess.run([cuset, "run", source, "--executor", "cpu", "--schedules", "2", "--timeout", "60"],
                          capture_output=True, text=True)
    said = done.stdout + done.stderr
    if "cudaSuccess" not in said:
        return said
    return "\n".join(line for line in said.splitlines() if "order_dependent" in line or " cudaError" in line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cuset")
    parser.add_argument("--programs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    skip_without_cpu_executor(options.cuset)
    with tempfile.TemporaryDirectory() as folder:
        if "order_dependent" not in differs(options.cuset, racing_program(), folder):
            sys.exit("a kernel with a race was not noticed")
        for seed in range(options.seed, options.seed + options.programs):
            text = program(seed)
            if said := differs(options.cuset, text, folder):
                sys.exit(f"seed {seed}: {said[:2000]}\n{text}")
    print(f"{options.programs} programs, {options.programs * KERNELS * len(SHAPES) * len(ARGUMENTS)} launches: the same numbers")


main()
