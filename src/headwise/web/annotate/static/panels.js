// What stands around the tree: progress, the queue of sentences, and the choices for one word.

export const percent = (share) => {
  const value = 100 * share;
  return value > 99.5 && value < 100 ? ">99 %" : value < 0.5 && value > 0 ? "<1 %" : `${Math.round(value)} %`;
};

const element = (name, className, text) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

export function showProgress({ progress, can_undo, can_redo }) {
  const { words, decided, sentences, finished, expected_right } = progress;
  document.getElementById("bar").value = words ? decided / words : 0;
  document.getElementById("counts").textContent =
    `${decided} of ${words} words, ${finished} of ${sentences} sentences annotated; ` +
    `about ${(100 * expected_right).toFixed(1)} % of all words are right`;
  document.getElementById("undo").disabled = !can_undo;
  document.getElementById("redo").disabled = !can_redo;
}

export function showQueue(queue, current, go) {
  const list = document.getElementById("queue");
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.sentence : null;
  list.replaceChildren(
    ...queue.map(({ sentence, text, doubt, finished }) => {
      const item = element("li", finished ? "finished" : "");
      const button = element("button");
      button.dataset.sentence = sentence;
      button.append(element("span", "doubt", finished ? "done" : percent(doubt)), element("span", "snippet", text));
      button.lastChild.dir = "auto";
      button.title = text;
      button.setAttribute("aria-label", `${finished ? "Done" : `Doubt ${percent(doubt)}`}: ${text}`);
      button.setAttribute("aria-current", String(sentence === current));
      button.addEventListener("click", () => go(sentence));
      item.append(button);
      return item;
    }),
  );
  if (focused !== null) list.querySelector(`[data-sentence="${focused}"]`)?.focus();
}

/** The heads and labels that a word may have; `choose` gets {head, label}. */
export function showChoices(state, word, choices, choose) {
  const form = (number) => (number === 0 ? "the root" : `${number} ${state.words[number - 1].form}`);
  const now = state.words[word - 1];
  document.getElementById("heads").replaceChildren(
    ...choices.heads.map(({ head, probability, label, label_probability, changes }) => {
      const others = changes.length
        ? ` (${changes.length} other ${changes.length === 1 ? "word changes" : "words change"})`
        : "";
      return option({
        what: form(head),
        note: `${label}${label_probability < 0.95 ? ` ${percent(label_probability)}` : ""}${others}`,
        probability,
        chosen: head === now.head,
        name: `Hangs from ${form(head)} as ${label}, ${percent(probability)}${others}`,
        act: () => choose({ head, label }),
      });
    }),
  );
  document.getElementById("labels").replaceChildren(
    ...choices.labels.slice(0, 5).map(({ label, probability }) =>
      option({
        what: label,
        note: "",
        probability,
        chosen: label === now.label,
        name: `Label ${label}, ${percent(probability)}`,
        act: () => choose({ head: now.head, label }),
      }),
    ),
  );
}

function option({ what, note, probability, chosen, name, act }) {
  const item = element("li");
  const button = element("button");
  button.setAttribute("aria-label", name);
  button.setAttribute("aria-pressed", String(chosen));
  const share = element("span", "share");
  share.style.width = `${100 * probability}%`;
  button.append(
    element("span", "what", what),
    element("small", "quiet", note),
    element("span", "percent number", percent(probability)),
    share,
  );
  button.firstChild.dir = "auto";
  button.addEventListener("click", act);
  item.append(button);
  return item;
}

/** An input that completes labels: arrows choose, Enter takes, Escape leaves. */
export class LabelField {
  constructor(input, list, { take, leave }) {
    Object.assign(this, { input, list, take, leave, labels: [], chosen: -1 });
    input.addEventListener("input", () => this.suggest());
    input.addEventListener("focus", () => this.suggest());
    input.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    input.addEventListener("keydown", (event) => this.key(event));
    list.addEventListener("pointerdown", (event) => {
      const item = event.target.closest("li");
      if (!item) return;
      event.preventDefault();
      this.finish(item.textContent);
    });
  }

  suggest() {
    const typed = this.input.value.trim();
    const begins = this.labels.filter((label) => label.startsWith(typed));
    const holds = this.labels.filter((label) => !label.startsWith(typed) && label.includes(typed));
    this.found = [...begins, ...holds].slice(0, 40);
    this.chosen = typed && this.found.length ? 0 : -1;
    this.list.replaceChildren(
      ...this.found.map((label, index) => {
        const item = element("li", "", label);
        item.id = `completion-${index}`;
        item.setAttribute("role", "option");
        return item;
      }),
    );
    this.list.hidden = this.found.length === 0;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.mark();
  }

  mark() {
    for (const [index, item] of [...this.list.children].entries()) {
      item.setAttribute("aria-selected", String(index === this.chosen));
      if (index === this.chosen) item.scrollIntoView({ block: "nearest" });
    }
    if (this.chosen >= 0) this.input.setAttribute("aria-activedescendant", `completion-${this.chosen}`);
    else this.input.removeAttribute("aria-activedescendant");
  }

  key(event) {
    event.stopPropagation();
    if (event.key === "Escape") {
      this.input.value = "";
      this.close();
      this.leave();
    } else if (event.key === "Enter") {
      event.preventDefault();
      const typed = this.input.value.trim();
      // What is typed in full is meant, also where it begins a longer label.
      this.finish(this.labels.includes(typed) || this.chosen < 0 ? typed : this.found[this.chosen]);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const count = this.found.length;
      if (count) this.chosen = (this.chosen + (event.key === "ArrowDown" ? 1 : count - (this.chosen < 0 ? 0 : 1))) % count;
      this.mark();
    }
  }

  finish(label) {
    this.input.value = "";
    this.close();
    if (label) this.take(label);
    else this.leave();
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }
}
