/* Keyboard focus: it stays on a control that is drawn anew, and goes to what takes the place of one that is gone. */

const REGIONS = "#panel, #chips, #drawer, #filters, #tools, .searchbox";
const CONTROLS = "a, button, input, select, summary";

/** Do something to the page; if the focused control is gone after it, focus the same one, or else what stands there. */
function keepFocus(change) {
  const held = document.activeElement;
  const region = held.closest(REGIONS);
  const same = () => [...region.querySelectorAll(CONTROLS)].filter((made) => controlName(made) === controlName(held));
  const place = region ? same().indexOf(held) : -1;
  change();
  if (region && !inSight(held)) (same().filter(inSight)[place] ?? landing(region)).focus({ preventScroll: true });
}

/** What takes the focus for a region: itself or the first part of it that can, if it is in sight, or the drawing. */
function landing(region) {
  const places = [region, ...region.querySelectorAll("[tabindex]")];
  const place = places.find((made) => made.hasAttribute("tabindex") && inSight(made));
  return place ?? document.getElementById("drawing");
}

function controlName(control) {
  return control.dataset.control ?? control.getAttribute("aria-label") ?? control.textContent;
}

function inSight(made) {
  return made.isConnected && made.getClientRects().length > 0;
}
