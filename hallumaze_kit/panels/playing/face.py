"""The face of the play panel: shows a page, sends what is done on it, with the times that the browser measured."""

from __future__ import annotations

import anywidget
import traitlets

# Times are the browser's own (performance.now): from the first frame in which a situation was painted to the press.
# A Latin letter is the key that bears it; a key that bears another one (ㅜ) goes by its place (`code`). No shortcut of
# JupyterLab may take a key: hence the data attribute, on everything that can have the focus, where it looks first.
_ESM = """
const WAIT = 8000;
function store(study, code) {
  try {
    const key = `hallumaze-play:${study}`;
    if (code === undefined) return sessionStorage.getItem(key) || "";
    if (code) sessionStorage.setItem(key, code); else sessionStorage.removeItem(key);
  } catch (error) { return ""; }
}
function device() {
  const touch = matchMedia("(pointer: coarse)").matches ? "touch" : "mouse";
  return `${touch}, screen ${screen.width}x${screen.height}, window ${innerWidth}x${innerHeight}`;
}
function render({ model, el }) {
  const root = document.createElement("div");
  root.className = "hm-desk";
  root.tabIndex = 0;
  const ours = place => place.setAttribute("data-lm-suppress-shortcuts", "true");
  ours(root);
  root.setAttribute("role", "region");
  el.appendChild(root);
  let page = {}, shown = 0, turn = null, touched = false, busy = false, left = null, timer = 0, acted = false;

  const since = () => Math.max(0, performance.now() - shown);
  function send(act, value, more = {}) {
    model.send({ act, value, seq: page.seq, ms: since(), t: performance.now(), ...more });
  }
  function act(name, value, by) {
    if (busy) return;
    const fields = {};
    for (const field of root.querySelectorAll("[data-field]"))
      if (field.type !== "radio" || field.checked) fields[field.dataset.field] = field.value;
    busy = acted = true;
    root.classList.add("hm-busy");
    send(name, value, { by, fields, touched });
    timer = setTimeout(() => { busy = false; tell(page.silent); }, WAIT);
  }
  function tell(sentence) {
    const place = root.querySelector(".hm-slip") || root.appendChild(document.createElement("div"));
    place.className = "hm-slip hm-notice hm-ask";
    place.setAttribute("role", "alert");
    place.textContent = "";
    setTimeout(() => { place.textContent = sentence; }, 20);
  }
  function touch() {
    const slider = root.querySelector("[data-touch]");
    if (!slider) return;
    touched = true;
    root.querySelector(".hm-value").textContent = `${slider.value} %`;
    root.querySelector(".hm-primary").disabled = false;
  }
  function show() {
    const next = model.get("page");
    if (!next || next.seq === undefined || next.seq === page.seq) return;
    page = next;
    clearTimeout(timer);
    busy = false;
    touched = false;
    root.classList.remove("hm-busy");
    root.lang = page.lang;
    root.setAttribute("aria-label", page.title);
    root.innerHTML = page.html;
    root.querySelectorAll("button, input, summary, [tabindex]").forEach(ours);
    const slider = root.querySelector("[data-touch]");
    if (slider) {
      root.querySelector(".hm-primary").disabled = true;
      slider.addEventListener("input", touch);
      slider.addEventListener("pointerdown", touch);
    }
    const playing = acted || page.page !== "rules";
    if (playing) {
      store(page.study, page.code);
      (slider || root).focus({ preventScroll: true });
      if (root.getBoundingClientRect().top < 0) root.scrollIntoView({ block: "start" });
    }
    if (page.turn !== turn) {
      turn = page.turn;
      shown = performance.now();
      requestAnimationFrame(() => { shown = performance.now(); });
    }
  }
  root.addEventListener("click", event => {
    const button = event.target.closest("[data-act]");
    const by = event.detail ? "button" : "key";
    if (button && root.contains(button)) act(button.dataset.act, button.dataset.value || "", by);
  });
  root.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const code = /^[a-z]$/i.test(event.key) ? `Key${event.key.toUpperCase()}` : event.code;
    const inside = event.target;
    if (inside.matches("[data-touch]")) {
      const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
      if (steps[event.code]) {
        event.preventDefault();
        inside.value = Number(inside.value) + steps[event.code] * (event.shiftKey ? 1 : 5);
        touch();
      } else if (event.code === "Enter") {
        event.preventDefault();
        if (touched) act("sure", "", "key");
      }
    } else if (event.code === "Enter" && !inside.matches("button, summary")) {
      const primary = root.querySelector(".hm-primary");
      const text = inside.matches("input[type=text]");
      const button = text ? inside.closest(".hm-buttons").querySelector("[data-act]") : primary;
      if (button && !button.disabled && !event.repeat) {
        event.preventDefault();
        act(button.dataset.act, button.dataset.value || "", "key");
      }
    } else if (!inside.matches("input[type=text]") && (page.keys || {})[code]) {
      event.preventDefault();
      if (event.repeat || busy) return;
      const [name, value] = page.keys[code];
      if (name === "choice" && !page.open.includes(value)) {
        send("slip", value);
        tell(page.slip);
      } else act(name, value, "key");
    }
  });
  const away = how => { if (page.turn && left === null) { left = performance.now(); send("away", how); } };
  const back = () => {
    if (left === null || document.hidden || !document.hasFocus()) return;
    send("back", "", { away_ms: performance.now() - left });
    left = null;
  };
  const seen = () => (document.hidden ? away("hidden") : back());
  const blur = () => away("blur");
  document.addEventListener("visibilitychange", seen);
  window.addEventListener("blur", blur);
  window.addEventListener("focus", back);
  model.on("change:page", show);
  show();
  model.send({ act: "hello", value: store(page.study), device: device() });
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", seen);
    window.removeEventListener("blur", blur);
    window.removeEventListener("focus", back);
    model.off("change:page", show);
  };
}
export default { render };
"""


class Face(anywidget.AnyWidget):
    """Shows `page` (`hallumaze_kit.panels.playing.view.page`) and sends messages for `PlayState.hear`."""

    _esm = _ESM
    page = traitlets.Dict().tag(sync=True)
