/* The controls of corrections: a button where one sees the fault, the dialog, and the list with undo and download. */

const WRONG = "This is wrong…";
const NO_AUTHOR = "unknown";
const AUTHOR_KEY = "citekg.author"; // where the browser keeps the name of the reader

class Corrections {
  /** @param {Graph} graph @param {State} state */
  constructor(graph, state) {
    this.graph = graph;
    this.state = state;
    this.choices = new CorrectionChoices(graph);
    this.server = EditServer.of(graph.about);
    /** @type {WeakMap<Element, Subject>} */
    this.subjects = new WeakMap();
    this.toggle = button("", () => this.showList(), { "data-control": "corrections", hidden: true });
  }

  /** The corrections that the page holds and that are in no file yet. */
  get list() {
    return correctionsFrom(this.state.get("corrections"));
  }

  /** @param {Correction[]} corrections */
  #keep(corrections) {
    this.state.set({ corrections: correctionsText(corrections) });
  }

  /** Update the button of the toolbar and the notes about what is corrected. */
  update() {
    const { length } = this.list;
    this.toggle.hidden = !length && !this.server;
    this.toggle.textContent = length ? `Corrections (${length})` : "Corrections";
    for (const place of elementsIn(document.body, ".wrong")) this.#fill(place);
  }

  /** Return the button of a subject, with the corrections that were made about it. @param {Subject} subject */
  button(subject) {
    const place = element("div.wrong");
    this.subjects.set(place, subject);
    this.#fill(place);
    return place;
  }

  /** @param {HTMLElement} place */
  #fill(place) {
    const subject = this.subjects.get(place);
    if (!subject) return;
    const made = this.list.filter((each) => this.choices.isAbout(each, subject));
    const notes = made.map((each) => this.#note(each));
    place.replaceChildren(...notes, button(WRONG, () => this.#ask(subject)));
  }

  /** @param {Correction} correction */
  #note(correction) {
    const undo = button("Undo", () => this.#undo(correction));
    return element("p.notice", `Corrected: ${this.choices.describe(correction)}. `, undo);
  }

  /** @param {Correction} correction */
  #undo(correction) {
    const text = correctionsText([correction]);
    this.#keep(this.list.filter((each) => correctionsText([each]) !== text));
  }

  /* The dialog */

  /** Ask what is wrong with a subject. @param {Subject} subject */
  #ask(subject) {
    const { title, choices, more } = this.choices.of(subject);
    const options = choices.map((each) => this.#option(each));
    const reason = element("input", { type: "text", ariaLabel: "Reason", placeholder: "optional", maxLength: 500 });
    const problem = element("p.problem", { role: "alert" });
    const submit = element("button", { type: "submit" }, this.server ? "Write and rebuild" : "Correct");
    const others = more.map((other) => {
      const label = `Something is wrong with ${this.graph.label[/** @type {any} */ (other).node]} itself…`;
      return button(label, () => (dialog.close(), this.#ask(other)));
    });
    const form = element(
      "form",
      element("fieldset", element("legend", title), options),
      element("label.reason", "Reason ", reason),
      problem,
      element(
        "div.actions",
        submit,
        button("Cancel", () => dialog.close()),
      ),
      others,
    );
    const dialog = openDialog("What is wrong?", form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = choices[options.findIndex((option) => isChecked(option))];
      this.#submit(chosen, reason.value.trim(), dialog).catch((error) => {
        if (!(error instanceof CorrectionError)) throw error;
        problem.textContent = error.message;
      });
    });
  }

  /** @param {Choice} made */
  #option(made) {
    const radio = element("input", { type: "radio", name: "wrong" });
    const option = element("label.option", radio, element("span", made.parts));
    for (const control of elementsIn(option, "select, input[type=text]")) {
      for (const event of ["focus", "input"]) control.addEventListener(event, () => (radio.checked = true));
    }
    made.isReady?.then((ready) => (option.hidden = !ready));
    option.hidden = Boolean(made.isReady);
    return option;
  }

  /** @param {Choice | undefined} chosen @param {string} reason @param {HTMLDialogElement} dialog */
  async #submit(chosen, reason, dialog) {
    if (!chosen) throw new CorrectionError("Choose what is wrong.");
    const date = today();
    const made = chosen.make().map((draft) => ({ ...draft, date, reason }));
    if (this.server) await this.server.add(made);
    else this.#keep(withCorrections(this.list, made));
    dialog.close();
  }

  /* The list */

  /** Show the corrections, with buttons that undo and save them. */
  showList() {
    const content = element("div");
    const dialog = openDialog("Corrections", content);
    this.#fillList(content, dialog);
  }

  /** @param {HTMLElement} content @param {HTMLDialogElement} dialog */
  #fillList(content, dialog) {
    const { list, server } = this;
    const again = () => this.#fillList(content, dialog);
    /** @param {Correction} each */
    const row = (each) => this.#row(each, "Undo", () => (this.#undo(each), again()));
    const problem = element("p.problem", { role: "alert" });
    /** @param {() => Promise<void>} act */
    const attempt = (act) => act().catch((/** @type {Error} */ error) => (problem.textContent = error.message));
    content.replaceChildren(
      ...present([
        element("p", server ? SERVER_HINT : FILE_HINT),
        element("ul.corrections", list.map(row)),
        list.length && !server ? this.#saving() : null,
        list.length && server
          ? button(`Write ${plural(list.length, "correction")} and rebuild`, () =>
              attempt(async () => {
                await server.add(list, () => this.#keep([]));
              }),
            )
          : null,
        list.length ? button("Undo all", () => (this.#keep([]), again())) : null,
        problem,
        server ? this.#written(server, attempt) : null,
      ]),
    );
  }

  /** @param {Correction} each @param {string} label @param {() => void} undo */
  #row(each, label, undo) {
    const by = [each.author, each.date, each.reason].filter(Boolean).join(" · ");
    return element("li", this.choices.describe(each), " ", element("span.quiet", by), " ", button(label, undo));
  }

  /** Return the controls that save the corrections as a file. */
  #saving() {
    const author = element("input", { type: "text", value: storedAuthor(), placeholder: NO_AUTHOR, maxLength: 100 });
    const save = () => {
      const name = author.value.trim();
      storeAuthor(name);
      download("decisions.yaml", "application/yaml", decisionsYaml(this.list, name || NO_AUTHOR));
    };
    return element("p.actions", element("label", "Your name ", author), button("Save decisions.yaml", save));
  }

  /**
   * Return the corrections in the file of the server; they are filled in once they arrive.
   * @param {EditServer} server
   * @param {(act: () => Promise<void>) => void} attempt
   */
  #written(server, attempt) {
    const container = element("section");
    attempt(async () => {
      const { place, entries } = await server.read();
      const rows = entries.map((each) => this.#row(each, "Remove", () => attempt(() => server.remove(each))));
      container.append(element("h3", `In ${place}`), element("ul.corrections", rows));
    });
    return container;
  }
}

const FILE_HINT =
  "The graph does not change in this page. Save the corrections, and build the graph again with " +
  "kg build … --decisions decisions.yaml. The address of the page also contains them.";
const SERVER_HINT = "kg serve writes every correction to the file at once and rebuilds the graph.";

/** @param {HTMLElement} option */
function isChecked(option) {
  return option.querySelector("input[type=radio]:checked") !== null;
}

/** Return the name that the reader gave last; "" in a page that may keep nothing. */
function storedAuthor() {
  try {
    return localStorage.getItem(AUTHOR_KEY) ?? "";
  } catch (error) {
    if (error instanceof DOMException) return "";
    throw error;
  }
}

/** @param {string} name */
function storeAuthor(name) {
  try {
    localStorage.setItem(AUTHOR_KEY, name);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
