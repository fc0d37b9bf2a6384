import type { Visibility } from '@moothall/contracts';

interface Shown {
  fullPath: string;
  name: string;
  visibility: Visibility;
}

/** What of a project or group was otherwise before a change, as events tell it. */
export const shownBefore = (before: Shown, after: Shown) => ({
  ...(before.fullPath !== after.fullPath && { full_path: before.fullPath }),
  ...(before.name !== after.name && { name: before.name }),
  ...(before.visibility !== after.visibility && { visibility: before.visibility }),
});
