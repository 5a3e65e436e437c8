/* The page of kg annotate: one paper after another, its keys, and saving. */

class AnnotatePage {
  /** @param {AnnotationServer} server @param {AnnotationOverview} overview */
  constructor(server, overview) {
    this.server = server;
    this.overview = overview;
    this.drafts = new AnnotationDrafts(overview);
    this.at = 0;
    this.paper = /** @type {AnnotationPaper} */ ({ id: "", title: "", abstract: "", tokens: [], saved: false, entities: [] });
    this.doc = tokenText(this.paper);
    this.history = new AnnotationHistory({ names: [], cursor: 0 });
    /** @type {WordSelection | null} */
    this.selection = null;
    this.joining = -1;
    this.type = overview.types[0].name;
    this.isBusy = true;
    this.textView = new TextView(byId("text"), (token) => this.#goTo(token), (first, last) => this.#addWords(first, last));
    this.namesView = new NamesView(byId("names"), overview, (command) => this.run(command), (token) => this.#goTo(token));
    byId("tools").append(...this.#tools());
    addEventListener("keydown", (event) => this.#onKey(event));
    addEventListener("click", (event) => this.#afterClick(event));
  }

  #tools() {
    /** @param {string} text @param {string} command @param {string} key */
    const tool = (text, command, key) =>
      button([text, element("kbd", { ariaHidden: "true" }, key)], () => this.run(command), { "data-control": command });
    const save = tool("Save, next", "save", "⏎");
    save.classList.add("main");
    return [
      tool("New name", "new", "N"),
      tool("Accept all", "accept all", "⇧A"),
      tool("Undo", "undo", "U"),
      tool("Back", "back", "B"),
      tool("Forward", "forward", "F"),
      save,
      iconButton("Switch between dark and light", "◐", toggleTheme),
      iconButton("Help: the keys", "?", () => this.run("help")),
    ];
  }

  get #marks() {
    return marksOf(this.doc, this.history.now.names);
  }

  get #chosen() {
    return markAt(this.#marks, this.history.now.cursor);
  }

  /** Open a paper by its number. @param {number} at */
  async open(at, note = "") {
    this.isBusy = true;
    try {
      const paper = await this.server.paper(at);
      [this.paper, this.doc, this.at, this.selection, this.joining] = [paper, tokenText(paper), at, null, -1];
      const draft = this.drafts.read(paper);
      this.history = new AnnotationHistory({ names: namesFrom(paper.entities, paper.saved), cursor: 0 });
      if (draft) this.history.change(draft);
      const first = nextUndecided(this.#marks, this.history.now.names, -1) ?? this.#marks.at(0);
      this.history.moveTo(first?.first ?? 0);
      this.#fail("");
      this.#show(draft ? "Unsaved changes were restored." : note);
      scrollTo(0, 0);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.isBusy = false;
      document.body.dataset.paper = String(this.at);
    }
  }

  #show(note = "") {
    const { now } = this.history;
    const { saved, annotator, file } = this.overview;
    const done = saved.filter(Boolean).length;
    const state = this.paper.saved && !this.history.isChanged ? "saved" : "not saved";
    byId("progress-text").replaceChildren(
      element("b", `${done} of ${saved.length}`),
      ` saved · paper ${this.at + 1}, ${state}`,
      element("span.wide", ` · ${annotator} · ${file}`),
    );
    Object.assign(byId("progress"), { max: saved.length, value: done });
    this.textView.show(this.doc, now, this.selection, this.overview.types);
    this.namesView.show(this.doc, now, this.joining);
    byId("status").textContent = note || this.#hint();
  }

  /** Return what the keys do now. */
  #hint() {
    if (this.selection) return "Select words: arrows move, Shift extends, Enter or a number takes them, Esc stops.";
    if (this.joining >= 0) return "Go to another spelling of the same entity, and press J; Esc stops.";
    const open = this.history.now.names.filter(({ state }) => state === "proposed").length;
    if (open) return `${plural(open, "name")} undecided: A accepts, X rejects.`;
    return "Add what is missing (N), then press Enter to save.";
  }

  /** @param {unknown} error */
  #fail(error) {
    const place = byId("problem");
    place.textContent = error instanceof Error ? error.message : String(error);
    place.hidden = !place.textContent;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const { target } = event;
    if (target instanceof Element && target.closest("dialog")) return;
    if (target instanceof HTMLButtonElement && (event.key === "Enter" || event.key === " ")) return;
    if (this.selection && event.key in SELECTION_STEPS) this.#moveSelection(event.key, event.shiftKey);
    else {
      const command = commandOf(event);
      if (!command) return;
      this.run(command);
    }
    event.preventDefault();
  }

  /** Take the keyboard focus from a button that was clicked, so that Enter saves. @param {MouseEvent} event */
  #afterClick(event) {
    const focused = document.activeElement;
    if (event.detail && focused instanceof HTMLButtonElement && !focused.closest("dialog")) focused.blur();
  }

