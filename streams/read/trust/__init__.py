"""How far a page's text layer may be trusted: signals, symptoms, and the judgement of them."""
