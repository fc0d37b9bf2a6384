import { type GeoNode, positiveGeoSettings, readWebAddress } from '@moothall/contracts';

type Given = Partial<Record<keyof GeoNode, unknown>>;

const syncTypes = ['namespaces', 'shards'];

const isAddress = (text: unknown): boolean => typeof text === 'string' && readWebAddress(text) !== undefined;

/** Errors of the input, by attribute. See docs/api/geo.md#1. */
export function nodeProblems(given: Given): Record<string, string[]> {
  const problems: Record<string, string[]> = {};
  if (typeof given.name === 'string' && given.name.trim() === '') problems.name = ["can't be blank"];
  const addresses = ['url', ...(given.internal_url ? ['internal_url'] : [])] as const;
  for (const address of addresses)
    if (given[address as 'url'] !== undefined && !isAddress(given[address as 'url']))
      problems[address] = ['is blocked: Only allowed schemes are http, https'];
  for (const setting of positiveGeoSettings)
    if (Number(given[setting] ?? 1) <= 0) problems[setting] = ['must be greater than 0'];
  const syncType = given.selective_sync_type;
  if (syncType && !syncTypes.includes(String(syncType))) problems.selective_sync_type = ['is not included in the list'];
  return problems;
}

/** Equal for all spellings of a URL. @param url a valid one */
export function urlKeyOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/$/, '')}`;
}
