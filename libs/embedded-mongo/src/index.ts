/**
 * A MongoDB wire-protocol server over LMDB: see README.md for what it serves.
 * Start it in a process of its own with `dist/main.js`, or in this one with `MongoServer.start`.
 */
export type { Scan } from './engine/options';
export { type Log, logToStderr } from './log';
export { MongoServer, type ServerOptions } from './server';
