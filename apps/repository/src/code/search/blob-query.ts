/** A text to search for in files, with filters for files. */
export interface BlobQuery {
  text: string;
  /** Whether the filters accept a file, by its path in lower case. */
  isMeant: (path: string) => boolean;
  hasFilters: boolean;
}

type Filter = (path: string) => boolean;

const filterWord = /^(-?)(filename|path|extension):(.+)$/i;

/** Parses `needle extension:ts -path:vendor`: filters, and the text between them. See docs/api/search.md#9. */
export function readBlobQuery(search: string): BlobQuery {
  const words = search.split(/\s+/).filter((word) => word !== '');
  const filters = words.flatMap((word) => filterOf(word) ?? []);
  const others = words.filter((word) => !filterWord.test(word));
  return {
    // Blanks between words of the text are preserved.
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

/** Whether a text contains the parts in order, with anything between them. */
function hasInOrder(text: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

/** The same, and the text ends with the last part. */
function endsInOrder(text: string, parts: readonly string[]): boolean {
  const last = parts.at(-1) ?? '';
  return text.endsWith(last) && hasInOrder(text.slice(0, text.length - last.length), parts.slice(0, -1));
}
