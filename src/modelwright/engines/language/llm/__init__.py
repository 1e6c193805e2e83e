"""Questions read by language models: schema view, prompt, grammar, and the reader itself."""
