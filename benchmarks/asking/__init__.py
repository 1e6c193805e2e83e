"""Questions nobody made a rule for: public tables and databases, gold SQL, and what comes of them."""
