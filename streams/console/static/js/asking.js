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
