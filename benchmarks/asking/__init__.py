"""Questions that no rule was made for: public tables, gold SQL, and what comes of them."""
