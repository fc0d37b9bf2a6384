import { unattended } from '@moothall/logging';
import { LRUCache } from 'lru-cache';
import { Pool } from 'undici';

/** Number of servers whose connections are kept. Pods come and go, each with an address of its own. */
const mostServers = 1_000;

/**
 * Connections to servers, which are used again. undici has `Agent` for that, but after two closed connections its versions
 * 7.16 to 7.30 open another one for every request.
 */
export class ConnectionPools {
  private readonly pools: LRUCache<string, Pool>;

  constructor(private readonly options: Pool.Options) {
    this.pools = new LRUCache({
      max: mostServers,
      // It waits for the requests that are under way.
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
