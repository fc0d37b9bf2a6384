/**
 * Puts the headings of a rendered text below that of the page: with level 1, `<h1>` becomes `<h2>`. So a page has one
 * heading of the first level, and outlines of screen readers are right.
 * @param level of the heading above the text
 */
export const headingsBelow = (level: number, html: string): string =>
  html.replaceAll(
    /<(\/?)h([1-6])>/g,
    (_tag, slash: string, own: string) => `<${slash}h${Math.min(6, Number(own) + level)}>`,
  );
