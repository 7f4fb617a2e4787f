// Requests to the console's own server. A failure is an Error whose message is for a person.

export async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, { credentials: "same-origin", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the console does not answer; is it still running?");
  }
  if (!answer.ok) throw new Error(await reason(answer));
  return answer.json();
}

// Why the server refuses what an element of the page asked for by itself, and was told nothing; empty where it refuses no more.
export async function refusal(path) {
  try {
    const answer = await fetch(path, { credentials: "same-origin" });
    return answer.ok ? "" : await reason(answer);
  } catch {
    return "the console does not answer; is it still running?";
  }
}

async function reason(answer) {
  const text = await answer.text();
  try {
    return JSON.parse(text).message || text;
  } catch {
    return text.trim() || `the console answers ${answer.status}`;
  }
}

export function documentPath(key, rest = "") {
  return `/api/documents/${encodeURIComponent(key)}${rest}`;
}

export const send = (path) => ask(path, { method: "POST" });
