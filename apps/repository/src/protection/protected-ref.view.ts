import type { ProtectedBranch, ProtectedTag } from '@moothall/contracts';
import type { z } from 'zod';
import type { Levels, ProtectedRef } from './protected-ref.schema';

const descriptions: Record<number, string> = {
  0: 'No one',
  30: 'Developers + Maintainers',
  40: 'Maintainers',
  60: 'Instance admins',
};

const viewLevels = (levels: Levels) =>
  levels.map((level) => ({
    access_level: level,
    access_level_description: descriptions[level] ?? String(level),
    user_id: null,
    group_id: null,
  }));

export const viewProtectedBranch = (ref: ProtectedRef): z.infer<typeof ProtectedBranch> => ({
  id: ref._id,
  name: ref.name,
  push_access_levels: viewLevels(ref.pushLevels),
  merge_access_levels: viewLevels(ref.mergeLevels),
  unprotect_access_levels: viewLevels(ref.unprotectLevels),
  allow_force_push: ref.allowsForcePush,
  code_owner_approval_required: ref.needsCodeOwner,
});

export const viewProtectedTag = (ref: ProtectedRef): z.infer<typeof ProtectedTag> => ({
  name: ref.name,
  create_access_levels: viewLevels(ref.pushLevels),
});
