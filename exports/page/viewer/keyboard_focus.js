/* Keyboard focus: keeps it on a control that is rebuilt, and moves it to a fallback when the control disappears. */

const REGIONS = "#panel, #chips, #drawer, #filters, #tools, .searchbox";
const CONTROLS = "a, button, input, select, summary";

/** Change the page; if the focused control disappears, focus its successor or a fallback. @param {() => void} change */
function keepFocus(change) {
  const focused = document.activeElement;
  const region = focused?.closest(REGIONS);
  if (!(focused instanceof HTMLElement) || !(region instanceof HTMLElement)) {
    change();
    return;
  }
  const same = () => elementsIn(region, CONTROLS).filter((created) => controlName(created) === controlName(focused));
  const position = same().indexOf(focused);
  change();
  if (!isVisible(focused)) (same().filter(isVisible)[position] ?? focusTarget(region)).focus({ preventScroll: true });
}

/**
 * Return the fallback of a region: the region or its first focusable part if visible, else the drawing.
 * @param {HTMLElement} region
 */
function focusTarget(region) {
  const candidates = [region, ...elementsIn(region, "[tabindex]")];
  const position = candidates.find((created) => created.hasAttribute("tabindex") && isVisible(created));
  return position ?? byId("drawing");
}

/** @param {HTMLElement} control */
function controlName(control) {
  return control.dataset.control ?? control.getAttribute("aria-label") ?? control.textContent;
}

/** @param {Element} created */
function isVisible(created) {
  return created.isConnected && created.getClientRects().length > 0;
}
