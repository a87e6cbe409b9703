"""What is measured in the page: contrast, and what sticks out."""

CONTRAST = """selector => {
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const over = (top, under) => { const alpha = top.length < 4 ? 1 : top[3];
    return [0, 1, 2].map(i => alpha * top[i] + (1 - alpha) * under[i]); };
  const light = rgb => { const [r, g, b] = rgb.map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = e => { if (!e) return [255, 255, 255];
    const own = parts(getComputedStyle(e).backgroundColor);
    return own.length < 4 || own[3] === 1 ? own : over(own, behind(e.parentElement)); };
  return [...document.querySelectorAll(selector)].filter(e => e.offsetParent && e.textContent.trim()).map(e => {
    const under = behind(e), one = light(over(parts(getComputedStyle(e).color), under)), two = light(under);
    return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05); });
}"""
"""The contrast of each visible text that a selector finds, on what is painted behind it."""

STICKS_OUT = """() => {
  const panel = document.querySelector('.hm-panel'), found = [];
  const edge = Math.min(panel.getBoundingClientRect().right, innerWidth) + 1;
  for (let e = panel; e && !e.matches('.jp-NotebookPanel'); e = e.parentElement)
    if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')
      found.push(`${e.tagName}.${e.className}: ${e.scrollWidth} in ${e.clientWidth}`);
  for (const e of panel.querySelectorAll('button, input, select, textarea, img, pre, h3, .hm-notice, .hm-scroll'))
    if (e.offsetParent && e.getBoundingClientRect().right > edge)
      found.push(`${e.tagName}.${e.className}: right edge ${e.getBoundingClientRect().right} of ${edge}`);
  return found;
}"""
"""What is wider than its place: the panel, all of the notebook that holds it, and the fields in it."""
