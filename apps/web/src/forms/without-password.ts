/** How the server shows names and passwords in URLs. */
const mask = '*****';

/** A URL without its password; a mask is none. What is no URL loses what may be one: all from a colon to the last `@`. */
export function withoutPassword(text: string): string {
  const url = URL.parse(text);
  if (!url?.host) return text.replace(/^((?:[^:]*:\/\/)?[^:@]*):(?!\/\/).*@/s, '$1@');
  if (url.password === '' || url.password === mask) return text;
  url.password = '';
  return url.href;
}
