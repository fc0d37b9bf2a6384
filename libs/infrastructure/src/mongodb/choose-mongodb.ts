import { existsSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from '@moothall/processes';

/** `auto` selects a mongod on the PATH, else the embedded one; but a data folder keeps its first choice. */
export const mongodbEngines = ['auto', 'embedded', 'mongod'] as const;
export type MongodbEngine = (typeof mongodbEngines)[number];

/** @returns which MongoDB a data folder runs on */
export function chooseMongodb(engine: MongodbEngine, dataFolder: string): 'embedded' | 'mongod' {
  if (engine !== 'auto') return engine;
  // Data is not moved automatically: a mongod that is installed later would show an empty server.
  if (existsSync(path.join(dataFolder, 'embedded-mongo'))) return 'embedded';
  if (existsSync(path.join(dataFolder, 'mongod'))) return 'mongod';
  return findProgram('mongod') ? 'mongod' : 'embedded';
}
