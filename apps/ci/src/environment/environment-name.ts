import type { EnvironmentTier } from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';

const slugLength = 24;
const suffixLength = 6;

/** A name that is valid in host names, at most 24 characters; a changed name gets a unique suffix. */
export function environmentSlug(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const slug = /^[a-z]/.test(plain) ? plain : `env-${plain.replace(/^-/, '')}`;
  if (slug === name && slug.length <= slugLength) return slug;
  const suffix = sha256(name).slice(0, suffixLength);
  return `${slug.slice(0, slugLength - suffixLength - 1).replace(/-$/, '')}-${suffix}`;
}

const hints: [RegExp, EnvironmentTier][] = [
  [/dev|review|trunk/i, 'development'],
  [/te?st|int|acc?e?pt|qa|qc|control|quality/i, 'testing'],
  [/sta?g|mode?l|pre|demo|non/i, 'staging'],
  [/pro?d|live/i, 'production'],
];

/** The tier of an environment by its name. See docs/api/deployments.md#1. */
export const tierOf = (name: string): EnvironmentTier => hints.find(([hint]) => hint.test(name))?.[1] ?? 'other';

/** The part before the first slash, which is the folder of environments. */
export const typeOf = (name: string): string | null => (name.includes('/') ? (name.split('/', 1)[0] ?? null) : null);