  /** @param {string} key @param {boolean} isExtending */
  #moveSelection(key, isExtending) {
    if (!this.selection) return;
    const [unit, step] = SELECTION_STEPS[key];
    const { focus } = this.selection;
    const by = unit === "word" ? step : this.textView.tokenInLine(focus, step) - focus;
    this.selection = movedSelection(this.doc, this.selection, by, isExtending);
    this.#show();
  }

  /** Run a command of the keys and buttons. @param {string} command */
  run(command) {
    if (this.isBusy) return;
    const [name, number] = command.split(/ (?=\d)/);
    /** @type {Record<string, () => void>} */
    const acts = {
      "next name": () => this.#step(firstMarks(this.#marks), 1),
      "previous name": () => this.#step(firstMarks(this.#marks), -1),
      "next mark": () => this.#step(this.#marks, 1),
      "previous mark": () => this.#step(this.#marks, -1),
      "accept all": () => this.#acceptAll(),
      accept: () => this.#decide("accepted"),
      reject: () => this.#decide("rejected"),
      optional: () => this.#edit((names, at) => withName(names, at, { optional: !names[at].optional, state: "accepted" })),
      type: () => this.#setType(Number(number) - 1),
      role: () => this.#setRole(Number(number) - 1),
      new: () => this.#startNew(),
      edges: () => this.#startEdges(),
      join: () => this.#join(),
      split: () => this.#split(),
      undo: () => this.#undo(-1),
      redo: () => this.#undo(1),
      save: () => (this.selection ? this.#takeSelection(this.type) : void this.#save()),
      back: () => this.#turn(-1),
      forward: () => this.#turn(1),
      leave: () => this.#leave(),
      help: () => openAnnotationHelp(this.overview),
    };
    acts[name]?.();
  }

  /** @param {number} token */
  #goTo(token) {
    this.selection = null;
    this.history.moveTo(token);
    this.#show();
  }

  /** @param {NameMark[]} marks @param {number} step */
  #step(marks, step) {
    const { cursor } = this.history.now;
    const from = this.#chosen && step < 0 ? this.#chosen.first : cursor;
    const mark = markBeside(marks, from, step);
    if (mark) this.#goTo(mark.first);
  }

  /** Change the names, keep what is not saved, and show it. @param {AnnotatedName[]} names @param {number} [cursor] */
  #change(names, cursor, note = "") {
    this.selection = null;
    this.joining = -1;
    this.history.change(names, cursor);
    this.drafts.write(this.paper, this.history.now.names);
    this.#show(note);
  }

  /** Change the selected name. @param {(names: AnnotatedName[], at: number) => AnnotatedName[]} change */
  #edit(change) {
    const chosen = this.#chosen;
    if (!chosen) return this.#show("Go to a name first, with the arrow keys.");
    this.#change(change(this.history.now.names, chosen.name));
  }

  /** @param {NameState} state */
  #decide(state) {
    const chosen = this.#chosen;
    if (!chosen) return this.#show("Go to a name first, with the arrow keys.");
    this.#change(withName(this.history.now.names, chosen.name, { state }), chosen.first);
    const next = nextUndecided(this.#marks, this.history.now.names, chosen.first);
    if (next) this.#goTo(next.first);
  }

  #acceptAll() {
    const { names } = this.history.now;
    if (!names.some(({ state }) => state === "proposed")) return;
    this.#change(names.map((name) => (name.state === "proposed" ? { ...name, state: /** @type {NameState} */ ("accepted") } : name)));
  }

  /** @param {number} number */
  #setType(number) {
    const type = this.overview.types.at(number)?.name;
    if (!type) return;
    if (this.selection) return this.#takeSelection(type);
    this.#edit((names, at) => withType(names, at, type, this.overview.roles));
    this.type = type;
  }

  /** @param {number} number */
  #setRole(number) {
    const role = this.overview.roles.at(number);
    const chosen = this.#chosen;
    if (!role || this.selection) return;
    if (chosen && !role.fits.includes(this.history.now.names[chosen.name].type)) {
      return this.#show(`“${role.label}” does not fit this type.`);
    }
    this.#edit((names, at) => withRole(names, at, role.name));
  }

  #startNew() {
    const { words } = this.textView;
    this.textView.words = null;
    if (words) {
      getSelection()?.removeAllRanges();
      return this.#addWords(...words);
    }
    if (!this.doc.tokens.length) return;
    const { cursor } = this.history.now;
    this.selection = { anchor: cursor, focus: cursor, name: -1, surface: "" };
    this.#show();
  }

  /** Select the words of the mark; a second time, move its other edge. */
  #startEdges() {
    const { selection } = this;
    const chosen = this.#chosen;
    if (selection) this.selection = { ...selection, anchor: selection.focus, focus: selection.anchor };
    else if (chosen) {
      const surface = surfaceOf(this.doc, chosen.first, chosen.last);
      this.selection = { anchor: chosen.first, focus: chosen.last - 1, name: chosen.name, surface };
    }
    this.#show();
  }

  /** Take the selected words as a new name of a type, or as the new edges. @param {string} type */
  #takeSelection(type) {
    if (!this.selection) return;
    const [first, last] = selectedTokens(this.selection);
    const { name, surface } = this.selection;
    if (name < 0) return this.#addWords(first, last, type);
    const names = withEdges(this.history.now.names, name, surface, surfaceOf(this.doc, first, last));
    this.#take(names, first, last);
  }

  /** @param {number} first @param {number} last */
  #addWords(first, last, type = this.type) {
    this.type = type;
    this.#take(withSurface(this.history.now.names, surfaceOf(this.doc, first, last), type), first, last);
  }

  /** Show changed names if the tokens are then one mark. @param {AnnotatedName[]} names @param {number} first @param {number} last */
  #take(names, first, last) {
    const mark = markAt(marksOf(this.doc, names), first);
    if (mark?.first === first && mark.last === last) return this.#change(names, first);
    this.selection = null;
    this.#show("These words are part of a longer name: change its edges (E), or reject it (X).");
  }

  #join() {
    const chosen = this.#chosen;
    const { names } = this.history.now;
    if (this.selection || !chosen) return;
    if (this.joining >= 0 && this.joining !== chosen.name) {
      return this.#change(joinedNames(names, this.joining, chosen.name), chosen.first);
    }
    this.joining = this.joining < 0 ? chosen.name : -1;
    this.#show();
  }

  #split() {
    const chosen = this.#chosen;
    if (!chosen) return;
    const names = splitName(this.history.now.names, chosen.name, surfaceOf(this.doc, chosen.first, chosen.last));
    if (names !== this.history.now.names) this.#change(names, chosen.first);
  }

  /** @param {number} step */
  #undo(step) {
    [this.selection, this.joining] = [null, -1];
    if (!this.history.step(step)) return this.#show(step < 0 ? "Nothing to undo." : "Nothing to redo.");
    this.drafts.write(this.paper, this.history.now.names);
    this.#show();
  }

  #leave() {
    [this.selection, this.joining] = [null, -1];
    this.#show();
  }

  /** @param {number} step */
  #turn(step) {
    const at = this.at + step;
    if (at >= 0 && at < this.overview.saved.length) void this.open(at);
  }

  /** Save the paper, if everything is decided, and open the next one that is not saved. */
  async #save() {
    const { names } = this.history.now;
    const open = nextUndecided(this.#marks, names, -1);
    if (open) {
      this.history.moveTo(open.first);
      return this.#show("Accept (A) or reject (X) every proposal first; Shift + A accepts all.");
    }
    this.isBusy = true;
    try {
      await this.server.save(this.at, entitiesFrom(names));
      this.#fail("");
    } catch (error) {
      return this.#fail(error);
    } finally {
      this.isBusy = false;
    }
    this.drafts.remove(this.paper);
    const { saved, file } = this.overview;
    saved[this.at] = true;
    const next = [...saved.keys()].map((i) => (this.at + 1 + i) % saved.length).find((at) => !saved[at]);
    if (next === undefined) return this.open(this.at, `All papers are saved. Next: kg learn ${file} -o mine.weights`);
    return this.open(next);
  }
}

