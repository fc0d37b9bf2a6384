import { mkdirSync } from 'node:fs';
import { type Placement, placeFiles } from '../program/placement';
import { type RunningProgram, startProgram } from '../program/start-program';
import { pingMongodb } from './ping-mongodb';
import { placeSocket, socketUri } from './place-socket';

/** A MongoDB of either kind, and how to reach it. */
export interface RunningMongodb {
  program: RunningProgram;
  uri: string;
}

export interface EmbeddedMongoOptions {
  /** Where it records queries that read a whole collection. */
  scansFile?: string | undefined;
  /** Expired documents are not deleted. */
  keepsExpired?: boolean | undefined;
}

/**
 * Starts the embedded MongoDB on a Unix socket, its store in the folder `embedded-mongo`.
 * @throws ProgramError, see startProgram
 */
export async function startEmbeddedMongo(
  place: Placement,
  { scansFile, keepsExpired }: EmbeddedMongoOptions = {},
): Promise<RunningMongodb> {
  const { folder, logFile, pidFile, signal, fsync } = placeFiles(place, 'embedded-mongo');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const socket = placeSocket(place.runFolder, 'mongodb.sock');
  const ready = listenForReady();
  const program = await startProgram({
    name: 'embedded-mongo',
    command: process.execPath,
    args: [
      require.resolve('embedded-mongo/main'),
      '--dbpath',
      folder,
      '--socket',
      socket,
      ...(scansFile ? ['--scans', scansFile] : []),
      ...(fsync ? [] : ['--no-fsync']),
      ...(keepsExpired ? ['--keep-expired'] : []),
    ],
    logFile,
    pidFile,
    signal,
    onLine: ready.onLine,
    waitUntilReady: async () => {
      await ready.isReady;
      await pingMongodb(socketUri(socket));
    },
  });
  return { program, uri: socketUri(socket) };
}

/** It prints one line of JSON with its `uri` when it listens. */
function listenForReady(): { onLine: (line: string) => void; isReady: Promise<void> } {
  let onLine: (line: string) => void = () => {};
  const isReady = new Promise<void>((resolve) => {
    onLine = (line) => {
      if (line.includes('"uri"')) resolve();
    };
  });
  return { onLine, isReady };
}
