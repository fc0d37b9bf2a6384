/** Limit of users that one text can mention; further ones are ignored. */
const mostPeople = 100;

const code = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
const quote = /^>.*$/gm;
// Not within a word, an email address or a path.
const mention = /(?<![\w./@-])@(\w(?:[\w.-]*\w)?)(?![\w/])/g;
/** Names at the beginning of a text address these users. */
const address = /^\s*(?:@\w[\w.-]*(?:\s*(?:,|&|and\b)?\s*))+/;

export interface Mentions {
  /** User names in lower case, including the addressed ones. */
  all: Set<string>;
  addressed: Set<string>;
}

/** Users that a text names as `@name`, outside of code and quotes. */
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
