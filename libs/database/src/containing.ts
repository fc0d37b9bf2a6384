const quote = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Matches texts that contain `part`, by default in any case. */
export const containing = (part: string, flags = 'i'): RegExp => new RegExp(quote(part), flags);
