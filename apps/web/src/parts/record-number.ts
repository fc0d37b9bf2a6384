/** The number of a record in an address; undefined for anything that is not one. */
export const recordNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
