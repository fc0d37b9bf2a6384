import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Placement, placeFiles } from '../program/placement';
import { startProgram } from '../program/start-program';
import { tryUntilReady } from '../program/try-until-ready';
import { pingMongodb } from './ping-mongodb';
import { placeSocket, socketUri } from './place-socket';
import type { RunningMongodb } from './start-embedded-mongo';

/**
 * Starts the machine's mongod on a Unix socket, with its data in the folder `mongod`.
 * @throws ProgramError, see startProgram
 */
export async function startMongod(place: Placement): Promise<RunningMongodb> {
  const { folder, logFile, pidFile, signal } = placeFiles(place, 'mongod');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const socket = placeSocket(place.runFolder, 'mongodb.sock');
  const program = await startProgram({
    name: 'mongod',
    command: 'mongod',
    // It listens only on the socket, in a folder that other users cannot enter.
    args: [
      '--dbpath',
      folder,
      '--bind_ip',
      socket,
      '--unixSocketPrefix',
      path.dirname(socket),
      '--filePermissions',
      '0600',
    ],
    logFile,
    pidFile,
    signal,
    waitUntilReady: (_child, given) => tryUntilReady(() => pingMongodb(socketUri(socket)), given),
  });
  return { program, uri: socketUri(socket) };
}
