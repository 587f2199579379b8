"""Drives a headless Chromium by its debugging protocol, over pipes: no port, no other program.

Whoever opens a page gets what is said on its console and what goes wrong in it. See page.py for its use.
"""
import base64
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium")


def program():
    return next((path for path in map(shutil.which, NAMES) if path), None)


def start(commands, answers, home):
    """Returns the process. It reads from descriptor 3 and writes to 4."""
    command = [program(), "--headless", "--remote-debugging-pipe", "--no-sandbox", "--no-first-run", "--disable-gpu",
               "--hide-scrollbars", "--disable-dev-shm-usage", "--force-device-scale-factor=1", f"--user-data-dir={home}",
               "about:blank"]
    # The pipes may have these very numbers.
    high = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, 10) for each in (commands, answers)]
    actions = [(os.POSIX_SPAWN_DUP2, high[0], 3), (os.POSIX_SPAWN_DUP2, high[1], 4)]
    actions += [(os.POSIX_SPAWN_OPEN, each, "/dev/null", os.O_RDWR, 0) for each in (0, 1, 2)]
    process = os.posix_spawn(command[0], command, os.environ, file_actions=actions, setpgroup=0)
    for each in high:
        os.close(each)
    return process


class Browser:
    SECONDS_AT_MOST = 300

    def __init__(self):
        self.home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        self.process = start(commands, answers, self.home.name)
        os.close(commands)
        os.close(answers)
        self.pending, self.events, self.number, self.session = b"", [], 0, None
        self.deadline = time.monotonic() + self.SECONDS_AT_MOST
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        """Ends the browser with its own processes, which write in its home to the end."""
        try:
            self.session = None
            self.call("Browser.close")
        except (OSError, RuntimeError):
            os.killpg(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.commands)
        os.close(self.answers)
        self.home.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def receive(self):
        while b"\0" not in self.pending:
            left = self.deadline - time.monotonic()
            if left <= 0 or not select.select([self.answers], [], [], left)[0]:
                raise TimeoutError("the browser says nothing")
            some = os.read(self.answers, 1 << 20)
            if not some:
                raise ConnectionError("the browser has ended")
            self.pending += some
        message, self.pending = self.pending.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.commands, json.dumps(command).encode() + b"\0")
        while True:
            message = self.receive()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']['text']}")
        return answer["result"].get("value")

    def look(self, width, height, scheme="light"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme},
                                                          {"name": "prefers-reduced-motion", "value": "reduce"}])

    def open(self, path):
        """Returns the seconds until the page's script has drawn everything."""
        self.events.clear()
        began = time.monotonic()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not self.evaluate("document.documentElement?.dataset.ready !== undefined"):
            time.sleep(0.02)
            if self.faults() or time.monotonic() > self.deadline:
                break
        return time.monotonic() - began

    def key(self, name):
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
                 "ArrowRight": 39, "ArrowDown": 40}
        text = {"text": "\r"} if name == "Enter" else {}
        for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=codes[name], **text)

    def click(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def faults(self):
        """What stands on the console, was thrown, refused by the page's policy, or loaded from elsewhere."""
        found = []
        for event in self.events:
            about = event.get("params", {})
            if event["method"] == "Runtime.consoleAPICalled":
                found.append(" ".join(str(each.get("value")) for each in about["args"]))
            elif event["method"] == "Runtime.exceptionThrown":
                details = about["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif event["method"] == "Log.entryAdded":
                found.append(about["entry"]["text"])
            elif event["method"] == "Network.requestWillBeSent" and about.get("type") != "Document":
                found.append("loads " + about["request"]["url"][:80])
            elif event["method"] == "Page.javascriptDialogOpening":
                found.append("opens a dialogue: " + about["message"])
        return found
