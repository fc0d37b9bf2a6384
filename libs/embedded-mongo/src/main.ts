#!/usr/bin/env node
import { appendFileSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { logToStderr } from './log';
import { MongoServer, type ServerOptions } from './server';

const USAGE =
  'usage: main.js --dbpath DIR [--socket PATH | --port N] [--memory MB] [--scans FILE] [--backups DIR] [--keep-expired] [--no-fsync]';

/** Parses the command line. @throws Error with the problem */
function readOptions(): ServerOptions {
  const { values } = parseArgs({
    options: {
      dbpath: { type: 'string' },
      socket: { type: 'string' },
      port: { type: 'string' },
      memory: { type: 'string', default: '100' },
      scans: { type: 'string' },
      backups: { type: 'string' },
      'keep-expired': { type: 'boolean', default: false },
      'no-fsync': { type: 'boolean', default: false },
    },
  });
  if (!values.dbpath) throw new Error(`--dbpath is missing; ${USAGE}`);
  if (values.socket && values.port) throw new Error(`--socket and --port exclude each other; ${USAGE}`);
  const dbPath = resolve(values.dbpath);
  const { scans, backups } = values;
  return {
    dbPath,
    backupsPath: backups && resolve(backups),
    listen: values.port
      ? { port: wholeNumber('--port', values.port, 0, 65535) }
      : { socketPath: values.socket ? resolve(values.socket) : join(dbPath, 'socket', 'mongo.sock') },
    sortMemoryBytes: wholeNumber('--memory', values.memory, 1, 1_000_000) * 1024 * 1024,
    log: logToStderr,
    keepsExpired: values['keep-expired'],
    fsync: !values['no-fsync'],
    onScan: scans ? (scan) => appendFileSync(scans, `${JSON.stringify(scan)}\n`) : undefined,
    // Immediately and without cleanup: the current transaction must not be committed.
    onFailure: (error) => fail(`the data folder cannot be written: ${error.message}`),
  };
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new Error(`${option} must be a whole number from ${least} to ${most}, not '${text}'`);
  }
  return value;
}

async function main(): Promise<void> {
  const server = await MongoServer.start(readOptions());
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    await server.close();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.stdout.write(`${JSON.stringify({ uri: server.uri })}\n`);
}

/** One clear line, and out. */
function fail(reason: string): never {
  writeSync(process.stderr.fd, `embedded-mongo: ${reason.split('\n')[0]}\n`);
  process.exit(1);
}

main().catch((error: Error) => fail(error.message));
