/** Length of search keys in the index; longer searches are compared with the record. */
export const searchKeyLength = 24;

/**
 * Every suffix of name and username, in lower case and cut. A text is part of a name if one of these begins with it,
 * which an ordinary index finds as a range; neither text indexes nor scans are needed.
 */
export function searchKeysOf(name: string, username: string): string[] {
  const endings = [name, username].flatMap((text) => {
    const lower = text.toLowerCase();
    return Array.from({ length: lower.length }, (_, start) => lower.slice(start, start + searchKeyLength));
  });
  return [...new Set(endings)];
}

/** The range of search keys with a prefix. */
export function searchRange(text: string): { $gte: string; $lt: string } {
  const start = text.toLowerCase().slice(0, searchKeyLength);
  return { $gte: start, $lt: `${start}\uffff` };
}
