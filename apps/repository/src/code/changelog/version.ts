import { versionPattern } from '@moothall/contracts';

export interface Version {
  /** Without the prefix `v`. */
  text: string;
  numbers: [major: number, minor: number, patch: number];
  /** The pre-release suffix; undefined for a release. */
  before: string | undefined;
}

export function readVersion(text: string): Version | undefined {
  const [, major, minor, patch, before] = versionPattern.exec(text) ?? [];
  if (major === undefined) return undefined;
  return { text: text.replace(/^v/, ''), numbers: [Number(major), Number(minor), Number(patch)], before };
}

/** Source: semver 2.0.0, 11. @returns a negative number if the first comes before the second */
export function compareVersions(a: Version, b: Version): number {
  for (const at of [0, 1, 2] as const) {
    if (a.numbers[at] !== b.numbers[at]) return a.numbers[at] - b.numbers[at];
  }
  if (a.before === undefined || b.before === undefined)
    return Number(a.before === undefined) - Number(b.before === undefined);
  return compareParts(a.before.split('.'), b.before.split('.'));
}

function compareParts(a: string[], b: string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const [one = '', other = ''] = [a[at], b[at]];
    if (one === other) continue;
    const [isNumber, isOtherNumber] = [one, other].map((part) => /^\d{1,15}$/.test(part));
    if (isNumber && isOtherNumber) return Number(one) - Number(other);
    // Numbers sort before words.
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return a.length - b.length;
}
