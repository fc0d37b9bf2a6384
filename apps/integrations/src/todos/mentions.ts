/** The most users that one text can mention; more are ignored. */
const mostPeople = 100;

const code = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
const quote = /^>.*$/gm;
// Not within a word, an address or a path.
const mention = /(?<![\w./@-])@(\w(?:[\w.-]*\w)?)(?![\w/])/g;
/** A text that begins with names, one after the other, speaks to them. */
const address = /^\s*(?:@\w[\w.-]*(?:\s*(?:,|&|and\b)?\s*))+/;

export interface Mentions {
  /** Usernames in small letters, those that are spoken to among them. */
  all: Set<string>;
  addressed: Set<string>;
}

/** Whom a text names as `@name`; not in code, nor in what it quotes. */
export function mentionsIn(text: string | null): Mentions {
  if (!text?.includes('@')) return { all: new Set(), addressed: new Set() };
  const prose = text.replace(code, ' ').replace(quote, ' ');
  return { all: namesIn(prose), addressed: namesIn(address.exec(prose)?.[0] ?? '') };
}

function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  for (const [, name = ''] of text.matchAll(mention)) {
    if (names.size === mostPeople) break;
    names.add(name.toLowerCase());
  }
  return names;
}
