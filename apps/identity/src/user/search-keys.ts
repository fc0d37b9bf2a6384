/** Longest part of a search text that the index knows; what comes after is compared on the record. */
export const searchKeyLength = 24;

/**
 * Every ending of name and username, lower-cased and cut short. A text is part of a name when one of these begins with
 * it, which an ordinary index answers as a range; neither text indexes nor scans are needed.
 */
export function searchKeysOf(name: string, username: string): string[] {
  const endings = [name, username].flatMap((text) => {
    const lower = text.toLowerCase();
    return Array.from({ length: lower.length }, (_, start) => lower.slice(start, start + searchKeyLength));
  });
  return [...new Set(endings)];
}

/** The range of search keys that begin with a text. */
export function searchRange(text: string): { $gte: string; $lt: string } {
  const start = text.toLowerCase().slice(0, searchKeyLength);
  return { $gte: start, $lt: `${start}\uffff` };
}
