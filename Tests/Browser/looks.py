"""Checks of what all subjects have in common: names for screen readers, sizes, overlaps, axe-core's rules. Screenshots are their output."""

from axe_core_python.selenium import Axe

from browser import Failure
from modules import modules

SIZES = {"phone": (360, 640), "tablet": (1024, 768), "wall": (3840, 2160)}


def every_subject(browser):
    browser.open()
    return browser.value("[...document.querySelectorAll('nav a')].map((link) => link.hash.slice(2))")


def open_whole(browser, subject):
    """Opens a subject and waits until it has its content."""
    browser.open(subject)
    for module in modules():
        if subject in getattr(module, "VIEWS", {}):
            browser.until("document.querySelector(arguments[0])", module.VIEWS[subject])
    browser.ready()


def every_control_has_a_name(browser, surface):
    for subject in every_subject(browser):
        open_whole(browser, subject)
        browser.command("Accessibility.enable")
        nameless = []
        count = 0
        for node in browser.command("Accessibility.getFullAXTree")["nodes"]:
            role = node.get("role", {}).get("value")
            if node.get("ignored") or role not in ("slider", "switch", "button", "link", "meter", "gridcell", "combobox", "radio", "textbox", "searchbox",
                                                "spinbutton", "checkbox", "progressbar"):
                continue
            count += 1
            if not node.get("name", {}).get("value", "").strip():
                element = browser.command("DOM.getOuterHTML", backendNodeId=node["backendDOMNodeId"])["outerHTML"]
                nameless.append(f"{role} {element[:200]}")
            if role == "slider" and not any(p["name"] == "valuetext" for p in node.get("properties", [])) and not node.get("value"):
                nameless.append("slider without a value")
        if nameless or count < 5:
            raise Failure(f"{subject}: {count} controls, without a name: {nameless}")


GEOMETRY = """
const problems = [];
const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
const zoom = parseFloat(getComputedStyle(document.documentElement).zoom) || 1;
const { scrollWidth, scrollHeight } = document.documentElement;
if (scrollWidth > innerWidth + 1 || scrollHeight > innerHeight + 1) problems.push(`the page is ${scrollWidth} x ${scrollHeight} in ${innerWidth} x ${innerHeight}`);
const name = (element) => `${element.localName}.${element.className} ${element.ariaLabel ?? element.textContent.slice(0, 30)}`;
const controls = [...document.querySelectorAll('button, a, select, input:not([type=checkbox], [type=radio]), label:has(input), mr-switch, mr-button, mr-fader, .cell')].filter(seen);
const boxes = controls.map((element) => [element, element.getBoundingClientRect()]);
for (const [element, box] of boxes) {
  const least = element.matches('.cell') ? 43 : 44;
  if (box.width / zoom < least - 0.5 || box.height / zoom < least - 0.5) problems.push(`${name(element)} is ${box.width} x ${box.height}`);
}
for (let one = 0; one < boxes.length; one += 1) for (let two = one + 1; two < boxes.length; two += 1) {
  const [[a, p], [b, q]] = [boxes[one], boxes[two]];
  if (a.contains(b) || b.contains(a) || a.closest('nav, .sheet, .grid') !== b.closest('nav, .sheet, .grid')) continue;
  const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left), high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
  if (wide > 1 && high > 1) problems.push(`${name(a)} and ${name(b)} overlap`);
}
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const holder = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !seen(holder) || holder.closest('noscript')) continue;
  const size = parseFloat(getComputedStyle(holder).fontSize);
  if (size < 12) problems.push(`${name(holder)} has letters of ${size}`);
}
for (const element of document.querySelectorAll('main > *, .strip, mr-row, .panel, .panel *:not(mr-fader), .sheet .content')) {
  if (!seen(element) || element.matches('.strip') && element.scrollHeight <= element.clientHeight + 1 && element.scrollWidth <= element.clientWidth + 1) continue;
  if (element.scrollWidth > element.clientWidth + 1 || element.matches('.strip') && element.scrollHeight > element.clientHeight + 1)
    problems.push(`${name(element)} overflows: ${element.scrollWidth} of ${element.clientWidth}, ${element.scrollHeight} of ${element.clientHeight}`);
}
return problems;
"""


def look(browser, where, folder):
    """Takes a picture, and answers what is wrong in it."""
    problems = [f"{where}: {problem}" for problem in browser.run(GEOMETRY)]
    browser.driver.save_screenshot(f"{folder}/{where}.png")
    for violation in Axe().run(browser.driver)["violations"]:
        nodes = [node["html"][:120] for node in violation["nodes"][:2]]
        problems.append(f"{where}: {violation['id']}: {violation['help']}: {nodes}")
    return problems


def nothing_overlaps_or_is_too_small(browser, surface, folder):
    problems = []
    subjects = every_subject(browser)
    sheets = [sheet for module in modules() for sheet in getattr(module, "SHEETS", [])]
    for size, (width, height) in SIZES.items():
        browser.size(width, height)
        for scheme in ("dark", "light"):
            browser.look(scheme)
            for subject in subjects:
                open_whole(browser, subject)
                problems += look(browser, f"{subject}-{size}-{scheme}", folder)
            for name, subject, opener, awaited in sheets:
                open_whole(browser, subject)
                browser.run("document.querySelector(arguments[0]).click()", opener)
                browser.until("document.querySelector(arguments[0])", awaited)
                browser.ready()
                problems += look(browser, f"{name}-{size}-{scheme}", folder)
    if problems:
        raise Failure("\n  ".join([f"{len(problems)} problems"] + problems[:30]))


CHECKS = [every_control_has_a_name, nothing_overlaps_or_is_too_small]
LAST = []
