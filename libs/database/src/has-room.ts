/**
 * A condition for the filter of an update that adds to an array: that fewer than `most` elements are there. A document
 * holds 16 MB, and is read and written whole.
 */
export const hasRoom = (array: string, most: number) => ({ [`${array}.${most - 1}`]: { $exists: false } });
