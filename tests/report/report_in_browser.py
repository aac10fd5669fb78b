"""Clicks through reports in headless Chromium, as a reader with a mouse, a keyboard, a phone or dark rooms would.

usage: report_in_browser.py REPORT_DRAW [FOLDER_FOR_SCREENSHOTS]      ends with 77, "skipped", without Chromium
"""

import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

import made_up_run
from browser import Browser, find_browser

SECTIONS = ["results", "training", "masks", "confidence", "kernel", "failures", "tasks"]


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def draw(program, folder):
    return subprocess.run([program, folder], check=True, capture_output=True, text=True).stdout.strip()


def shows_every_part(browser, page):
    browser.open(page)
    ids = browser.evaluate("[...document.querySelectorAll('#overview > section')].map(section => section.id)")
    check(ids == SECTIONS, f"sections {ids}")
    check(browser.evaluate("document.title") == "Teaching a small model to write CUDA", "title")
    check(browser.count_of("table.headline tbody tr") == 3, "one row per method")
    check(browser.count_of("table.headline tbody td .whisker") == 12, "an interval beside every rate")
    check("within the noise" in browser.text(".differences"), "differences are read out")
    check(browser.count_of("#training figure svg path.line") >= 12, "training curves")
    check("Kolmogorov" in browser.text("#ks") and "−244" in browser.text("#ks"), browser.text("#ks"))
    check(browser.count_of("#failures svg rect.part") > 8, "failures by kind")
    check(browser.count_of(".fault") == 0, "no part failed")


def headline_agrees_with_the_summary(browser, folder):
    summary = json.loads((folder / "CuSeT" / "summary.json").read_text())
    wanted = f"{100 * summary['function_pass']['1']['unbiased']['value']:.1f} %"
    shown = browser.evaluate(
        "[...document.querySelectorAll('.headline tbody tr:last-child td b')].map(b => b.innerText)"
    )
    check(shown[2] == wanted, f"{shown}, wanted {wanted}")


def every_chart_has_its_table(browser):
    check(browser.count_of("figure svg") == browser.count_of("figure details.numbers"), "a table for each chart")
    browser.click("#training figure details.numbers summary")
    browser.wait("document.querySelectorAll('#training figure details.numbers table tbody tr').length > 100")
    check(browser.count_of("svg[role=img][aria-label]") == browser.count_of("figure svg"), "charts have names")


def charts_are_read_by_pointer_and_keys(browser):
    browser.hover("#training figure svg")
    browser.wait("document.querySelector('#training .readout').innerText.startsWith('step')")
    browser.evaluate("document.querySelector('#confidence figure svg').focus()")
    browser.press("ArrowRight")
    browser.press("ArrowRight")
    browser.wait("document.querySelector('#confidence .readout').innerText.includes('CUDA-sensitive')")


def tokens_are_shown_in_full(browser, folder):
    kernel = json.loads((folder / "analysis" / "analysis.json").read_text())["kernels"][0]
    text, p, flags = kernel["tokens"][60]
    browser.hover(".kernel-code span[data-i='60']")
    browser.wait(f"document.querySelector('.token-info .token').innerText === {json.dumps(json.dumps(text))}")
    info = browser.text(".token-info")
    weight = kernel["weight_of_sample"] * (bool(flags & 4) + kernel["lambda"] * bool(flags & 2))
    check(f"{p:.4g}" in info and f"{weight:.4g}" in info, f"p {p}, weight {weight} in {info}")
    check(("✓ CUDA mask" in info) == bool(flags & 2), info)
    browser.evaluate("document.querySelector('.kernel-code').focus()")
    browser.press("ArrowRight")
    browser.wait(
        f"document.querySelector('.token-info .token').innerText === {json.dumps(json.dumps(kernel['tokens'][61][0]))}"
    )
    browser.click(".choices label:nth-child(3)")
    browser.wait(
        "document.querySelectorAll('.kernel-code span.out').length > 0 || document.querySelector('.controls .note').innerText.includes('weight')"
    )
    browser.evaluate(
        "(() => { const choice = document.getElementById('kernel-choice'); choice.value = 1; choice.dispatchEvent(new Event('change')); })()"
    )
    browser.wait("document.querySelector('.kernel-code').innerText.includes('value > 0.0f')")


