/* The questions by name: what they are about, how they read, and the function that answers them. */

/**
 * `about` says what a question needs: nothing, a date, a type of entity, a topic, or nodes of a sort. `text` is the
 * question with the name of the first node; `prompt` asks for a node on the start panel.
 * @type {Record<string, Question>}
 */
const QUESTIONS = {
  extends: {
    about: ["entity"],
    text: (name) => `What extends ${name}?`,
    answer: (graph, [node]) => extensionsOf(graph, graph.find(node)),
  },
  compared: {
    about: ["system"],
    text: (name) => `What is ${name} compared with most?`,
    answer: (graph, [node]) => comparisonsOf(graph, graph.find(node)),
  },
  replaced: {
    about: ["entity"],
    text: (name) => `What was ${name} replaced by?`,
    answer: (graph, [node]) => replacementsOf(graph, graph.find(node)),
  },
  beside: {
    about: ["system", "system"],
    text: (name) => `${name} side by side with …`,
    answer: (graph, [a, b]) => sideBySide(graph, graph.find(a), graph.find(b)),
  },
  read: {
    about: ["entity"],
    text: (name) => `What to read first on ${name}?`,
    answer: (graph, [node]) => readingOnEntity(graph, graph.find(node)),
  },
  topic: {
    about: ["topic"],
    text: (name) => `What to read first on ${name}?`,
    answer: (graph, [topic]) => readingOnTopic(graph, graph.topics.find(decoded(topic))),
  },
  like: {
    about: ["paper"],
    text: (name) => `Which papers are like ${name}?`,
    answer: (graph, [node]) => papersLike(graph, graph.find(node)),
  },
  introduced: {
    about: [],
    text: () => "What was introduced here and is used by others?",
    answer: (graph) => introducedAndUsed(graph),
  },
  trends: {
    about: ["type"],
    text: (name) => `Which ${name} rise and fall?`,
    answer: (graph, [type]) => risingAndFalling(graph, typeNumber(graph, type)),
  },
  since: {
    about: ["date"],
    text: (name) => `What is new since ${name}?`,
    answer: (graph, [date = ""]) => newSince(graph, date),
  },
  earlier: {
    about: [],
    text: (name) => `What is new since ${name}?`,
    answer: (graph) => newSinceEarlier(graph),
  },
  cell: {
    about: ["entity", "entity"],
    text: (name) => name,
    answer: (graph, [row, column, rowRole = "", columnRole = "", kind = ""]) =>
      behindCell(graph, graph.find(row), graph.find(column), decoded(rowRole), decoded(columnRole), kind),
  },
};

/**
 * Return the answer that a value of the state `ask` names, such as `compared e-dpo`, or null if it names none.
 * @param {Graph} graph
 * @param {string} ask
 */
function answerTo(graph, ask) {
  const [name, ...values] = ask.split(" ");
  const question = Object.hasOwn(QUESTIONS, name) ? QUESTIONS[name] : null;
  if (!question) return null;
  const isKnown = question.about.every((about, i) => fits(graph, about, values[i] ?? ""));
  return isKnown ? question.answer(graph, values) : null;
}

/**
 * Whether a value of the state fits what a question is about.
 * @param {Graph} graph
 * @param {QuestionSubject} about
 * @param {string} value
 */
function fits(graph, about, value) {
  if (about === "date") return /^\d{4}(-\d{2}){0,2}$/.test(value);
  if (about === "topic") return graph.topics.find(decoded(value)) >= 0;
  if (about === "type") return typeNumber(graph, value) >= 0;
  const node = graph.find(value);
  return node >= 0 && isAbout(graph, about, node);
}

/** Whether a question can be about a node. @param {Graph} graph @param {QuestionSubject} about @param {number} node */
function isAbout(graph, about, node) {
  if (about === "paper") return graph.isPaper(node);
  return !graph.isPaper(node) && (about === "entity" || !isData(graph, node));
}

/** @param {Graph} graph @param {string} name */
function typeNumber(graph, name) {
  return graph.types.findIndex((type) => type.name === decoded(name));
}

/** Return the questions about a node, by name. @param {Graph} graph @param {number} node */
function questionsAbout(graph, node) {
  return Object.entries(QUESTIONS).filter(([name, { about }]) => name !== "cell" && about.length > 0 && isNode(about[0]) && isAbout(graph, about[0], node));
}

/** @param {QuestionSubject} about */
function isNode(about) {
  return about === "entity" || about === "system" || about === "paper";
}
