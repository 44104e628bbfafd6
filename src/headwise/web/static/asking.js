// Requests to the server that sent this page.

/** What the server says to JSON; an Error with its own words where it refuses. */
export async function ask(path, body, { signal } = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Is it still running?");
  }
  const text = await answer.text();
  let content;
  try {
    content = text ? JSON.parse(text) : null;
  } catch {
    content = { error: text.trim() };
  }
  if (!answer.ok) throw new Error(content?.error ?? `The server answered ${answer.status}.`);
  return content;
}

/** Calls `work` when nothing has been asked for so many milliseconds. */
export function later(milliseconds, work) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), milliseconds);
  };
}
