// Files to the pipeline: a few at once, each as the body of a request of its own, with what is to be done in a header.

import { ask } from "./asking.js";
import { bytes } from "./format.js";

const AT_ONCE = 3;
const MAX_FILES = 500;
const RETRY_MS = 2000;

export class Uploads {
  constructor(changed) {
    this.waiting = [];
    this.sending = 0;
    this.refused = [];
    this.maxBytes = Infinity;
    this.changed = changed;
  }

  add(files, options) {
    const room = MAX_FILES - this.waiting.length;
    [...files].forEach((file, place) => {
      if (place >= room) this.refuse(file.name, `at most ${MAX_FILES} files wait at once`);
      else if (file.size > this.maxBytes) this.refuse(file.name, `it has ${bytes(file.size)}; the limit is ${bytes(this.maxBytes)}`);
      else this.waiting.push({ file, options });
    });
    this.next();
  }

  refuse(name, reason) {
    this.refused.push({ name, reason });
    this.refused = this.refused.slice(-20);
    this.changed();
  }

  next() {
    while (this.sending < AT_ONCE && this.waiting.length) {
      this.sending += 1;
      this.one(this.waiting.shift()).finally(() => { this.sending -= 1; this.next(); });
    }
    this.changed();
  }

  async one({ file, options }) {
    const header = ascii(JSON.stringify({ filename: file.name, ...options }));
    try {
      await ask("/api/documents", { method: "POST", body: file, headers: { "x-pageloom-upload": header, "content-type": "application/octet-stream" } });
    } catch (error) {
      this.refuse(file.name, error.message);
      if (error.message.includes("under way")) await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}

// Headers are ASCII; JSON can say everything in it.
function ascii(text) {
  return text.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
