"""cuFFT, cuSPARSE, cuSOLVER and cuBLAS of complex numbers of the CPU executor against numpy: library_calls.cu computes, numpy computes again.

usage: libraries_against_numpy.py CUSET

Transforms of one to three dimensions and of lengths with every kind of factor (also large primes) must agree with numpy.fft
to 1e-6 in float and 1e-12 in double, products of sparse matrices with dense numpy to 1e-12, solutions, eigenvalues and
singular values with numpy.linalg to 1e-9, products of complex matrices and vectors with numpy's to 1e-12 (1e-5 in float), each relative to the whole result.
Exits with 77 where numpy or the CPU executor is missing.
"""
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from cudabench_rows import skip_without_cpu_executor

SOURCE = pathlib.Path(__file__).parent / "library_calls.cu"
random = numpy.random.default_rng(20260101)


def flat(array):
    """Complex numbers as pairs of reals."""
    array = numpy.ascontiguousarray(array)
    return (array.view(numpy.float64) if numpy.iscomplexobj(array) else array.astype(numpy.float64)).ravel()


def complex_case(shape, batch):
    x = random.standard_normal((batch, *shape)) + 1j * random.standard_normal((batch, *shape))
    axes = tuple(range(1, len(shape) + 1))
    narrow = x.astype(numpy.complex64).astype(numpy.complex128)
    size = numpy.prod(shape)
    wanted = [(f"C2C {shape}", numpy.fft.fftn(narrow, axes=axes), 1e-6),
              (f"Z2Z {shape}", numpy.fft.ifftn(x, axes=axes) * size, 1e-12)]
    return numpy.concatenate([[1, len(shape), *shape, batch], flat(x)]), wanted


def real_case(shape, batch):
    x = random.standard_normal((batch, *shape))
    axes = tuple(range(1, len(shape) + 1))
    wanted = [(f"D2Z {shape}", numpy.fft.rfftn(x, axes=axes), 1e-12), (f"Z2D {shape}", x * numpy.prod(shape), 1e-12)]
    return numpy.concatenate([[2, len(shape), *shape, batch], flat(x)]), wanted


def sparse_case(rows, columns, width):
    a = random.standard_normal((rows, columns)) * (random.random((rows, columns)) < 0.1)
    b = random.standard_normal((columns, width))
    present = a != 0
    offsets = numpy.concatenate([[0], numpy.cumsum(present.sum(axis=1))])
    header = [3, rows, columns, present.sum(), width]
    case = numpy.concatenate([header, offsets, numpy.nonzero(present)[1], a[present], b.ravel()])
    return case, [("A B", a @ b, 1e-12), ("A^T A B", a.T @ (a @ b), 1e-12)]


def dense_case(n):
    a = random.standard_normal((n, n)) + n * numpy.eye(n)
    lower = numpy.tril(a) + numpy.tril(a, -1).T
    wanted = [(f"LU {n}", numpy.linalg.solve(a, numpy.ones(n)), 1e-9),
              (f"eigenvalues {n}", numpy.linalg.eigvalsh(lower), 1e-9),
              (f"singular values {n}", numpy.linalg.svd(a, compute_uv=False), 1e-9)]
    return numpy.concatenate([[4, n], a.T.ravel()]), wanted


def blas_case(m, n, k):
    draw = lambda *shape: random.standard_normal(shape) + 1j * random.standard_normal(shape)
    a, b, c, x, y, z = draw(k, m), draw(n, k), draw(m, n), draw(m), draw(n), draw(k)
    alpha, beta = 1.5 - 0.5j, 0.25 + 2j
    product = alpha * (a.conj().T @ b.T) + beta * c
    applied = a.conj().T @ z
    sums = numpy.array([*flat(numpy.array([numpy.vdot(x, applied)])), numpy.linalg.norm(x)])
    wanted = [(f"Cgemm {m}", product.T, 1e-5), (f"Zgemm {m}", product.T, 1e-12), (f"Zgemv {m}", applied, 1e-12),
              (f"Zgerc {m}", (c + alpha * numpy.outer(x, y.conj())).T, 1e-12), (f"Zdotc {m}", sums, 1e-12)]
    parts = [flat(array.T) if array.ndim == 2 else flat(array) for array in (a, b, c, x, y, z)]
    return numpy.concatenate([[5, m, n, k], *parts]), wanted


def cases():
    for n in (1, 2, 9, 64, 97, 100, 121, 1001, 4096, 10007, 65536):
        yield complex_case((n,), 3)
        yield real_case((n,), 2)
    for shape in ((16, 9), (37, 30), (5, 6, 7), (4, 41, 3)):
        yield complex_case(shape, 2)
        yield real_case(shape, 3)
    yield sparse_case(120, 75, 6)
    yield sparse_case(30, 200, 1)
    for n in (1, 5, 60):
        yield dense_case(n)
    yield blas_case(1, 1, 1)
    yield blas_case(37, 20, 11)


def run(cuset, numbers):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        numbers.astype(numpy.float64).tofile(folder / "input")
        done = subprocess.run([cuset, "run", SOURCE, "--executor", "cpu", "--timeout", "300", "--input", folder / "input",
                               "--output", folder / "out"], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return numpy.fromfile(folder / "out" / "output")


def main():
    skip_without_cpu_executor(sys.argv[1])
    inputs, wanted = [], []
    for case, results in cases():
        inputs.append(case)
        wanted += results
    got = run(sys.argv[1], numpy.concatenate(inputs))
    count = sum(len(flat(array)) for _, array, _ in wanted)
    assert len(got) == count, f"{len(got)} numbers came, wanted {count}"
    worst = {}
    for name, array, tolerance in wanted:
        reference = flat(array)
        result, got = got[:len(reference)], got[len(reference):]
        error = numpy.linalg.norm(result - reference) / numpy.linalg.norm(reference)
        assert error <= tolerance, f"{name}: relative error {error:.3g}, allowed {tolerance}"
        kind = name.split()[0]
        worst[kind] = max(worst.get(kind, 0), error)
    print(f"{len(wanted)} results agree; largest errors: " + ", ".join(f"{k} {v:.1e}" for k, v in worst.items()))


main()
