"""The oracle of a KernelBench problem: inputs of several distributions, and what the reference gives for them."""
import copy
import os
import random

import torch

from module_problem import (
    FLUSH_RECORD, NO_GRAD, OPEN, TENSOR, describe, fitted_problem, flatten, in_precision, make_model, set_seed, set_tf32,
    synchronize_with, to_device, write_tensor,
)  # fmt: skip
from module_weights import ChangedWeights, constants_of

SPREADS = ["plain", "scaled", "shifted", "heavy_tailed", "zeros_and_signs"]
LARGE = 1e4  # of inputs whose exponentials overflow, and whose squares and cubes do not


def mark_timeline(word):
    """A line between the kernels before and after it. Only the oracle can do that and be believed."""
    FLUSH_RECORD()
    path = os.environ.get("CUSET_KERNEL_TIMELINE")
    if path:
        with OPEN(path, "a") as file:
            file.write(f"N {word}\n")


def vary(tensor, variation, generator):
    """Another distribution of the same support: element by element, so that zeros, triangles and symmetry stay."""
    if not isinstance(tensor, TENSOR) or not tensor.is_floating_point() or variation == "plain" or tensor.numel() == 0:
        return tensor
    if tensor.flatten()[:4096].unique().numel() <= 16:
        return tensor  # labels, signs, masks
    used = tensor[tensor != 0].double()
    mean, deviation = used.mean().item(), used.std().item() if used.numel() > 1 else 1.0
    factor = 2 ** generator.uniform(-3, 1)
    if variation == "scaled":
        varied = tensor * factor
    elif variation == "shifted":
        varied = tensor + deviation if abs(mean) < deviation / 4 else tensor - mean
    elif variation == "high_edge":
        varied = tensor * (LARGE / used.abs().max().item()) if tensor.dtype == torch.float32 else tensor
    elif variation == "heavy_tailed":
        centered = (tensor - mean) / (deviation or 1.0)
        varied = centered**3 * (deviation / 2)
    else:
        part = (tensor.abs() * 1e4).frac()
        varied = torch.where(part < 0.25, torch.zeros_like(tensor), torch.where(part > 0.6, -tensor, tensor))
    return torch.where(tensor == 0, tensor, varied.to(tensor.dtype))


def run_model(model, inputs, seed):
    set_seed(seed)
    with NO_GRAD():
        return flatten(model(*inputs))


def all_finite(tensors):
    return all(bool(torch.isfinite(tensor).all()) for tensor in tensors if tensor.is_floating_point())


def agree(output, exact):
    """Up to what sums in another order differ by."""
    if not output.is_floating_point():
        return torch.equal(output, exact)
    most = exact.abs().max().item() if exact.numel() else 0
    return torch.allclose(output.double(), exact.double(), rtol=1e-4, atol=1e-5 * most)


class TooLarge(ValueError):
    pass


