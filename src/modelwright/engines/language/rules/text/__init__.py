"""Words by themselves: stems, lists of words, phrases, numbers, sentences."""
