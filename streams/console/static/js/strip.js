// The pages of a document as a strip of cells: shape says what became of a page, colour how far its text is trusted.

const MAX_CELLS = 480;
const NAMES = { ".": "waiting", e: "read", b: "blank", q: "being recognized", r: "recognized", f: "failed" };
const WORST = "f.qrbe";

export class Strip {
  constructor(open) {
    this.element = document.createElement("div");
    this.element.className = "strip";
    this.element.setAttribute("role", "img");
    this.cells = [];
    this.current = null;
    this.element.addEventListener("click", (event) => {
      const cell = event.target.closest("i");
      if (cell) open(Number(cell.dataset.page));
    });
  }

  // `marks` and `trust` hold a character a page, `numbers` the page numbers where they are not 1, 2, 3 …
  update(marks, trust, numbers) {
    const size = Math.max(1, Math.ceil(marks.length / MAX_CELLS));
    const wanted = Math.ceil(marks.length / size);
    while (this.cells.length > wanted) this.cells.pop().remove();
    while (this.cells.length < wanted) {
      const cell = document.createElement("i");
      this.cells.push(cell);
      this.element.append(cell);
    }
    this.cells.forEach((cell, place) => {
      const [mark, digit] = size === 1 ? [marks[place], trust[place]] : worst(marks, trust, place * size, size);
      const look = `m${mark === "." ? "w" : mark}${digit >= "0" ? ` t${digit}` : ""}`;
      const page = numbers.length ? numbers[place * size] : place * size + 1;
      if (cell.dataset.look !== look) {
        cell.dataset.look = look;
        cell.className = look;
        cell.title = `page ${page}${size > 1 ? ` and ${size - 1} more` : ""}: ${NAMES[mark]}${digit >= "0" ? `, confidence about ${digit}0 %` : ""}`;
      }
      cell.dataset.page = page;
      cell.toggleAttribute("data-current", this.current !== null && this.current >= page && this.current < page + size);
    });
    this.element.setAttribute("aria-label", summary(marks));
  }
}

// Of several pages the one that a person would look at: failed before waiting before doubtful.
function worst(marks, trust, from, size) {
  let mark = "e";
  let digit = " ";
  for (let at = from; at < Math.min(from + size, marks.length); at += 1) {
    if (WORST.indexOf(marks[at]) < WORST.indexOf(mark)) mark = marks[at];
    if (trust[at] >= "0" && (digit === " " || trust[at] < digit)) digit = trust[at];
  }
  return [mark, digit];
}

export function summary(marks) {
  const counts = {};
  for (const mark of marks) counts[mark] = (counts[mark] || 0) + 1;
  const parts = Object.entries(NAMES).filter(([mark]) => counts[mark]).map(([mark, name]) => `${counts[mark]} ${name}`);
  return `${marks.length} pages: ${parts.join(", ") || "none"}`;
}
