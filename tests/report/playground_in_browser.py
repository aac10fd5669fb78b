"""Clicks through the page of `cuset serve` in a real Chromium, with the built-in model and the judge behind it.

usage: playground_in_browser.py CUSET MODEL TASKS [FOLDER_FOR_SCREENSHOTS]
Ends with 77, "skipped", where there is no Chromium or the program was built without a server.
"""

import json
import os
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


def start(program, *arguments, **variables):
    """The server and its address."""
    server = subprocess.Popen([program, "serve", "--port", "0", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, env={**os.environ, **variables})  # fmt: skip
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


def wrong_elements_are_shown(browser, tasks):
    browser.evaluate("at('tasks').value = 'row_sums_64'")
    browser.evaluate(f"show({json.dumps(wrong_answer(tasks))})")
    browser.click("#judge")
    browser.wait("at('status').textContent === 'wrong_output'", 120)
    first = r"sums\[0\] is \S+, expected \S+"
    check(re.search(first, browser.text("#verdict")), "the verdict has the first wrong elements")


def wrong_answer(tasks):
    """A program whose outputs are wrong."""
    for line in pathlib.Path(tasks).with_name("answers.jsonl").read_text().splitlines():
        answer = json.loads(line)
        if answer["task"] == "row_sums_64" and answer["sample"] == 1:
            return answer["text"]
    raise AssertionError("the example has no wrong answer")


def history_brings_answers_back(browser):
    """The second answer is written with the keyboard alone."""
    written = browser.text("#answer")
    verdict = browser.text("#verdict")
    choose_task(browser)
    browser.evaluate("at('tokens').value = 8; at('prompt').focus()")
    browser.press("Enter", control=True)
    browser.wait("at('status').textContent.startsWith('8 tokens in ')", 120)
    check(browser.count_of("#history li") == 2 and browser.text("#answer") != written, "the history has both answers")
    reach_with_tab(browser, "#history li:nth-child(2) button")
    browser.press("Enter")
    browser.wait("document.querySelectorAll('#answer .kernel').length > 0")
    check(browser.text("#answer") == written and browser.text("#verdict") == verdict, "the history brings an answer and its verdict back")


def reach_with_tab(browser, selector):
    wanted = f"document.activeElement === document.querySelector({json.dumps(selector)})"
    for _ in range(40):
        browser.press("Tab")
        if browser.evaluate(wanted):
            return
    raise AssertionError(f"the Tab key does not reach {selector}")


def phone_shows_all(address):
    """Nothing is wider than a phone, in the dark as well."""
    with Browser(width=390, height=844, scale=2, dark=True) as phone:
        open_page(phone, address)
        check(phone.evaluate("document.documentElement.scrollWidth") <= 390, "a phone scrolls sideways")
        for selector in ("#models", "#tasks", "#prompt", "#send", "#judge", "#answer"):
            check(phone.evaluate(f"(() => {{ const b = document.querySelector('{selector}').getBoundingClientRect();"
                                 "return b.width > 0 && b.left >= 0 && b.right <= 390; })()"), f"a phone cuts {selector} off")  # fmt: skip
        ground = phone.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)")
        check(max(ground) < 80, "a dark phone has a light page")
        choose_task(phone)
        phone.evaluate("at('tokens').value = 4")
        phone.click("#send")
        phone.wait("at('status').textContent.startsWith('4 tokens in ')", 120)


def key_is_asked_for(program, model):
    server, address = start(program, "--model", model, CUSET_API_KEY="key-of-the-test")
    try:
        with Browser() as browser:
            browser.call("Page.navigate", url=address)
            browser.wait("at('status').textContent.includes('key is missing')")
            check(browser.evaluate("at('send').hidden"), "nothing can be sent without a key")
            browser.evaluate("at('key').focus()")
            browser.type("key-of-the-test")
            browser.press("Tab")
            browser.wait("!at('send').hidden && at('status').textContent === ''")
    finally:
        server.terminate()
        server.wait()


def click_through(browser, address, tasks, shots):
    open_page(browser, address)
    an_answer_is_written_and_judged(browser)
    history_brings_answers_back(browser)
    if shots:
        browser.screenshot(pathlib.Path(shots) / "playground.png")
    what_was_pasted_is_judged(browser)
    wrong_elements_are_shown(browser, tasks)
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
        server, address = start(program, "--model", model, "--judge", "--tasks", tasks, "--output", folder, "--executor", "cpu")
        try:
            with Browser() as browser:
                click_through(browser, address, tasks, shots)
            phone_shows_all(address)
        finally:
            server.terminate()
            server.wait()
    key_is_asked_for(program, model)
    print("playground: clicked through")


main(*sys.argv[1:])
