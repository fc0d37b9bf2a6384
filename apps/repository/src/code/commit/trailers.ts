/** Names of trailers, as written, and their values, in order. */
export type Trailers = [name: string, value: string][];

const name = /^[A-Za-z][A-Za-z0-9-]{0,99}$/;

/** The `Name: value` lines of a message's last paragraph, if it has no other lines. A line with a leading blank continues the value before. */
export function trailersIn(message: string): Trailers {
  const lines = message.trimEnd().split('\n');
  const from = lines.lastIndexOf('') + 1;
  // The first paragraph is the subject.
  if (from === 0) return [];
  const found: Trailers = [];
  for (const line of lines.slice(from)) {
    const last = found.at(-1);
    if (last && /^[ \t]/.test(line)) {
      last[1] = `${last[1]} ${line.trim()}`;
      continue;
    }
    const colon = line.indexOf(':');
    const key = line.slice(0, Math.max(colon, 0)).trimEnd();
    if (name.test(key)) found.push([key, line.slice(colon + 1).trim()]);
    // The line that git adds itself.
    else if (!/^\(cherry picked from commit [0-9a-f]{40}\)$/.test(line)) return [];
  }
  return found;
}
