import { Access, type AccessLevel, type Feature } from './access';
import type { FeatureAccess, Visibility } from './context';

interface Readable {
  visibility: Visibility;
  accessLevel: AccessLevel;
  readsBelow?: boolean | undefined;
}

interface Reader {
  isExternal: boolean;
}

/** Whether a caller may know that a project or group exists. See docs/api/access.md#2. */
export function isReadable(target: Readable, caller: Reader | undefined): boolean {
  if (target.visibility === 'public' || target.accessLevel > Access.None || target.readsBelow) return true;
  return target.visibility === 'internal' && caller !== undefined && !caller.isExternal;
}

/** Whether a part of a readable project is open at that level. */
export function isFeatureOpen(
  project: Readable & { features: Record<Feature, FeatureAccess> },
  feature: Feature,
): boolean {
  const access = project.features[feature];
  return access === 'enabled' || (access === 'private' && project.accessLevel >= Access.Guest);
}