def tasks_are_found(browser):
    everything = browser.count_of(".tasks tbody tr")
    check(everything == 40, f"{everything} tasks")
    browser.evaluate("document.activeElement.blur()")
    browser.press("/")
    browser.type("softplus")
    browser.wait("document.getElementById('task-count').innerText === '8 of 40 tasks'")
    browser.evaluate(
        "(() => { const s = document.getElementById('task-search'); s.value = 'undeclared identifier'; s.dispatchEvent(new Event('input')); })()"
    )
    browser.wait("document.querySelectorAll('.tasks tbody tr').length < 40")
    check(browser.count_of(".tasks tbody tr") > 3, "texts of answers are searched")
    for choice in ("differ", "none", "every", "gained", "lost", "all"):
        browser.evaluate(
            "(() => { document.getElementById('task-search').value = ''; const f = document.getElementById('task-filter');"
            f"f.value = '{choice}'; f.dispatchEvent(new Event('input')); }})()"
        )
    check(browser.count_of(".tasks tbody tr") == 40, "all again")


def a_task_opens_with_its_programs(browser, folder):
    browser.click(".tasks tbody tr:nth-child(1) a")
    browser.wait("location.hash.startsWith('#task/') && document.querySelectorAll('.answer').length === 3")
    check("2.5 x - 1" in browser.text("#task .prompt"), "prompt")
    check("(more detail)" not in browser.text("#task .prompt"), "the prompt of the level that was asked")
    answers = [
        json.loads((folder / m / "answers.jsonl").read_text().splitlines()[0])["text"] for m, _ in made_up_run.METHODS
    ]
    shown = browser.evaluate(
        "[...document.querySelectorAll('.program')].map(p => [...p.querySelectorAll('.row:not(.missing)')].map(r => r.textContent).join(''))"
    )
    check(shown == [answer + "\n" for answer in answers], "programs, letter by letter")
    check(browser.count_of(".program ins") > 0, "differences are marked")
    marked = browser.count_of(".program .new")
    browser.evaluate(
        "(() => { const c = document.getElementById('compare'); c.value = -1; c.dispatchEvent(new Event('change')); })()"
    )
    check(marked > 0 and browser.count_of(".program .new") == 0, "marks go with the choice")
    browser.click(".tabs a:nth-child(2)")
    browser.wait(
        "location.hash.endsWith('/1') && document.querySelector('.tabs a:nth-child(2)').getAttribute('aria-current')"
    )
    browser.evaluate("document.querySelector('#task h1').focus()")
    browser.press("ArrowRight")
    browser.wait("document.querySelector('#task h1').innerText.includes('leaky_relu')")
    check("onerror" in browser.text("#task .prompt"), "a hostile prompt is text")
    browser.click("#task .back")
    browser.wait("document.getElementById('task').hidden && !document.getElementById('overview').hidden")


