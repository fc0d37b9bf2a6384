import { escapeHtml } from '@moothall/contracts';

/** Trusted HTML. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | false | null | undefined | Part[];

function render(part: Part): string {
  if (Array.isArray(part)) return part.map(render).join('');
  if (part instanceof Html) return part.text;
  if (part === false || part === null || part === undefined) return '';
  return escapeHtml(String(part));
}

/**
 * A name chosen by a user, isolated from the text around it. Otherwise right-to-left scripts would mix with it; and a
 * character that overrides the direction could change how a sentence reads.
 */
export const named = (text: string): Html => html`<bdi>${withoutTurns(text)}</bdi>`;

/** Without characters that override or isolate directions. Source: Unicode UAX #9, 2.2 to 2.5. */
export const withoutTurns = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

/** A template whose values are escaped, unless they are templates themselves. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(texts.reduce((before, text, at) => before + render(parts[at - 1]) + text));
}
