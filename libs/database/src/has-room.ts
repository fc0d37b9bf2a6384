/**
 * A condition for the filter of an update that adds to an array: it has fewer than `most` elements. A document has at
 * most 16 MB, and is read and written as a whole.
 */
export const hasRoom = (array: string, most: number) => ({ [`${array}.${most - 1}`]: { $exists: false } });
