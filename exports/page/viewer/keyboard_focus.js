/* Keyboard focus: keeps it on a control that is rebuilt, and moves it to a fallback when the control disappears. */

const REGIONS = "#panel, #chips, #drawer, #filters, #tools, .searchbox";
const CONTROLS = "a, button, input, select, summary";

/** Change the page; if the focused control disappears, focus its successor or a fallback. @param {() => void} change */
function keepFocus(change) {
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  const region = focused.closest(REGIONS);
  const controls = () => /** @type {HTMLElement[]} */ ([...region.querySelectorAll(CONTROLS)]);
  const same = () => controls().filter((created) => controlName(created) === controlName(focused));
  const position = region ? same().indexOf(focused) : -1;
  change();
  if (region && !isVisible(focused))
    (same().filter(isVisible)[position] ?? focusTarget(region)).focus({ preventScroll: true });
}

/**
 * Return the fallback of a region: the region or its first focusable part if visible, else the drawing.
 * @param {Element} region
 * @returns {HTMLElement}
 */
function focusTarget(region) {
  const candidates = /** @type {HTMLElement[]} */ ([region, ...region.querySelectorAll("[tabindex]")]);
  const position = candidates.find((created) => created.hasAttribute("tabindex") && isVisible(created));
  return position ?? document.getElementById("drawing");
}

/** @param {HTMLElement} control */
function controlName(control) {
  return control.dataset.control ?? control.getAttribute("aria-label") ?? control.textContent;
}

/** @param {Element} created */
function isVisible(created) {
  return created.isConnected && created.getClientRects().length > 0;
}
