import {
  type GeoCounter,
  type GeoNodeStatus,
  type GeoShare,
  geoCounters,
  geoKinds,
  verifiedGeoKinds,
} from '@moothall/contracts';
import type { GeoNodeDocument, NodeReport } from '../node/node.schema';
import { shareOf } from './share';

/** Without a report for so long, a node is unhealthy. */
const staleAfterMs = 600_000;
const stale = 'Status has not been updated in the past 10 minutes';

export interface StatusFacts {
  node: GeoNodeDocument;
  /** URL of the node in the API. */
  address: string;
  /** Whether the node cannot sign in at its primary. */
  lacksApplication: boolean;
}

/** The status of a node from its last report. See docs/api/geo.md#3. */
export function viewStatus({ node, address, lacksApplication }: StatusFacts, report: NodeReport): GeoNodeStatus {
  const health = Date.now() - report.toldAt.getTime() > staleAfterMs ? stale : report.health;
  const isHealthy = health === '';
  const counters = Object.fromEntries(geoCounters.map((name) => [name, report.counters[name] ?? null])) as Record<
    GeoCounter,
    number | null
  >;
  return {
    geo_node_id: node._id,
    healthy: isHealthy,
    health: isHealthy ? 'Healthy' : health,
    health_status: isHealthy ? 'Healthy' : 'Unhealthy',
    missing_oauth_application: lacksApplication,
    version: report.version,
    revision: report.revision,
    repository_verification_enabled: true,
    selective_sync_type: node.selectiveSyncType,
    last_successful_status_check_timestamp: Math.floor(report.toldAt.getTime() / 1000),
    updated_at: report.toldAt.toISOString(),
    ...counters,
    ...sharesOf(counters),
    _links: { self: `${address}/status`, node: address },
  };
}

function sharesOf(counters: Record<GeoCounter, number | null>): Record<GeoShare, string> {
  const synced = geoKinds.map((kind) => [
    `${kind}_synced_in_percentage`,
    shareOf(counters[`${kind}_synced_count`], counters[`${kind}_count`]),
  ]);
  const verified = verifiedGeoKinds.flatMap((kind) =>
    (['checksummed', 'verified'] as const).map((step) => [
      `${kind}_${step}_in_percentage`,
      shareOf(counters[`${kind}_${step}_count`], counters[`${kind}_count`]),
    ]),
  );
  return {
    ...Object.fromEntries([...synced, ...verified]),
    replication_slots_used_in_percentage: shareOf(
      counters.replication_slots_used_count,
      counters.replication_slots_count,
    ),
    repositories_checked_in_percentage: shareOf(counters.repositories_checked_count, counters.repositories_count),
  };
}
