// The picture of a page with boxes over it, placed in shares of the page so that they stay where they are at any size.

import { documentPath, refusal } from "./asking.js";
import { h, show } from "./dom.js";

export class Sheet {
  constructor(key, choose) {
    this.key = key;
    this.choose = choose;
    this.picture = h("img", { alt: "" });
    this.boxes = h("div", { class: "boxes", "aria-hidden": "true" });
    this.note = h("p", { class: "note" });
    this.paper = h("div", { class: "paper" }, this.picture, this.boxes);
    this.element = h("section", { class: "sheet", tabindex: 0, "aria-label": "The page as it looks" }, this.paper, this.note);
    this.picture.addEventListener("error", () => this.tellWhy(this.picture.getAttribute("src")));
    this.picture.addEventListener("load", () => this.paper.classList.replace("loading", "drawn"));
  }

  showPage(page, drawable, lowConfidence) {
    this.size = [page.width_pt, page.height_pt];
    this.boxes.replaceChildren();
    this.note.textContent = "";
    this.paper.hidden = false;
    const placed = page.blocks.some((block) => block.boxes && block.boxes.length);
    if (!drawable && !placed) { this.bare("This format has no pages of its own, so there is nothing to draw."); return; }
    this.paper.style.aspectRatio = `${page.width_pt} / ${page.height_pt}`;
    this.paper.classList.toggle("blank", !drawable);
    this.picture.hidden = !drawable;
    if (drawable) {
      const source = documentPath(this.key, `/pages/${page.number}/image`);
      if (this.picture.getAttribute("src") !== source) {
        this.paper.classList.remove("drawn");
        this.paper.classList.add("loading");
        this.picture.src = source;
      }
      this.picture.alt = `page ${page.number} as it looks`;
    }
    for (const block of page.blocks) {
      for (const box of block.boxes || []) {
        const element = this.place(box, `box ${block.type}${block.confidence < lowConfidence ? " low" : ""}`);
        element.dataset.block = block.id;
        element.addEventListener("pointerenter", () => this.choose(block.id, "over"));
        element.addEventListener("pointerleave", () => this.choose(null, "over"));
        element.addEventListener("click", () => this.choose(block.id, "click"));
      }
    }
  }

  async tellWhy(source) {
    this.picture.removeAttribute("src"); // so that it is asked for again when the page is shown again
    this.bare("The page cannot be drawn; its text is beside.");
    const why = await refusal(source);
    if (why && !this.picture.hasAttribute("src")) this.bare(`The page cannot be drawn, its text is beside: ${why}`);
  }

  bare(text) {
    this.paper.hidden = true;
    this.note.textContent = text;
  }

  place([x0, y0, x1, y1], look) {
    const [width, height] = this.size;
    const element = h("div", { class: look });
    element.style.left = `${(x0 / width) * 100}%`;
    element.style.top = `${(y0 / height) * 100}%`;
    element.style.width = `${((x1 - x0) / width) * 100}%`;
    element.style.height = `${((y1 - y0) / height) * 100}%`;
    this.boxes.append(element);
    return element;
  }

  light(id) {
    for (const box of this.boxes.children) box.classList.toggle("lit", id !== null && box.dataset.block === id);
  }

  touch(cell, on) {
    if (this.cell) this.cell.remove();
    this.cell = on ? this.place(cell.bbox, "cell") : null;
  }

  // Places that were found; the one that is meant shows most.
  found(places, chosen) {
    for (const old of [...this.boxes.querySelectorAll(".found")]) old.remove();
    for (const place of places) if (place.box) this.place(place.box, `found${place === chosen ? " chosen" : ""}`);
    const shown = this.boxes.querySelector(".found.chosen");
    if (shown) shown.scrollIntoView({ block: "center", inline: "nearest" });
  }
}

export function outlineElement(entries, go) {
  const list = h("ol", { class: "outline" });
  show(list, entries.map((entry) => h("li", { class: `level${Math.min(4, entry.level)}` },
    entry.page ? h("button", { type: "button", class: "link", text: entry.title, dir: "auto", on: { click: () => go(entry.page, entry.block) } }) : h("span", { text: entry.title, dir: "auto" }))));
  return list;
}
