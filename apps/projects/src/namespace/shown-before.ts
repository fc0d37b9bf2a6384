import type { Visibility } from '@moothall/contracts';

interface Shown {
  fullPath: string;
  name: string;
  visibility: Visibility;
}

/** The fields of a project or group before a change, for events. */
export const shownBefore = (before: Shown, after: Shown) => ({
  ...(before.fullPath !== after.fullPath && { full_path: before.fullPath }),
  ...(before.name !== after.name && { name: before.name }),
  ...(before.visibility !== after.visibility && { visibility: before.visibility }),
});
