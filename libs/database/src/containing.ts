const quote = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Matches texts that contain `part`, in any case unless told otherwise. */
export const containing = (part: string, flags = 'i'): RegExp => new RegExp(quote(part), flags);
