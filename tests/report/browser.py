"""A headless Chromium, driven over its DevTools pipe (file descriptors 3 and 4, messages that end in a zero byte).

https://chromedevtools.github.io/devtools-protocol/ lists the calls. Nothing but the standard library is needed.
"""

import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
KEYS = {"ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40, "ArrowUp": 38, "Enter": 13, "Tab": 9, "/": 191}


def find_browser():
    """The program's path, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page. `problems` collects whatever the page throws, logs as an error, or asks the network for."""

    def __init__(self, width=1280, height=900, scale=1, dark=False):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.read_end, to_us = _high_pipe()
        to_browser, self.write_end = _high_pipe()
        self.process = subprocess.Popen(
            [
                "bash",
                "-c",
                f'exec "$@" 3<&{to_browser} 4>&{to_us}',
                "bash",
                find_browser(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-extensions",
                "--disable-background-networking",
                "--hide-scrollbars",
                f"--user-data-dir={self.folder.name}",
                "--remote-debugging-pipe",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(to_browser, to_us),
        )
        os.close(to_browser)
        os.close(to_us)
        self.rest, self.count, self.session, self.problems, self.loaded = b"", 0, None, [], False
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=width < 600,
        )
        self.call(
            "Emulation.setEmulatedMedia",
            features=[
                {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                {"name": "prefers-reduced-motion", "value": "reduce"},
            ],
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.write_end)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.read_end)
        self.folder.cleanup()

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next_message()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def _next_message(self, seconds=120):
        while b"\0" not in self.rest:
            if not select.select([self.read_end], [], [], seconds)[0]:
                raise TimeoutError("the browser does not answer")
            block = os.read(self.read_end, 1 << 20)
            if not block:
                raise RuntimeError("the browser ended")
            self.rest += block
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        self._note(message)
        return message

    def _note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            self.problems.append("exception: " + json.dumps(parameters["exceptionDetails"])[:500])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] == "error":
            self.problems.append("console: " + json.dumps(parameters["args"])[:500])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.problems.append("log: " + parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith(
            ("file:", "about:", "data:", "blob:")
        ):
            self.problems.append("network: " + parameters["request"]["url"])

    def open(self, page, fragment=""):
        """Loads a report from its file, and returns when it has drawn itself."""
        self.loaded = False
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=pathlib.Path(page).absolute().as_uri() + fragment)
        self.wait("document.documentElement?.dataset.ready === 'true'")

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {json.dumps(result['exceptionDetails'])[:500]}")
        return result["result"].get("value")

    def wait(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while not self.evaluate(f"Boolean({condition})"):
            if time.monotonic() > end:
                raise TimeoutError("never true: " + condition)
            self.evaluate("new Promise(done => requestAnimationFrame(done))")

    def count_of(self, selector):
        return self.evaluate(f"document.querySelectorAll({json.dumps(selector)}).length")

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText")

    def place(self, selector):
        """The middle of an element after it was brought into view."""
        return self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
            "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )

    def hover(self, selector):
        x, y = self.place(selector)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, selector):
        x, y = self.place(selector)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key, control=False):
        text = "" if control else {"Enter": "\r", "/": "/"}.get(key, "")
        code = {
            "key": key,
            "code": key if len(key) > 1 else "Slash",
            "windowsVirtualKeyCode": KEYS[key],
            "modifiers": 2 if control else 0,
        }
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **code)
        self.call("Input.dispatchKeyEvent", type="keyUp", **code)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def screenshot(self, path, whole=False):
        image = self.call(
            "Page.captureScreenshot",
            format="png",
            captureBeyondViewport=whole,
            **({"clip": self._whole_page()} if whole else {}),
        )
        pathlib.Path(path).write_bytes(base64.b64decode(image["data"]))

    def _whole_page(self):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        return {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}


def _high_pipe():
    """A pipe whose ends are not the descriptors that the browser wants."""
    ends = os.pipe()
    copies = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    return copies
