"""Clicks through the page of `cuset serve` in a real Chromium, with the built-in model and the judge behind it.

usage: playground_in_browser.py CUSET MODEL TASKS [FOLDER_FOR_SCREENSHOTS]
Ends with 77, "skipped", where there is no Chromium or the program was built without a server.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from browser import Browser, find_browser

TASK = "saxpy_4k"


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def start(program, model, tasks, folder):
    """The server and its address."""
    server = subprocess.Popen(
        [program, "serve", "--model", model, "--judge", "--tasks", tasks, "--output", folder, "--executor", "cpu", "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip
    said = ""
    for line in server.stdout:
        said += line
        found = re.search(r"listening on (http://\S+)", line)
        if found:
            return server, found[1]
    if "built without" in said or "clang" in said:  # no server, or no CPU executor
        skip(said.strip())
    raise AssertionError(said)


def open_page(browser, address):
    browser.call("Page.navigate", url=address)
    browser.wait("document.querySelectorAll('#models option').length > 0 && document.querySelectorAll('#tasks option').length > 1")


def choose_task(browser):
    browser.evaluate(f"(() => {{ const t = at('tasks'); t.value = '{TASK}'; t.dispatchEvent(new Event('change')); }})()")
    check(browser.evaluate("at('prompt').value"), "a task has a prompt")


def an_answer_is_written_and_judged(browser):
    choose_task(browser)
    browser.evaluate("at('tokens').value = 300; at('temperature').value = 0")
    browser.click("#send")
    browser.wait("at('status').textContent.includes(' tokens in ')", 120)
    check("__global__" in browser.text("#answer"), "the model wrote a kernel")
    browser.wait("document.querySelectorAll('#answer .kernel').length > 0")
    browser.click("#judge")
    browser.wait("!at('judge').disabled && !at('verdict').hidden", 120)
    outcome = browser.text("#status")
    check(outcome and outcome != "judging ...", "the outcome is shown")
    check(browser.text("#history small") == outcome, "the history has the outcome")


def what_was_pasted_is_judged(browser):
    browser.evaluate("show('no code at all')")
    browser.click("#judge")
    browser.wait("at('status').textContent === 'no_code'", 120)
    browser.evaluate("at('tasks').value = ''")
    browser.click("#judge")
    browser.wait("at('status').textContent.startsWith('choose the task')")


def text_stays_text(browser):
    browser.evaluate("show('```cuda\\n__global__ void f() { /* } */ <img src=x onerror=alert(1)> }\\nint main() { f<<<1, 1>>>(); }\\n```')")
    check(browser.count_of("#answer img") == 0, "markup of a model is text")
    browser.wait("document.querySelector('#answer .launch')?.textContent === '<<<1, 1>>>'")
    check("onerror" in browser.evaluate("[...document.querySelectorAll('#answer .kernel')].at(-1).textContent"), "a comment ends no kernel")


def click_through(browser, address, shots):
    open_page(browser, address)
    an_answer_is_written_and_judged(browser)
    if shots:
        browser.screenshot(pathlib.Path(shots) / "playground.png")
    what_was_pasted_is_judged(browser)
    text_stays_text(browser)
    before = browser.evaluate("getComputedStyle(document.body).backgroundColor")
    browser.click("#theme")
    check(browser.evaluate("getComputedStyle(document.body).backgroundColor") != before, "the theme changes at once")
    elsewhere = [problem for problem in browser.problems if not problem.startswith("network: " + address)]
    check(not elsewhere, elsewhere)


def main(program, model, tasks, shots=None):
    if not find_browser():
        skip("no Chromium")
    with tempfile.TemporaryDirectory() as folder:
        server, address = start(program, model, tasks, folder)
        try:
            with Browser() as browser:
                click_through(browser, address, shots)
        finally:
            server.terminate()
            server.wait()
    print("playground: clicked through")


main(*sys.argv[1:])
