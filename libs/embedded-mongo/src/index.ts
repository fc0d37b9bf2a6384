/**
 * A MongoDB wire-protocol server over LMDB: see README.md for its features. Start it in its own process with
 * `dist/main.js`, or in this one with `MongoServer.start`.
 */
export type { Scan } from './engine/options';
export { type Log, logToStderr } from './log';
export { MongoServer, type ServerOptions } from './server';
