/* Modal dialogs. */

/**
 * Open a modal dialog with a title and a button that closes it. Its keys are its own: Escape closes it alone.
 * @param {string} title
 * @param {Content} content
 * @param {() => void} [onClose]
 */
function openDialog(title, content, onClose) {
  const heading = element("h2", { id: "dialog-title" }, title);
  const close = button("×", () => dialog.close(), { className: "close", ariaLabel: "Close" });
  const dialog = element("dialog", { ariaLabelledby: heading.id }, element("header", heading, close), content);
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.addEventListener("click", (event) => (event.target === dialog ? dialog.close() : undefined));
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
