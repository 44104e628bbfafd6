// The page to play on: text in, trees out, with what the parser thinks of them.
import { ask } from "/static/asking.js";
import { showTree } from "/static/tree.js";
import { ChartLesson } from "/page/chart.js";

const at = (id) => document.getElementById(id);
const MOST_TABS = 20;

const state = {
  text: "",
  sentences: [], // as the server sends them
  sentence: 0,
  tree: 0,
  pins: new Map(), // of this sentence: word → head that it must have
  view: null,
  request: null,
};

const percent = (p) => (p > 0.995 && p < 1 ? "> 99 %" : p < 0.005 ? "< 1 %" : `${Math.round(100 * p)} %`);
const bits = (nats) => (nats / Math.LN2).toFixed(2);

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("aria-") || name === "role" || name === "scope") made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children);
  return made;
}

/** A line under a button, as long as something is probable. */
function share(p) {
  const line = element("span", { className: "share" });
  line.style.width = `${100 * p}%`;
  line.setAttribute("aria-hidden", "true");
  return line;
}

function complain(message) {
  at("problem").textContent = message ?? "";
  at("problem").hidden = !message;
}

async function request(body) {
  state.request?.abort();
  state.request = new AbortController();
  return ask("/api/parse", body, { signal: state.request.signal });
}

/** Parses the text, and shows its first sentence. */
async function parse() {
  const text = at("text").value;
  if (!text.trim()) return complain("Type a sentence first.");
  try {
    const answer = await request({ text, ...options() });
    if (!answer.sentences.length) return complain("There are no words in this text.");
    complain(null);
    state.text = text;
    state.sentences = answer.sentences;
    state.pins = new Map();
    history.replaceState(null, "", `#${encodeURIComponent(text)}`);
    showSentence(0);
  } catch (error) {
    if (error.name !== "AbortError") complain(error.message);
  }
}

function options() {
  const model = at("model").value || undefined;
  return { model, k: Number(at("k").value), alternatives: true, draw: true };
}

/** Parses the sentence anew around the heads that were chosen. */
async function parseAround(pins) {
  const words = best().words;
  const heads = words.map((_, index) => pins.get(index + 1) ?? null);
  try {
    const answer = await request({
      sentences: [words.map((word) => word.form)],
      constraints: [pins.size ? { heads } : null],
      ...options(),
    });
    complain(null);
    const focused = state.view?.current;
    state.pins = pins;
    state.sentences[state.sentence] = answer.sentences[0];
    showTrees();
    if (focused) state.view.focus(focused);
  } catch (error) {
    if (error.name !== "AbortError") complain(error.message);
  }
}

const current = () => state.sentences[state.sentence];
const best = () => current().trees[0];
const shown = () => current().trees[state.tree];

function showSentence(number) {
  state.sentence = number;
  state.pins = new Map();
  const count = state.sentences.length;
  at("result").hidden = false;
  at("lesson").hidden = false;
  at("sentences").hidden = count < 2;
  at("which").textContent = `Sentence ${number + 1} of ${count}`;
  at("previous").disabled = number === 0;
  at("next").disabled = number === count - 1;
  showTrees();
  lesson.reset(best().words.map((word) => word.form), at("model").value || undefined);
}

/** A button for each of the k best trees. */
function showTrees() {
  const trees = current().trees;
  at("trees").replaceChildren(
    ...(trees.length > 1 ? trees.slice(0, MOST_TABS) : []).map((tree, index) => {
      const p = Math.exp(tree.log_prob);
      const button = element("button", { type: "button", role: "radio" }, element("b", {}, `${index + 1}`), ` ${percent(p)}`, share(p));
      button.setAttribute("aria-label", `Tree ${index + 1}, ${percent(p)}`);
      button.addEventListener("click", () => showOneTree(index));
      return button;
    }),
  );
  showOneTree(0);
}

function showOneTree(index) {
  state.tree = index;
  for (const [number, button] of [...at("trees").children].entries()) {
    button.setAttribute("aria-checked", String(number === index));
    button.tabIndex = number === index ? 0 : -1;
  }
  const tree = shown();
  const entropy = tree.words.reduce((sum, word) => sum + word.head_entropy, 0);
  at("summary").textContent =
    `this tree ${percent(Math.exp(tree.log_prob))} · entropy of the heads ${bits(entropy)} bits`;
  state.view = showTree(at("tree"), tree.svg, {
    labels: tree.words.map((word) => described(word)),
    onWord: (word) => (word === null ? null : showWord(word)),
  });
  for (const [m, word] of tree.words.entries()) {
    if (word.head !== best().words[m].head || word.deprel !== best().words[m].deprel)
      state.view.arc(m + 1)?.classList.add("differs");
    if (state.pins.has(m + 1)) state.view.word(m + 1).classList.add("pinned");
  }
  at("key").textContent = index
    ? "Arcs in colour are not in the first tree."
    : "Arrow keys walk through the tree: along the words, up to the head, down to a modifier.";
  showTable();
  showPins();
  showWord(doubtful());
}

