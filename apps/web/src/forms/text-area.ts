/** Whether a browser sends a text back as it is, apart from line ends: not after a NUL, or a CR alone. */
export const fitsTextArea = (text: string): boolean => !text.includes('\0') && !/\r(?!\n)/.test(text);

/** A sent text with the line ends of the text that it replaces. */
export const withLineEndsOf = (before: string, text: string): string =>
  before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
