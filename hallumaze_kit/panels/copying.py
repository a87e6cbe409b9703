"""A button that puts a text into the clipboard."""

from __future__ import annotations

import anywidget
import traitlets

_ESM = """
function fallback(text) {
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.appendChild(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
function render({ model, el }) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "jupyter-button widget-button hm-copy";
  const name = () => { button.textContent = model.get("label"); };
  name();
  model.on("change:label", name);
  button.addEventListener("click", async () => {
    const text = model.get("text");
    let done = true;
    try { await navigator.clipboard.writeText(text); } catch (error) { done = fallback(text); }
    button.textContent = done ? model.get("done") : model.get("label");
    button.focus();
    setTimeout(name, 1500);
  });
  el.appendChild(button);
}
export default { render };
"""


class CopyButton(anywidget.AnyWidget):
    """Copies `text`; shows `label`, and `done` for a moment after it was pressed."""

    _esm = _ESM
    text = traitlets.Unicode("").tag(sync=True)
    label = traitlets.Unicode("").tag(sync=True)
    done = traitlets.Unicode("").tag(sync=True)