/** The word whose head is the least certain. */
function doubtful() {
  const entropies = shown().words.map((word) => word.head_entropy);
  return entropies.indexOf(Math.max(...entropies)) + 1;
}

const formOf = (number) => (number === 0 ? "the root" : best().words[number - 1].form);

function described(word) {
  return `${word.form}: ${word.deprel} of ${formOf(word.head)}, ${percent(word.confidence)}`;
}

function showWord(number) {
  const word = shown().words[number - 1];
  const about = element("p", { className: "about" });
  about.append(element("b", {}, word.form), ` ${word.upos ?? ""} is ${word.deprel} of `, element("b", {}, formOf(word.head)));
  about.append(element("span", { className: "quiet number" },
    ` head ${percent(word.confidence)} · label ${percent(word.label_confidence)} · entropy ${bits(word.head_entropy)} bits`));
  const list = element("ul", { className: "heads" });
  for (const { head, probability } of current().alternatives[number - 1]) {
    const button = element("button", { type: "button" }, formOf(head), element("span", { className: "number" }, percent(probability)), share(probability));
    const isPinned = state.pins.get(number) === head;
    button.setAttribute("aria-pressed", String(isPinned));
    button.setAttribute("aria-label", `${formOf(head)}, ${percent(probability)}: make it the head of ${word.form}`);
    button.addEventListener("click", () => pin(number, isPinned ? null : head));
    list.append(element("li", {}, button));
  }
  const hint = element("p", { className: "quiet" }, "Choose a head, and the rest is parsed around it.");
  at("word").replaceChildren(about, list, hint);
  for (const row of at("table").querySelectorAll("tr")) row.classList.toggle("is-current", row.dataset.word === String(number));
}

function pin(word, head) {
  const pins = new Map(state.pins);
  if (head === null) pins.delete(word);
  else pins.set(word, head);
  parseAround(pins).then(() => {
    showWord(word);
    at("word").querySelector("[aria-pressed=true]")?.focus();
  });
}

function showPins() {
  at("pins").hidden = state.pins.size === 0;
  const said = [...state.pins].map(([word, head]) => `${formOf(word)} under ${formOf(head)}`).join(", ");
  const clear = element("button", { type: "button" }, "Let go");
  clear.addEventListener("click", () => parseAround(new Map()));
  at("pins").replaceChildren(element("span", { className: "quiet" }, `Given: ${said}.`), clear);
}

/** The same as the drawing, for those who read. */
function showTable() {
  const columns = ["", "Word", "Tag", "Head", "Label", "Head’s probability", "Entropy (bits)"];
  const head = element("tr", {}, ...columns.map((name, i) => element("th", { scope: "col", className: i > 4 || !i ? "number" : "" }, name)));
  const rows = shown().words.map((word) => {
    const row = element(
      "tr",
      {},
      element("td", { className: "number" }, String(word.id)),
      element("th", { scope: "row", dir: "auto" }, word.form),
      element("td", {}, word.upos ?? word.xpos ?? ""),
      element("td", { dir: "auto" }, word.head === 0 ? "root" : `${formOf(word.head)} (${word.head})`),
      element("td", {}, word.deprel ?? ""),
      element("td", { className: word.confidence < 0.5 ? "number unsure" : "number" }, percent(word.confidence)),
      element("td", { className: "number" }, bits(word.head_entropy)),
    );
    row.dataset.word = String(word.id);
    return row;
  });
  at("table").replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
}

/** Arrow keys between the trees, as in any group of radio buttons. */
at("trees").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const count = at("trees").children.length;
  showOneTree((state.tree + step + count) % count);
  at("trees").children[state.tree].focus();
});
at("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  parse();
});
at("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    parse();
  }
});
at("k").addEventListener("change", parse);
at("model").addEventListener("change", parse);
at("previous").addEventListener("click", () => showSentence(state.sentence - 1));
at("next").addEventListener("click", () => showSentence(state.sentence + 1));

const lesson = new ChartLesson(at("chart"), at("show-chart"));

async function begin() {
  try {
    const { models } = await ask("/api/models");
    const readers = models.filter((model) => model.tools.includes("tokenizer"));
    at("model").replaceChildren(...readers.map((model) => element("option", { value: model.name }, model.name)));
    at("model").hidden = at("model-label").hidden = readers.length < 2;
    if (!readers.length) return complain("No model of this server reads running text; its interface for programs takes words.");
  } catch (error) {
    return complain(error.message);
  }
  try {
    const given = decodeURIComponent(location.hash.slice(1));
    if (given) at("text").value = given;
  } catch {
    // an address that was cut off in the middle of a character
  }
  await parse();
}

begin();
