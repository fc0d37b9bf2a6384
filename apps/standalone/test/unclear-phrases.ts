/** Phrases that need a second reading. Each has a plain replacement: see the table of CONTRIBUTING.md. */
export const unclearPhrases =
  /\b(told|whoever|lets? go of|set aside|what is kept|hears|comes to be|where there is none|held against|is taken for|is asked for|goes on|again and again|anew|who asks|all the same|be it|what becomes of|is there already|the house)\b/i;
