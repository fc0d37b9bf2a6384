const closing = /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)):? {0,3}$/i;

/** Whether the word before a reference closes it, as `Closes #1`. */
export const closes = (text: string, at: number): boolean => closing.test(text.slice(Math.max(0, at - 24), at));