class Oracle:
    """Makes inputs and expected outputs. Every public method that COMMANDS names is a command."""

    def __init__(self, request, progress):
        self.request = request
        self.progress = progress
        self.device = request["device"]

    def load(self):
        return {}

    def construct(self):
        self.synchronize = synchronize_with(self.device)
        set_tf32(False)
        original = OPEN("problem.py").read()
        source, self.names, size = fitted_problem(original, self.request)
        self.is_smaller = source != original
        if size > self.request["data_limit"]:
            raise TooLarge(f"its inputs take {size} bytes, and there is no batch to make smaller")
        self.make_reference()
        try:
            self.exact = copy.deepcopy(self.model).double()
        except Exception:
            self.exact = None
        return {}

    def make_reference(self):
        """With other weights than it begins with, unless it fails with them."""
        seed = self.request["weight_seed"]
        plain, _ = make_model(self.names, "Model", seed, self.device)
        constants = constants_of(plain)
        self.model, _ = make_model(self.names, "Model", seed, self.device, ChangedWeights(constants, seed))
        if self.is_smaller:
            self.check_smaller()
        if constants and not all_finite(self.run(self.inputs_of(0, "plain"), 0)):
            self.model, constants = plain, []
        self.progress["weights"] = constants

    def inputs_of(self, trial, variation):
        seed = self.request["seeds"][trial]
        set_seed(seed)
        generator = random.Random(seed)
        inputs = self.names["get_inputs"]()
        for value in inputs:
            if not isinstance(value, (TENSOR, int, float, bool, type(None))):
                raise ValueError(f"an input is a {type(value).__name__}")
        return [in_precision(vary(value, variation, generator), self.names) for value in inputs]

    def run(self, inputs, seed):
        return run_model(self.model, [to_device(value, self.device) for value in inputs], seed)

    def run_marked(self, inputs, seed):
        """With marks around its kernels, to tell what work the module is."""
        on_device = [to_device(value, self.device) for value in inputs]
        self.synchronize()
        mark_timeline("begin")
        outputs = run_model(self.model, on_device, seed)
        self.synchronize()
        mark_timeline("end")
        return outputs

    def run_exact(self, inputs, seed):
        if self.exact is None:
            return None
        try:
            return run_model(self.exact, [to_device(value, self.device, True) for value in inputs], seed)
        except Exception:
            self.exact = None
            return None

    def is_random(self, inputs):
        one, two = self.run(inputs, 1), self.run(inputs, 2)
        return not all(torch.allclose(a, b, rtol=1e-5, atol=1e-6, equal_nan=True) for a, b in zip(one, two))

    def stands_large_inputs(self, trial):
        """Whether it tells an answer that overflows: in float32 it gives what it gives in float64."""
        inputs, plain = self.inputs_of(trial, "high_edge"), self.inputs_of(trial, "plain")
        tensors = [(a, b) for a, b in zip(inputs, plain) if isinstance(a, TENSOR)]
        if all(torch.equal(a, b) for a, b in tensors):
            return False
        outputs, exact = self.run(inputs, trial), self.run_exact(inputs, trial)
        if exact is None or [tuple(t.shape) for t in exact] != [tuple(t.shape) for t in outputs]:
            return False
        return all_finite(outputs) and all_finite(exact) and all(map(agree, outputs, exact))

    def make_trial(self, trial, variation):
        inputs = self.inputs_of(trial, variation)
        outputs = self.run_marked(inputs, trial)
        if variation != "plain" and not all_finite(outputs):
            variation = "plain"
            inputs = self.inputs_of(trial, variation)
            outputs = self.run_marked(inputs, trial)
        exact = self.run_exact(inputs, trial)
        if exact is not None and [tuple(t.shape) for t in exact] != [tuple(t.shape) for t in outputs]:
            exact = None
        for index, value in enumerate(inputs):
            if isinstance(value, TENSOR):
                write_tensor(f"in_{trial}_{index}.bin", value)
        for index, value in enumerate(outputs):
            write_tensor(f"reference_{trial}_{index}.bin", value)
            if exact is not None:
                write_tensor(f"exact_{trial}_{index}.bin", exact[index])
        return {
            "variation": variation,
            "inputs": [describe(value) if isinstance(value, TENSOR) else {"value": value} for value in inputs],
            "outputs": [describe(value) for value in outputs],
            "exact": [describe(value) for value in exact] if exact is not None else None,
        }

    def check_smaller(self):
        """Some references work for one batch only."""
        try:
            self.run(self.inputs_of(0, "plain"), 0)
        except Exception as error:
            raise TooLarge(f"with a smaller batch the reference fails: {error}") from error

    def make(self):
        if self.is_random(self.inputs_of(0, "plain")):
            raise ValueError("its reference draws random numbers")
        count = len(self.request["seeds"]) - 1
        trials = [self.make_trial(trial, SPREADS[trial % len(SPREADS)]) for trial in range(count)]
        if self.stands_large_inputs(count):
            trials.append(self.make_trial(count, "high_edge"))
        self.progress["trials"] = trials
        return {}
