import { existsSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from '@moothall/processes';

/** `auto` takes a mongod on the PATH, else the embedded one; but a data folder stays with what it was begun with. */
export const mongodbEngines = ['auto', 'embedded', 'mongod'] as const;
export type MongodbEngine = (typeof mongodbEngines)[number];

/** @returns which MongoDB a data folder runs on */
export function chooseMongodb(engine: MongodbEngine, dataFolder: string): 'embedded' | 'mongod' {
  if (engine !== 'auto') return engine;
  // Data does not move by itself: a mongod that is installed later would show an empty server.
  if (existsSync(path.join(dataFolder, 'embedded-mongo'))) return 'embedded';
  if (existsSync(path.join(dataFolder, 'mongod'))) return 'mongod';
  return findProgram('mongod') ? 'mongod' : 'embedded';
}
