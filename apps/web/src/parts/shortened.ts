/** Longer titles and names are cut. */
export const mostOfTitle = 200;

/** The beginning of a text that should be short, and may be a whole book. */
export const shortened = (text: string): string =>
  text.length > mostOfTitle ? `${text.slice(0, mostOfTitle)}…` : text;
