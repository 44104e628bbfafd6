// The description of the interface, from /api/openapi.json, with a place to try each operation.
import { ask } from "/static/asking.js";

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

for (const place of document.querySelectorAll(".origin")) place.textContent = location.origin;

function typeOf(schema) {
  if (schema.enum) return schema.enum.join(" | ");
  const type = [schema.type ?? "any"].flat().join(" or ");
  return type === "array" && schema.items ? `list of ${typeOf(schema.items)}` : type.replace("array", "list");
}

function fieldTable(schema) {
  const rows = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const row = element("tr", {}, element("td", {}, element("code", {}, name)), element("td", {}, typeOf(field)), element("td", {}, field.description ?? ""));
    const inner = field.items?.properties ?? {};
    return [
      row,
      ...Object.entries(inner).map(([key, one]) =>
        element("tr", {}, element("td", {}, element("code", {}, `${name}[].${key}`)), element("td", {}, typeOf(one)), element("td", {}, one.description ?? "")),
      ),
    ];
  });
  const head = element("tr", {}, ...["Field", "Type", ""].map((text) => element("th", { scope: "col" }, text)));
  return element("div", { className: "scroller", tabIndex: 0 }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)));
}

function trial(path, schema) {
  const name = `try${path.replaceAll("/", "-")}`;
  const field = element("textarea", { id: name, rows: 3, spellcheck: false, value: JSON.stringify(schema.examples[0], null, 1) });
  const button = element("button", { type: "button", className: "primary" }, "Try");
  const answer = element("pre", { hidden: true, tabIndex: 0, className: "answer" });
  answer.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    answer.hidden = false;
    try {
      answer.textContent = JSON.stringify(await ask(path, JSON.parse(field.value)), null, 1);
    } catch (error) {
      answer.textContent = error.message;
    }
  });
  return [element("label", { htmlFor: name }, "Request"), field, element("div", { className: "row below" }, button), answer];
}

try {
  const { paths } = await ask("/api/openapi.json");
  const cards = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const card = element("section", { className: "card" });
      card.append(element("h2", {}, element("code", {}, `${method.toUpperCase()} ${path}`)), element("p", {}, operation.summary));
      const schema = operation.requestBody?.content["application/json"].schema;
      if (schema) card.append(fieldTable(schema), ...trial(path, schema));
      const others = Object.entries(operation.responses).filter(([status]) => status !== "200");
      if (others.length) {
        const list = element("ul", { className: "quiet" }, ...others.map(([status, { description }]) => element("li", {}, element("b", {}, status), ` ${description}`)));
        card.append(element("details", {}, element("summary", {}, "When it is refused"), list));
      } else if (method === "get") {
        card.append(element("a", { href: path }, path));
      }
      return card;
    }),
  );
  document.getElementById("operations").replaceChildren(...cards);
} catch (error) {
  document.getElementById("operations").textContent = error.message;
}
