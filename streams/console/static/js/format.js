// Numbers and times as people read them.

export function seconds(value) {
  if (value < 1) return "less than a second";
  if (value < 90) return `${Math.round(value)} s`;
  if (value < 5400) return `${Math.round(value / 60)} min`;
  return `${(value / 3600).toFixed(1)} h`;
}

export function ago(ms) {
  const passed = (Date.now() - ms) / 1000;
  if (passed < 5) return "just now";
  if (passed < 86400) return `${seconds(passed)} ago`;
  return new Date(ms).toLocaleString();
}

export function count(value, one, many = `${one}s`) {
  return `${value.toLocaleString()} ${value === 1 ? one : many}`;
}

export function percent(value) {
  return `${Math.floor(value * 100)} %`;
}

export function bytes(value) {
  const units = ["bytes", "KB", "MB", "GB"];
  let place = 0;
  while (value >= 1024 && place < units.length - 1) { value /= 1024; place += 1; }
  return `${value < 10 && place ? value.toFixed(1) : Math.round(value)} ${units[place]}`;
}

export const STAGES = {
  submitted: "sent", opened: "opened", reading: "reading", finishing: "finishing", complete: "complete", partial: "partial", failed: "failed",
};
