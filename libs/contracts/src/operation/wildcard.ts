/** Whether a pattern matches a name; `*` matches any text, and other characters themselves. In linear time. */
export function matchesWildcard(pattern: string, name: string): boolean {
  const pieces = pattern.split('*');
  if (pieces.length === 1) return pattern === name;
  const [first = '', last = ''] = [pieces.shift(), pieces.pop()];
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  const middle = name.slice(first.length, name.length - last.length);
  let at = 0;
  return pieces.every((piece) => {
    const found = middle.indexOf(piece, at);
    at = found + piece.length;
    return found >= 0;
  });
}
