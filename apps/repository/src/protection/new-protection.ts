import { Access } from '@moothall/contracts';
import type { ProtectedRef } from './protected-ref.schema';

export type NewProtection = Omit<ProtectedRef, '_id' | 'isPattern'>;

/** A protection for maintainers, unless levels are given. */
export const newProtection = (
  projectId: number,
  kind: ProtectedRef['kind'],
  name: string,
  over: Partial<NewProtection> = {},
): NewProtection => ({
  projectId,
  kind,
  name,
  pushLevels: [Access.Maintainer],
  mergeLevels: [Access.Maintainer],
  unprotectLevels: [Access.Maintainer],
  allowsForcePush: false,
  needsCodeOwner: false,
  ...over,
});