def longest_common(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


def differences_are_right(browser):
    """Common subsequences are such, and as long as any, against the textbook's table."""
    rng = random.Random(3)
    for _ in range(60):
        a, b = ([rng.choice("abcd") for _ in range(rng.randrange(12))] for _ in range(2))
        pairs = browser.evaluate(f"commonItems({json.dumps(a)}, {json.dumps(b)})")
        check(
            all(a[i] == b[j] for i, j in pairs) and all(p[0] < q[0] and p[1] < q[1] for p, q in zip(pairs, pairs[1:])),
            f"{a} {b} {pairs}",
        )
        check(len(pairs) == longest_common(a, b), f"{a} {b} {pairs}")
    before, after = ["int i = 0;", "f(i);", "g(i);", "return 0;"], ["int i = 1;", "g(i);", "h(i);", "return 0;"]
    lines = browser.evaluate(f"differences({json.dumps(before)}, {json.dumps(after)})")["lines"]
    marked = ["".join(f"[{part}]" if new else part for part, new in line["parts"]) for line in lines]
    check(marked == ["int i = [1];", "g(i);", "[h(i);]", "return 0;"], marked)
    check([line["missing"] for line in lines] == [0, 1, 0, 0], lines)
    check(browser.evaluate("differences(['a', 'b', 'c'], ['x', 'y', 'z'])") is None, "nothing in common")


def failures_explain_themselves(browser, page, folder):
    for word, selector in (("compile_error", ".answer .message"), ("wrong_output", ".answer .wrong table")):
        lines = (folder / "vanilla" / "verdicts.jsonl").read_text().splitlines()
        verdict = next(v for v in map(json.loads, lines) if v["word"] == word)
        browser.open(page, "#task/" + verdict["task"].replace("/", "%2F") + f"/{verdict['sample']}")
        browser.wait(f"document.querySelector({json.dumps(selector)})")
        check(verdict["explanation"] in browser.text(".answer .explanation"), "explanation")
        if word == "compile_error":
            check("x[j]" in browser.text(".program .faulty"), "the line that the compiler names")


def nothing_hostile_ran(browser):
    check(browser.evaluate("document.title") != "broken", "a text became a script")
    check(browser.count_of("img") == 0, "a text became markup")
    check(not browser.problems, browser.problems)


def theme_is_switched(browser, page):
    browser.open(page)
    ground = "getComputedStyle(document.body).backgroundColor"
    light = browser.evaluate(ground)
    browser.click("#theme")
    browser.wait(f"{ground} !== {json.dumps(light)}")
    check(browser.evaluate("document.documentElement.dataset.theme") == "dark", "dark")
    check(
        browser.evaluate("document.getElementById('theme').getAttribute('aria-label')") == "Colors: dark",
        "named for screen readers",
    )


def fits_a_phone(page, shots):
    with Browser(width=390, height=844, scale=2) as browser:
        browser.open(page)
        check(browser.evaluate("document.documentElement.scrollWidth") <= 390, "nothing hangs out on a phone")
        if shots:
            browser.screenshot(shots / "phone.png")
        browser.open(page, "#task/gym%2Fscaled_shift%2Fheld_out%2F000000")
        browser.wait("document.querySelectorAll('.answer').length === 3")
        check(browser.evaluate("document.documentElement.scrollWidth") <= 390, "nor on a task's page")
        check(not browser.problems, browser.problems)


def is_dark_in_the_dark(page, shots):
    with Browser(dark=True) as browser:
        browser.open(page)
        check(browser.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 21, 19)", "follows the system")
        if shots:
            browser.screenshot(shots / "dark.png")


def parts_may_be_missing(browser, program, folder):
    """A folder with one part only shows that part, and nothing fails."""
    for part, sections in (
        ("analysis", ["confidence", "kernel"]),
        ("SFT/metrics.jsonl", ["training", "masks"]),
        ("SFT", ["results", "training", "masks", "failures", "tasks"]),
    ):
        with tempfile.TemporaryDirectory() as other:
            source = folder / part
            shutil.copytree(source, other, dirs_exist_ok=True) if source.is_dir() else shutil.copy(source, other)
            browser.open(draw(program, other))
            ids = browser.evaluate("[...document.querySelectorAll('#overview > section')].map(section => section.id)")
            check(ids == sections, f"{part}: {ids}")
            check(browser.count_of(".fault") == 0 and not browser.problems, browser.problems)


def broken_parts_stand_alone(browser, program):
    """What no program of ours writes must not take the page with it."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "analysis.json").write_text(
            '{"format": "cuset-analysis/1", "confidence": {"edges": 3}, "kernels": [{"tokens": [["x", 1, 1]]}]}'
        )
        (folder / "metrics.jsonl").write_text('{"step": 1, "loss": 2.0}\n')
        browser.open(draw(program, folder))
        check(browser.count_of("#training figure") == 1, "the rest is drawn")


def large_runs_stay_light(browser, program):
    with tempfile.TemporaryDirectory() as folder:
        made_up_run.main(folder, 500, 3)
        begin = time.monotonic()
        page = pathlib.Path(draw(program, folder))
        drawn = time.monotonic() - begin
        browser.open(page)
        opened = time.monotonic() - begin - drawn
        size = page.stat().st_size / 2**20
        print(f"500 tasks x 3 methods x 3 samples: {size:.2f} MiB, drawn in {drawn:.2f} s, open in {opened:.2f} s")
        check(size < 4, f"{size} MiB")
        check(browser.text("#task-count") == "500 tasks", "all tasks")
        check(browser.count_of(".tasks tbody tr") == 60, "rows come as they are asked for")
        browser.click("button.more")
        browser.wait("document.querySelectorAll('.tasks tbody tr').length === 120")


def main(program, shots=None):
    if not find_browser():
        print("skipped: no Chromium (apt-get install chromium)")
        return 77
    with tempfile.TemporaryDirectory() as name, Browser() as browser:
        folder = pathlib.Path(name)
        made_up_run.main(folder)
        page = draw(program, folder)
        shows_every_part(browser, page)
        if shots:
            browser.screenshot(shots / "light.png")
        headline_agrees_with_the_summary(browser, folder)
        every_chart_has_its_table(browser)
        charts_are_read_by_pointer_and_keys(browser)
        tokens_are_shown_in_full(browser, folder)
        tasks_are_found(browser)
        a_task_opens_with_its_programs(browser, folder)
        differences_are_right(browser)
        failures_explain_themselves(browser, page, folder)
        nothing_hostile_ran(browser)
        theme_is_switched(browser, page)
        fits_a_phone(page, shots)
        is_dark_in_the_dark(page, shots)
        parts_may_be_missing(browser, program, folder)
        large_runs_stay_light(browser, program)
        check(not browser.problems, browser.problems)
        broken_parts_stand_alone(browser, program)
    print("reports: clicked through")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None))
