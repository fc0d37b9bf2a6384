/** What is searched for in files, and which files. */
export interface BlobQuery {
  text: string;
  /** Whether a file is meant, by its path in lower case. */
  isMeant: (path: string) => boolean;
  hasFilters: boolean;
}

type Filter = (path: string) => boolean;

const filterWord = /^(-?)(filename|path|extension):(.+)$/i;

/** Reads `needle extension:ts -path:vendor`: filters among the words, all else is the text. See docs/api/search.md#9. */
export function readBlobQuery(search: string): BlobQuery {
  const words = search.split(/\s+/).filter((word) => word !== '');
  const filters = words.flatMap((word) => filterOf(word) ?? []);
  const others = words.filter((word) => !filterWord.test(word));
  return {
    // Blanks between words are kept as they are, where they are between words of the text.
    text: filters.length > 0 ? others.join(' ') : search.trim().replace(/[\r\n]+/g, ' '),
    isMeant: (path) => filters.every((isMeant) => isMeant(path)),
    hasFilters: filters.length > 0,
  };
}

function filterOf(word: string): Filter | undefined {
  const [, negation, name, value] = filterWord.exec(word) ?? [];
  if (name === undefined || value === undefined) return undefined;
  const parts = value.toLowerCase().split('*');
  const kind = name.toLowerCase();
  const matches: Filter =
    kind === 'path'
      ? (path) => hasInOrder(path, parts)
      : (path) => endsInOrder(path, kind === 'extension' ? [`.${parts[0]}`, ...parts.slice(1)] : parts);
  return negation ? (path) => !matches(path) : matches;
}

/** Whether a text has parts one after the other, whatever is between them. */
function hasInOrder(text: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

/** The same, and the last of them at its end. */
function endsInOrder(text: string, parts: readonly string[]): boolean {
  const last = parts.at(-1) ?? '';
  return text.endsWith(last) && hasInOrder(text.slice(0, text.length - last.length), parts.slice(0, -1));
}
