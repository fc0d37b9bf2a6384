/** Longer titles and names are cut. */
export const mostOfTitle = 200;

/** The beginning of a text that should be short, and may be a whole book. @param most characters */
export const shortened = (text: string, most = mostOfTitle): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;
