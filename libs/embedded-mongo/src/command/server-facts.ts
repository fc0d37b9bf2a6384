import { Int32, Long } from 'bson';
import type { Command } from './command';

const VERSION = '7.0.0';

export const ping: Command = { name: 'ping', arguments: [], run: () => ({ ok: 1 }) };

export const buildInfo: Command = {
  name: 'buildInfo',
  aliases: ['buildinfo'],
  arguments: [],
  isPublic: true,
  run: () => ({
    version: VERSION,
    versionArray: [7, 0, 0, 0].map((part) => new Int32(part)),
    gitVersion: 'embedded-mongo',
    modules: ['embedded-mongo'],
    storageEngines: ['lmdb'],
    bits: new Int32(64),
    debug: false,
    maxBsonObjectSize: new Int32(16 * 1024 * 1024),
    ok: 1,
  }),
};

export const serverStatus: Command = {
  name: 'serverStatus',
  run({ server }) {
    const { rss, heapUsed } = process.memoryUsage();
    const uptimeMs = Date.now() - server.startedAt.getTime();
    const { user, system } = process.cpuUsage();
    return {
      host: 'localhost',
      version: VERSION,
      process: 'embedded-mongo',
      pid: Long.fromNumber(process.pid),
      uptime: Math.floor(uptimeMs / 1000),
      uptimeMillis: Long.fromNumber(uptimeMs),
      localTime: new Date(),
      connections: { current: new Int32(server.clients.size) },
      mem: { resident: new Int32(rss >> 20), heapBytes: Long.fromNumber(heapUsed) },
      cpu: { userMicros: Long.fromNumber(user), systemMicros: Long.fromNumber(system) },
      metrics: { cursor: { open: { total: Long.fromNumber(server.cursors.size) } } },
      storageEngine: { name: 'lmdb', persistent: true },
      ok: 1,
    };
  },
};

/** Sessions are accepted without meaning: no state depends on them. */
export const endSessions: Command = {
  name: 'endSessions',
  aliases: ['killSessions', 'refreshSessions'],
  arguments: [],
  run: () => ({ ok: 1 }),
};

export const connectionStatus: Command = {
  name: 'connectionStatus',
  arguments: ['showPrivileges'],
  isPublic: true,
  run: () => ({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] }, ok: 1 }),
};
