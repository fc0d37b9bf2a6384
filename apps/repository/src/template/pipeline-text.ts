/** The text of a pipeline file, which ends in one newline. */
export const pipeline = (lines: string): string => `${lines.trim()}\n`;
