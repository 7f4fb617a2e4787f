"""One document made of its pages: a draft, and the processors that mark, level and join what stands on it, in the order that `build` gives."""
