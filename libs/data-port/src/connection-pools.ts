import { unattended } from '@moothall/logging';
import { LRUCache } from 'lru-cache';
import { Pool } from 'undici';

/** Number of servers with open connections. Pods are replaced, and each has a new address. */
const mostServers = 1_000;

/**
 * Pools of connections to servers. undici has `Agent` for that, but its versions 7.16 to 7.30 open a new connection
 * for every request after two were closed.
 */
export class ConnectionPools {
  private readonly pools: LRUCache<string, Pool>;

  constructor(private readonly options: Pool.Options) {
    this.pools = new LRUCache({
      max: mostServers,
      // It waits for running requests.
      dispose: (pool, origin) => unattended(`connections to ${origin}`, pool.close()),
    });
  }

  /** The connections to the server of a URL. */
  to(url: string): Pool {
    const { origin } = new URL(url);
    const known = this.pools.get(origin);
    if (known) return known;
    const pool = new Pool(origin, this.options);
    this.pools.set(origin, pool);
    return pool;
  }
}
