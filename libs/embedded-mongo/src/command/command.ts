import type { Document } from '../bson/value';
import type { Engine } from '../engine/engine';
import type { Budget } from '../plan/budget';
import type { Client } from '../protocol/client';
import type { Reply } from '../protocol/reply';
import type { ServerState } from './server-state';

/** One call of a command. */
export interface Call {
  engine: Engine;
  server: ServerState;
  client: Client;
  /** The command as sent; its name is the first field. Numbers have their BSON classes. */
  body: Document;
  database: string;
  /** Documents beside the body (OP_MSG section kind 1), by the name of their array. */
  sequences: ReadonlyMap<string, Buffer[]>;
  /** The time the caller allows (maxTimeMS) and whether it still listens. */
  budget: Budget;
}

/** A command of the server. */
export interface Command {
  name: string;
  /** Aliases of the command. */
  aliases?: string[];
  /**
   * Arguments besides the name and those of every command; others are refused, never silently ignored. Absent for a
   * command that ignores unknown fields.
   */
  arguments?: string[];
  /** May run before signing in. */
  isPublic?: boolean;
  run(call: Call): Reply | Promise<Reply>;
}

/** Arguments of every command. */
export const genericArguments = new Set([
  '$db',
  '$readPreference',
  '$clusterTime',
  'lsid',
  'comment',
  'maxTimeMS',
  'readConcern',
  'writeConcern',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
]);
