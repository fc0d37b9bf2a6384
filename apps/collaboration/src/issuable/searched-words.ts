/**
 * A single reference (`#12`, `!12`) selects the record of that number; anything else is a text search. See
 * docs/api/search.md#5.
 */
export function searchedWords(search: string, sign: '#' | '!'): { search?: string; iids?: number[] } {
  const text = search.trim();
  const number = text.startsWith(sign) ? text.slice(1) : '';
  return /^\d{1,15}$/.test(number) ? { iids: [Number(number)] } : { search: text };
}
