import { Access } from '@moothall/contracts';
import type { ProtectedRef } from './protected-ref.schema';

export type NewProtection = Omit<ProtectedRef, '_id' | 'isPattern'>;

/** A protection that allows maintainers only, unless given otherwise. */
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
