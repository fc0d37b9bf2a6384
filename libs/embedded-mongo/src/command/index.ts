import { aggregate } from './aggregate';
import { create, drop, dropDatabase, listCollections, listDatabases, renameCollection } from './collections';
import type { Command } from './command';
import { count } from './count';
import { deleteCommand } from './delete';
import { distinct } from './distinct';
import { explain } from './explain';
import { configureFailPoint } from './fail-point';
import { find } from './find';
import { findAndModify } from './find-and-modify';
import { getMore, killCursors } from './get-more';
import { hello } from './hello';
import { collMod, createIndexes, dropIndexes, listIndexes } from './indexes';
import { insert } from './insert';
import { backup, compact } from './maintenance';
import { logout, saslContinue, saslStart } from './sasl';
import { buildInfo, connectionStatus, endSessions, ping, serverStatus } from './server-facts';
import { collStats, dbStats } from './statistics';
import { update } from './update';

/** Every command of the server. */
export const commands: Command[] = [
  hello,
  ping,
  buildInfo,
  serverStatus,
  connectionStatus,
  endSessions,
  saslStart,
  saslContinue,
  logout,
  insert,
  update,
  findAndModify,
  find,
  aggregate,
  getMore,
  killCursors,
  deleteCommand,
  count,
  distinct,
  explain,
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
  configureFailPoint,
  backup,
  compact,
];
