"""PyTorch in a task's script: draws come from script_draws.py, and everything is on the CPU whatever device is named."""
import numpy as np
import torch

SET_SEED = torch.default_generator.manual_seed  # torch.manual_seed also notes a call for each kind of absent device
DRAWS = None


def size_of(size, named):
    if named is not None:
        return tuple(named)
    return tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else tuple(map(int, size))


def draw(kind, shape, dtype):
    """`kind` is "uniform" or "normal"."""
    dtype = dtype or torch.get_default_dtype()
    numpy_type = np.float64 if dtype == torch.float64 else np.float32
    numbers = torch.from_numpy(getattr(DRAWS, kind)(tuple(shape), np.dtype(numpy_type)))
    if dtype in (torch.float16, torch.bfloat16) and kind == "uniform":
        numbers = numbers.clamp(max=1 - torch.finfo(dtype).eps)  # rounded it would be 1
    return numbers.to(dtype)


def rand(*shape, size=None, dtype=None, requires_grad=False, **_):
    return draw("uniform", size_of(shape, size), dtype).requires_grad_(requires_grad)


def randn(*shape, size=None, dtype=None, requires_grad=False, **_):
    return draw("normal", size_of(shape, size), dtype).requires_grad_(requires_grad)


def rand_like(input, dtype=None, **_):
    return draw("uniform", input.shape, dtype or input.dtype)


def randn_like(input, dtype=None, **_):
    return draw("normal", input.shape, dtype or input.dtype)


def normal(mean=0.0, std=1.0, size=None, dtype=None, **_):
    shape = np.broadcast_shapes(np.shape(mean), np.shape(std)) if size is None else size
    return mean + std * draw("normal", shape, dtype)


def randint(*arguments, low=0, high=None, size=None, dtype=torch.int64, **_):
    given = list(arguments)
    if size is None and given and not isinstance(given[-1], int):
        size = given.pop()
    if high is None:
        high = given.pop()
    low = given.pop() if given else low
    return torch.from_numpy(DRAWS.integers(low, high, tuple(size))).to(dtype)


def randint_like(input, low, high=None, dtype=None, **_):
    low, high = (0, low) if high is None else (low, high)
    return randint(low, high, input.shape, dtype=dtype or input.dtype)


def bernoulli(input, p=None, **_):
    odds = input if p is None else torch.full_like(input, p)
    return (draw("uniform", input.shape, torch.float64) < odds).to(input.dtype)


def uniform_(self, a=0.0, b=1.0, **named):
    low, high = named.get("from", a), named.get("to", b)
    return self.copy_(low + (high - low) * draw("uniform", self.shape, self.dtype))


def normal_(self, mean=0.0, std=1.0, **_):
    return self.copy_(mean + std * draw("normal", self.shape, self.dtype))


def random_(self, *limits, **named):
    limits = limits or tuple(named[key] for key in ("from", "to") if key in named)
    return self.copy_(randint(*(limits or (2**24 if self.is_floating_point() else torch.iinfo(self.dtype).max,)), self.shape))


def bernoulli_(self, p=0.5, **_):
    return self.copy_(bernoulli(p.expand_as(self)) if isinstance(p, torch.Tensor) else bernoulli(self, p))


def ignore_seed(*_, **__):
    return torch.default_generator


def is_device(value):
    return isinstance(value, torch.device) or (isinstance(value, str) and value.partition(":")[0] in ("cuda", "cpu"))


class OnTheCpu(torch.overrides.TorchFunctionMode):
    """Within it, functions forget the devices that they are given."""

    def __torch_function__(self, function, types, arguments=(), named=None):
        named = dict(named or {})
        named.pop("device", None)
        if function in (torch.Tensor.cuda, torch.Tensor.pin_memory):
            return arguments[0]
        if function is torch.Tensor.to:
            arguments = tuple(each for each in arguments if not is_device(each))
            if len(arguments) == 1 and not named:
                return arguments[0]
        return function(*arguments, **named)


def begin_trial(draws):
    global DRAWS
    DRAWS = draws
    torch.set_default_dtype(torch.float32)
    SET_SEED(int(draws.next_words()[0]))
    for function in (rand, randn, rand_like, randn_like, normal, randint, randint_like, bernoulli):
        setattr(torch, function.__name__, function)
    for method in (uniform_, normal_, random_, bernoulli_, bernoulli):
        setattr(torch.Tensor, method.__name__, method)
    for module in (torch, torch.random, torch.cuda):
        for name in ("manual_seed", "manual_seed_all", "seed", "seed_all"):
            setattr(module, name, ignore_seed)
