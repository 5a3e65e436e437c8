/* The text of the paper with its marks and the words that are being selected. */

class TextView {
  /**
   * @param {HTMLElement} place
   * @param {(token: number) => void} onSelect
   * @param {(first: number, last: number) => void} onWords
   */
  constructor(place, onSelect, onWords) {
    this.place = place;
    /** The words that the reader selected last, for the button of devices without a mouse. @type {[number, number] | null} */
    this.words = null;
    place.addEventListener("click", (event) => {
      const token = tokenOf(event.target);
      if (token >= 0 && !this.#selected()) onSelect(token);
    });
    place.addEventListener("pointerup", (event) => {
      const words = this.#selected();
      if (event.pointerType !== "mouse" || !words) return;
      getSelection()?.removeAllRanges();
      onWords(...words);
    });
    document.addEventListener("selectionchange", () => {
      const words = this.#selected();
      if (words) this.words = words;
    });
  }

  /**
   * @param {TokenText} doc
   * @param {Annotation} annotation
   * @param {WordSelection | null} selection
   * @param {AnnotationType[]} types
   */
  show(doc, { names, cursor }, selection, types) {
    const marks = marksOf(doc, names);
    const chosen = selection ? null : markAt(marks, cursor);
    /** @param {number} from @param {number} to */
    const part = (from, to) => this.#part(doc, marks, from, to, { names, types, selection, chosen: chosen?.name ?? -1, at: chosen?.first ?? -1 });
    const heading = element("h1", part(0, doc.abstract));
    this.place.replaceChildren(heading, element("p", part(doc.abstract, doc.tokens.length)));
    const focus = this.place.querySelector(".selecting, mark.here");
    focus?.scrollIntoView({ block: "nearest" });
  }

  /**
   * @param {TokenText} doc
   * @param {NameMark[]} marks
   * @param {number} from
   * @param {number} to
   * @param {{ names: AnnotatedName[], types: AnnotationType[], selection: WordSelection | null, chosen: number, at: number }} shown
   */
  #part(doc, marks, from, to, shown) {
    /** @type {(Node | string)[]} */
    const parts = [];
    const [low, high] = shown.selection ? selectedTokens(shown.selection) : [0, 0];
    /** @param {number} token */
    const word = (token) =>
      element(token >= low && token < high ? "span.selecting" : "span", { "data-token": token }, surfaceOf(doc, token, token + 1));
    for (let token = from; token < to; ) {
      const mark = markAt(marks, token);
      const last = Math.min(mark?.last ?? token + 1, to);
      const words = Array.from({ length: last - token }, (_, i) => [i ? gapBefore(doc, token + i, from) : "", word(token + i)]);
      parts.push(gapBefore(doc, token, from));
      parts.push(...(mark ? [this.#mark(mark, words.flat(), shown)] : words.flat()));
      token = last;
    }
    return parts;
  }

  /**
   * @param {NameMark} mark
   * @param {(Node | string)[]} words
   * @param {{ names: AnnotatedName[], types: AnnotationType[], chosen: number, at: number }} shown
   */
  #mark({ first, name }, words, { names, types, chosen, at }) {
    const { state, type, optional } = names[name];
    const classes = [`type-${types.findIndex((other) => other.name === type) % 8}`, state];
    if (optional) classes.push("optional");
    if (name === chosen) classes.push("chosen");
    if (first === at) classes.push("here");
    return element(`mark.${classes.join(".")}`, words);
  }

  /** Return the token in the line above (-1) or below (1) a token, nearest to it. @param {number} token @param {number} step */
  tokenInLine(token, step) {
    const words = elementsIn(this.place, "[data-token]");
    const own = words.find((word) => tokenOf(word) === token)?.getBoundingClientRect();
    if (!own) return token;
    const there = words
      .map((word) => ({ token: tokenOf(word), box: word.getBoundingClientRect() }))
      .filter(({ box }) => (step > 0 ? box.top > own.bottom - 2 : box.bottom < own.top + 2));
    const middle = own.left + own.width / 2;
    there.sort((a, b) => step * (a.box.top - b.box.top) || distance(a.box, middle) - distance(b.box, middle));
    const line = there.filter(({ box }) => Math.abs(box.top - there[0].box.top) < own.height / 2);
    line.sort((a, b) => distance(a.box, middle) - distance(b.box, middle));
    return line.at(0)?.token ?? token;
  }

  /** Return the first and the last token (exclusive) that the reader selected, within title or abstract. */
  #selected() {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    const words = elementsIn(this.place, "[data-token]").filter((word) => overlaps(range, word));
    if (!words.length || words[0].parentElement?.closest("h1, p") !== words.at(-1)?.closest("h1, p")) return null;
    return /** @type {[number, number]} */ ([tokenOf(words[0]), tokenOf(words.at(-1) ?? null) + 1]);
  }
}

/** Return the text between a token and the one before it. @param {TokenText} doc @param {number} token @param {number} from */
function gapBefore(doc, token, from) {
  return token === from ? "" : doc.text.slice(doc.tokens[token - 1][1], doc.tokens[token][0]);
}

/** Return the number of the token at an element, or -1. @param {EventTarget | null} target */
function tokenOf(target) {
  const word = target instanceof Element ? target.closest("[data-token]") : null;
  return Number(word?.getAttribute("data-token") ?? -1);
}

/** @param {DOMRect} box @param {number} middle */
function distance(box, middle) {
  return Math.abs(box.left + box.width / 2 - middle);
}

/** Return whether a range holds a part of an element. @param {Range} range @param {Element} word */
function overlaps(range, word) {
  const own = document.createRange();
  own.selectNodeContents(word);
  return range.compareBoundaryPoints(Range.START_TO_END, own) > 0 && range.compareBoundaryPoints(Range.END_TO_START, own) < 0;
}
