/** A reference alone (`#12`, `!12`) means the one of that number; all else is text. See docs/api/search.md#5. */
export function searchedWords(search: string, sign: '#' | '!'): { search?: string; iids?: number[] } {
  const text = search.trim();
  const number = text.startsWith(sign) ? text.slice(1) : '';
  return /^\d{1,15}$/.test(number) ? { iids: [Number(number)] } : { search: text };
}
