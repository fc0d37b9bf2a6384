/** Names of trailers, in whatever case, and their values, in order. */
export type Trailers = [name: string, value: string][];

const name = /^[A-Za-z][A-Za-z0-9-]{0,99}$/;

/** What stands as `Name: value` in the last paragraph of a message, if nothing else does; a line that begins with a blank goes on. */
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
    // As git adds it itself.
    else if (!/^\(cherry picked from commit [0-9a-f]{40}\)$/.test(line)) return [];
  }
  return found;
}
