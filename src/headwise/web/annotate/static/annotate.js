// The annotator's page. The server keeps all state (headwise.web.annotate.session); every change is asked of it, with
// the version of the sentence that was looked at, and the page shows what came of it.

import { ask } from "/static/asking.js";
import { TreeView, showTree } from "/static/tree.js";
import { LabelField, percent, showChoices, showProgress, showQueue } from "/panels.js";
import { HeadPicker, makeDraggable } from "/picking.js";

const $ = (id) => document.getElementById(id);
const STALE = 409;
const FILE_CHANGED = 412;

let labels = [];
let standing = null; // progress, queue, next
let state = null; // the sentence that is shown
let view = null; // its tree
let word = null; // the word that is looked at, from 1
let picker = null;
let queue = Promise.resolve();
let waiting = 0; // things asked of the server that have not come back

const field = new LabelField($("label"), $("completions"), {
  take: (label) => change("decide", { word, head: state.words[word - 1].head, label }).then(backToTree),
  leave: () => view?.focus(word),
});

// ---- what is shown

function say(text) {
  $("status").textContent = text;
}

function complain(error) {
  $("trouble").hidden = false;
  $("trouble-text").textContent = error.message;
  $("reload").hidden = error.status !== FILE_CHANGED;
}

function settle(answer) {
  standing = answer;
  $("trouble").hidden = true;
  showProgress(answer);
  showQueue(answer.queue, state?.sentence, go);
}

function show(next, at) {
  const scrolled = state?.sentence === next.sentence ? $("tree").scrollLeft : null;
  state = next;
  $("sentence-name").textContent = `Sentence ${next.name}`;
  $("text").textContent = next.text;
  document.title = `${next.name} – Annotate`;
  view = showTree($("tree"), next.svg, {
    labels: next.words.map(described),
    onWord: (number) => {
      if (number === null) queueMicrotask(() => view.mark(word)); // it stays marked while a label is typed
    },
  });
  for (const { word: number, decided, doubt } of next.words) {
    for (const part of [view.word(number), view.arc(number)]) {
      part?.classList.toggle("is-decided", decided === "Yes");
      part?.classList.toggle("is-doubtful", decided !== "Yes" && doubt >= threshold());
    }
  }
  numberWords();
  history.replaceState(null, "", `#${next.sentence + 1}`);
  showQueue(standing?.queue ?? [], next.sentence, go);
  word = null;
  const first = Math.min(at ?? doubtful(next)[0] ?? 1, next.words.length);
  $("tree").scrollLeft = scrolled ?? 0;
  if (scrolled === null) view.word(first).scrollIntoView({ block: "nearest", inline: "center" });
  view.focus(first);
}

function numberWords() {
  for (const [index, element] of view.words.entries()) {
    const tag = element.querySelector(".tag");
    if (tag) tag.textContent = `${index + 1} ${tag.textContent}`;
  }
}

function described({ word: number, form, head, label, doubt, decided }) {
  const above = head === 0 ? "the root" : `${head} ${state?.words[head - 1]?.form ?? ""}`;
  const sure = decided === "Yes" ? "decided" : `${percent(1 - doubt)} sure`;
  return `${number} ${form}: ${label} of ${above}, ${sure}`;
}

function look(number) {
  if (number === word) return;
  word = number;
  const now = state.words[number - 1];
  const { form, lemma, upos, feats, decided } = now;
  $("word-name").textContent = `${number} ${form}`;
  const facts = [lemma, upos, feats].filter((fact) => fact !== "_");
  $("word-facts").textContent = facts.join(" · ");
  say(`${described(now)}.`);
  $("accept").disabled = decided === "Yes";
  $("reopen").disabled = decided === null;
  $("heads").replaceChildren();
  $("labels").replaceChildren();
  const asked = { sentence: state.sentence, version: state.version };
  ask(`/api/sentences/${asked.sentence}/words/${number}`)
    .then((choices) => {
      const still = asked.version === state.version && number === word && choices.version === state.version;
      if (still) showChoices(state, number, choices, (choice) => change("decide", { word: number, ...choice }).then(backToTree));
    })
    .catch(complain);
}

// ---- where to go

const threshold = () => Number($("threshold").value);

/** The open words worth asking about, the most doubtful first. */
function doubtful({ words }) {
  return words
    .filter(({ decided, doubt }) => decided !== "Yes" && doubt >= threshold())
    .sort((a, b) => b.doubt - a.doubt)
    .map((one) => one.word);
}

function backToTree(done) {
  if (!done) return view.focus(word);
  const next = doubtful(state)[0];
  if (state.words[word - 1].decided === "Yes" && next !== undefined) view.focus(next);
  else view.focus(word);
  if (next === undefined && state.words[word - 1].decided === "Yes") {
    say(
      standing.next
        ? "No doubtful word is left in this sentence. Enter goes to the next one, A accepts all of it."
        : "Everything is annotated.",
    );
  }
  return undefined;
}

function go(sentence, at) {
  return inTurn(async () => show(await ask(`/api/sentences/${sentence}`), at));
}

function nextSentence() {
  const other = standing.queue.find(({ sentence, finished }) => sentence !== state.sentence && !finished);
  if (other) return go(other.sentence);
  say(standing.next ? "No other sentence is left." : "Everything is annotated.");
  return Promise.resolve();
}

