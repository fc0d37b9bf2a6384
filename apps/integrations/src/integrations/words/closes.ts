const closing = /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)):? {0,3}$/i;

/** Whether a word right before a place in a text says that what stands there is done. */
export const closes = (text: string, at: number): boolean => closing.test(text.slice(Math.max(0, at - 24), at));
