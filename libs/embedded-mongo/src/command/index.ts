import { create, drop, dropDatabase, listCollections, listDatabases, renameCollection } from './collections';
import type { Command } from './command';
import { count } from './count';
import { deleteCommand } from './delete';
import { find } from './find';
import { getMore, killCursors } from './get-more';
import { hello } from './hello';
import { collMod, createIndexes, dropIndexes, listIndexes } from './indexes';
import { insert } from './insert';
import { buildInfo, connectionStatus, endSessions, ping, serverStatus } from './server-facts';
import { collStats, dbStats } from './statistics';

/** Every command the server knows. */
export const commands: Command[] = [
  hello,
  ping,
  buildInfo,
  serverStatus,
  connectionStatus,
  endSessions,
  insert,
  find,
  getMore,
  killCursors,
  deleteCommand,
  count,
  create,
  drop,
  dropDatabase,
  renameCollection,
  listCollections,
  listDatabases,
  createIndexes,
  listIndexes,
  dropIndexes,
  collMod,
  dbStats,
  collStats,
];
