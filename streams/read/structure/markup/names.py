"""What the tags, roles and classes of HTML mean to a reader: tables of words, and nothing else."""

SKIPPED = frozenset({
    "head", "style", "template", "noscript", "iframe", "object", "embed", "applet", "canvas", "audio", "video", "map", "area", "param",
    "source", "track", "link", "meta", "base", "title", "datalist", "rp", "frameset", "noframes", "button", "dialog", "menuitem",
})  # fmt: skip
"""Tags whose content is no text of the page: programs, players, controls. Text for browsers that lack these is not shown either."""

BLOCKS = frozenset({
    "html", "body", "div", "p", "section", "article", "main", "aside", "header", "footer", "nav", "address", "blockquote", "center", "fieldset",
    "form", "legend", "hgroup", "details", "summary", "figure", "figcaption", "hr", "ul", "ol", "menu", "dir", "li", "dl", "dt", "dd", "table",
    "caption", "thead", "tbody", "tfoot", "tr", "td", "th", "pre", "listing", "xmp", "search", "optgroup", "noembed", "h1", "h2", "h3", "h4", "h5",
    "h6",
})  # fmt: skip
"""Tags that begin a block of their own. All others run inside a line of text."""

INLINE_TAGS = frozenset({"span", "i", "b", "em", "strong", "a", "svg", "img", "sup", "sub", "small", "font", "use", "math"})
"""Tags that `aria-hidden` hides for good: decoration, or the second of two renderings. On a whole section it may only mean an open dialog."""

HIDDEN_CLASSES = frozenset({
    "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "mw-editsection", "headerlink", "anchorjs-link", "linenos", "lineno",
    "linenodiv", "gutter", "mjx_assistive_mml", "noprint",
})  # fmt: skip
"""Classes that the common tools give to what a page does not show, or shows beside its text: permalinks, line numbers, edit links."""

HEADINGS = {f"h{level}": level for level in range(1, 7)}
SECTIONS = frozenset({"article", "section", "main", "aside", "blockquote", "figure", "td", "th", "details", "dialog", "fieldset"})
"""Inside these, `header` and `footer` belong to the section and not to the page (HTML standard, 4.3.8)."""

NOTE_KINDS = frozenset({"footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes", "doc-footnote", "doc-endnote", "doc-endnotes"})
CONTENTS_KINDS = frozenset({"toc", "doc-toc", "landmarks", "page-list", "doc-index", "index"})
"""Navigation that is content of a book, and not of a web site."""
PAGE_BREAK_KINDS = frozenset({"pagebreak", "doc-pagebreak"})
BACK_LINK_KINDS = frozenset({"backlink", "doc-backlink"})
"""Links from a note back to its mark (`↩`): no text of the note."""

NOTE_CLASSES = frozenset({"footnote", "footnotes", "footnote-definition"})
CAPTION_CLASSES = frozenset({"caption", "figcaption", "wp-caption-text"})
ANNOTATION_CLASSES = frozenset({"annotation"})
BACK_LINK_CLASSES = frozenset({"footnote-backref", "footnote-back", "reversefootnote", "data-footnote-backref"})

LANGUAGE_PREFIXES = ("language-", "lang-", "highlight-source-", "brush:", "prism-")
"""Of classes that name the language of code."""
PLAIN_LANGUAGES = frozenset({"none", "text", "plain", "plaintext", "nohighlight", "default"})
