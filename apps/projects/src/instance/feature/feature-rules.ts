import { createHash } from 'node:crypto';
import { type FeatureFlag, invalidParameters } from '@moothall/contracts';
import type { FeatureDocument } from './feature.schema';

/** Parses a value: on, off, or a percentage. @throws common.invalid_parameters */
export function parseValue(value: boolean | number | string): boolean | number {
  if (typeof value === 'boolean') return value;
  const text = String(value).trim().toLowerCase();
  if (['true', 'on', 't'].includes(text)) return true;
  if (['false', 'off', 'f'].includes(text)) return false;
  const percentage = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(percentage <= 100)) throw invalidParameters('value is invalid');
  return percentage;
}

interface Actor {
  username?: string | undefined;
  fullPath?: string | undefined;
}

export const actorsOf = ({ username, fullPath }: Actor): string[] => [
  ...(username ? [`user:${username.toLowerCase()}`] : []),
  // A flag of a group is on in everything below it.
  ...(fullPath ? pathsUpwards(fullPath.toLowerCase()).map((path) => `path:${path}`) : []),
];

const pathsUpwards = (path: string): string[] =>
  path.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'));

/** Whether a flag is on for a caller. A larger percentage includes all actors of a smaller one. */
export function isOnFor(feature: FeatureDocument | null, byDefault: boolean, actor: Actor, random = Math.random()) {
  if (!feature) return byDefault;
  if (feature.isOn) return true;
  const actors = actorsOf(actor);
  if (actors.some((name) => feature.actors.includes(name))) return true;
  const share = feature.percentageOfActors;
  if (share && actors.some((name) => shareOf(feature._id, name) < share)) return true;
  return random * 100 < (feature.percentageOfTime ?? 0);
}

/** A stable number from 0 to 99 for a flag and an actor. */
const shareOf = (flag: string, actor: string): number =>
  createHash('sha256').update(`${flag}\0${actor}`).digest().readUInt32BE() % 100;

export function viewFeature(feature: FeatureDocument): FeatureFlag {
  const gates: FeatureFlag['gates'] = [{ key: 'boolean', value: feature.isOn ?? false }];
  if (feature.percentageOfActors) gates.push({ key: 'percentage_of_actors', value: feature.percentageOfActors });
  if (feature.percentageOfTime) gates.push({ key: 'percentage_of_time', value: feature.percentageOfTime });
  if (feature.actors.length > 0) gates.push({ key: 'actors', value: feature.actors });
  const state = feature.isOn ? 'on' : gates.length > 1 ? 'conditional' : 'off';
  return { name: feature._id, state, gates };
}