/** @param {AnnotationOverview} overview */
function openAnnotationHelp({ types, roles }) {
  /** @param {[string, string][]} rows */
  const table = (rows) => element("table", element("tbody", rows.map(([key, effect]) => element("tr", element("th", { scope: "row" }, element("kbd", key)), element("td", effect))))); // prettier-ignore
  /** @param {AnnotationType} term @param {string} key @returns {[string, string]} */
  const row = ({ name, label, comment }, key) => [key, `${label || name}${comment ? `: ${comment}` : ""}`];
  openDialog("Keys", [
    table(ANNOTATION_KEYS),
    element("h3", "Types"),
    table(types.map((type, i) => row(type, `${i + 1}`))),
    element("h3", "Roles"),
    table(roles.map((role, i) => row(role, `⇧${i + 1}`))),
    element("p.quiet", "A decision about a name holds for all its occurrences in the paper. What is not annotated counts as no entity. Every paper is saved when you press Enter."), // prettier-ignore
  ]);
}

function toggleTheme() {
  const { dataset } = document.documentElement;
  dataset.theme = dataset.theme === "dark" ? "light" : "dark";
}

async function startAnnotating() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => (document.documentElement.dataset.theme = dark.matches ? "dark" : "light");
  dark.addEventListener("change", follow);
  follow();
  try {
    const server = new AnnotationServer();
    const overview = await server.overview();
    const page = new AnnotatePage(server, overview);
    await page.open(Math.max(overview.saved.indexOf(false), 0));
  } catch (error) {
    byId("problem").textContent = error instanceof Error ? error.message : String(error);
    byId("problem").hidden = false;
  }
}

void startAnnotating();
