/* Undo and redo: the states of one paper. */

class AnnotationHistory {
  /** @param {Annotation} start */
  constructor(start) {
    this.states = [start];
    this.at = 0;
  }

  get now() {
    return this.states[this.at];
  }

  /** Whether anything was changed. */
  get isChanged() {
    return this.states[0].names !== this.now.names;
  }

  /** Move the cursor; that is no change to undo. @param {number} cursor */
  moveTo(cursor) {
    this.states[this.at] = { ...this.now, cursor };
  }

  /** @param {AnnotatedName[]} names */
  change(names, cursor = this.now.cursor) {
    if (names === this.now.names) return;
    this.states = [...this.states.slice(0, this.at + 1), { names, cursor }];
    this.at += 1;
  }

  /** Go back (-1) or forward (1); return whether there was such a state. @param {number} step */
  step(step) {
    const at = this.at + step;
    if (at < 0 || at >= this.states.length) return false;
    this.at = at;
    return true;
  }
}
