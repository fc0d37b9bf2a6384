/** A caller's revision, split into the name and the `~n`/`^n` steps after it. */
export interface Revision {
  base: string;
  steps: string;
}

const OBJECT_ID = /^[0-9a-f]{40}$/i;
const ABBREVIATED = /^[0-9a-f]{7,39}$/i;
const MAX_REVISION_BYTES = 4096;

/**
 * @returns null for text that cannot name a commit: control characters, other revision syntax of git, options, too long
 */
export function parseRevision(text: string): Revision | null {
  if (Buffer.byteLength(text) > MAX_REVISION_BYTES) return null;
  // Names contain neither of them.
  const end = text.search(/[~^]/);
  const [base, steps] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end)];
  return isRefname(base) && /^(?:[~^]\d{0,6})*$/.test(steps) ? { base, steps } : null;
}

/**
 * Names to look up, in order of preference: a full id, the branch and the tag of that name in the preferred order, a
 * full ref name, an abbreviated id, HEAD. Each one is complete, so that git's own lookup order does not matter.
 */
export function revisionCandidates(base: string, prefer: 'branch' | 'tag'): string[] {
  if (OBJECT_ID.test(base)) return [base.toLowerCase()];
  const names = [`refs/heads/${base}`, `refs/tags/${base}`];
  if (prefer === 'tag') names.reverse();
  if (base.startsWith('refs/')) names.push(base);
  if (base.startsWith('heads/') || base.startsWith('tags/')) names.push(`refs/${base}`);
  if (ABBREVIATED.test(base)) names.push(base);
  if (base === 'HEAD') names.unshift(base);
  return names;
}

/** Whether git check-ref-format accepts the name as part of a ref (`--allow-onelevel`). */
export function isRefname(name: string): boolean {
  return (
    name !== '' && name !== '@' && !/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|(^|\/)\.|\.lock(\/|$)/.test(name)
  );
}

/**
 * Whether a branch or tag may have this name: git's rules for branches, and not something that could be read as an
 * option or an id.
 */
export function isBranchOrTagName(name: string): boolean {
  return (
    isRefname(name) &&
    !name.startsWith('-') &&
    name !== 'HEAD' &&
    !OBJECT_ID.test(name) &&
    !name.startsWith('refs/') &&
    Buffer.byteLength(name) <= 1024
  );
}
