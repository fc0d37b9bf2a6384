import type { CollectionScan } from '@moothall/infrastructure';

interface MeantScan {
  /** Absent for every service that has such a collection. */
  service?: string;
  collection: string;
  /** Absent for any. */
  filter?: string;
  why: string;
}

/** Allowed queries that read a whole collection: its size is constant, or the read is limited. */
const meant: readonly MeantScan[] = [
  {
    service: 'collaboration',
    collection: 'deleted_groups',
    filter: '',
    why: 'holds the groups that went within a day',
  },
  {
    service: 'identity',
    collection: 'users',
    filter: '',
    why: 'the list of all users is counted, no further than ten thousand',
  },
  { service: 'projects', collection: 'invitations', filter: '', why: 'whether there is any: one is read' },
  { collection: 'counters', filter: '', why: 'tests that let writes fail look at it' },
  { collection: 'removals', filter: '', why: 'holds deletions under way' },
];

/**
 * In a small database a missing index is not noticed; with this check a test notices it. See docs/mongodb.md,
 * Queries.
 * @throws Error that names every query that read a whole collection of the service, and is not allowed to
 */
export function refuseScans(service: string, scans: readonly CollectionScan[]): void {
  const strange = scans.filter((scan) => !meant.some((one) => isMeant(service, scan, one))).map(describe);
  if (strange.length > 0)
    throw new Error(`queries of ${service} without an index:\n${[...new Set(strange)].join('\n')}`);
}

const collectionOf = ({ namespace }: CollectionScan): string => namespace.slice(namespace.indexOf('.') + 1);

const isMeant = (service: string, scan: CollectionScan, one: MeantScan): boolean =>
  collectionOf(scan) === one.collection &&
  [undefined, service].includes(one.service) &&
  [undefined, scan.filter].includes(one.filter);

const describe = (scan: CollectionScan): string =>
  `${collectionOf(scan)}: {${scan.filter}}${scan.sort.length > 0 ? `, sorted by ${scan.sort.join(', ')}` : ''} (${scan.documents} documents)`;