// ---- what is changed

/** One thing after the other; whether it was done. Until all is done keys do nothing: what they would be about is not seen yet. */
function inTurn(work) {
  waiting += 1;
  $("tree").setAttribute("aria-busy", "true");
  queue = queue
    .then(work)
    .then(() => true)
    .catch((error) => {
      complain(error);
      return false;
    })
    .finally(() => {
      waiting -= 1;
      $("tree").setAttribute("aria-busy", String(waiting > 0));
    });
  return queue;
}

function change(what, how) {
  const { sentence, version } = state;
  return inTurn(async () => {
    try {
      const { state: next, ...answer } = await ask(`/api/${what}`, { sentence, version, ...how });
      settle(answer);
      show(next, how.word ?? how.words?.[0] ?? word);
    } catch (error) {
      if (error.status === STALE) await lookAgain();
      throw error;
    }
  });
}

function travel(what) {
  return inTurn(async () => {
    try {
      const { state: next, ...answer } = await ask(`/api/${what}`, { history: standing.history });
      const changed = state.sentence === next.sentence ? firstDifference(state, next) : undefined;
      settle(answer);
      show(next, changed);
      say(what === "undo" ? "The last change is taken back." : "The change is made again.");
    } catch (error) {
      if (error.status === STALE) await lookAgain();
      throw error;
    }
  });
}

/** What other windows have changed meanwhile is shown here too. */
async function lookAgain() {
  settle(await ask("/api/overview"));
  show(await ask(`/api/sentences/${state.sentence}`), word);
}

function firstDifference(before, after) {
  return after.words.find((one, index) => one.decided !== before.words[index].decided)?.word;
}

function accept() {
  if (state.words[word - 1].decided !== "Yes") return change("accept", { words: [word] }).then(backToTree);
  if (doubtful(state).length === 0) return nextSentence();
  return view.focus(doubtful(state)[0]);
}
const acceptAll = () => change("accept", {}).then((done) => done && nextSentence());
const reopen = () => change("reopen", { words: [word] });

function pick(number) {
  picker?.end(null);
  picker = new HeadPicker($("tree"), view, number, {
    say,
    done: (head) => {
      picker = null;
      view.focus(number);
      if (head === null) say("The head stays as it was.");
      else if (head !== state.words[number - 1].head || state.words[number - 1].decided === null) {
        change("decide", { word: number, head }).then(backToTree);
      }
    },
  });
  return picker;
}

// ---- keys and pointer

const KEYS = {
  h: () => pick(word),
  l: () => $("label").focus(),
  a: acceptAll,
  n: nextSentence,
  d: () => {
    const list = doubtful(state);
    const next = list[(list.indexOf(word) + 1) % list.length];
    if (next === undefined) say("No doubtful word is left in this sentence.");
    else view.focus(next);
  },
  u: () => travel("undo"),
  r: () => travel("redo"),
  Enter: accept,
  " ": accept,
  Delete: reopen,
  Backspace: reopen,
};

addEventListener(
  "keydown",
  (event) => {
    if (picker && !event.ctrlKey && !event.metaKey && !event.altKey) return picker.key(event);
    const typing = event.target.matches?.("input, textarea, select");
    if (typing || !state || word === null || waiting > 0) return undefined;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
      event.preventDefault();
      return travel(key === "y" || event.shiftKey ? "redo" : "undo");
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
    const onButton = event.target.matches?.("button, summary, a");
    if (onButton && (key === "Enter" || key === " ")) return undefined;
    if (/^[0-9]$/.test(key)) {
      event.preventDefault();
      event.stopPropagation();
      return pick(word).type(key);
    }
    if (!KEYS[key]) return undefined;
    event.preventDefault();
    event.stopPropagation();
    return KEYS[key]();
  },
  { capture: true },
);

makeDraggable($("tree"), (number) => {
  view.focus(number);
  return pick(number);
});
$("tree").addEventListener("focusin", (event) => {
  const focused = TreeView.wordOf(event.target);
  if (focused !== null) look(focused);
});
$("tree").addEventListener("dblclick", (event) => {
  if (event.target.closest(".arc")) $("label").focus();
});
$("tree").addEventListener("click", (event) => {
  const arc = event.target.closest?.(".arc");
  if (arc) view.focus(Number(arc.dataset.modifier));
});
$("accept").addEventListener("click", accept);
$("accept-all").addEventListener("click", acceptAll);
$("reopen").addEventListener("click", reopen);
$("undo").addEventListener("click", () => travel("undo"));
$("redo").addEventListener("click", () => travel("redo"));
$("next").addEventListener("click", nextSentence);
$("threshold").addEventListener("change", () => show(state, word));
$("reload").addEventListener("click", () =>
  inTurn(async () => {
    await ask("/api/reload", {});
    await lookAgain();
  }),
);

// ---- the beginning

inTurn(async () => {
  const overview = await ask("/api/overview");
  ({ labels } = overview);
  field.labels = labels;
  $("file").textContent = overview.file;
  settle(overview);
  const wanted = Number(location.hash.slice(1)) - 1;
  const first = overview.next ?? { sentence: 0, word: 1 };
  const there = Number.isInteger(wanted) && wanted >= 0 && wanted < overview.progress.sentences;
  show(await ask(`/api/sentences/${there ? wanted : first.sentence}`), there ? undefined : first.word);
});
