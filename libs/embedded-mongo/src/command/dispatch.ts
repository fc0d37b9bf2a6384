import { Int32, Long } from 'bson';
import { decodeDocument } from '../bson/decode';
import { fieldNames, setField } from '../bson/document';
import type { Document } from '../bson/value';
import { MongoError } from '../errors';
import { Budget } from '../plan/budget';
import type { Client } from '../protocol/client';
import { type CommandBody, readBody } from '../protocol/command-body';
import type { Dispatcher } from '../protocol/connection';
import type { OpMsg } from '../protocol/op-msg';
import type { OpQuery } from '../protocol/op-query';
import { RawReply, replyParts } from '../protocol/reply';
import { ProtocolError } from '../protocol/wire';
import { type Command, genericArguments } from './command';
import { commands } from './index';
import type { ServerState } from './server-state';

const byName = new Map<string, Command>(
  commands.flatMap((command) => [command.name, ...(command.aliases ?? [])].map((name) => [name, command] as const)),
);
const known = new Map(commands.map((command) => [command, command.arguments && new Set(command.arguments)]));

/** Finds the command of a request, checks what all commands share, and turns errors into replies. */
export class CommandDispatcher implements Dispatcher {
  private readonly running = new Map<Client, Budget>();

  constructor(private readonly server: ServerState) {}

  async command(client: Client, request: OpMsg): Promise<Buffer[]> {
    return this.run(client, () => readBody(request));
  }

  async legacyCommand(client: Client, { namespace, query }: OpQuery): Promise<Buffer[]> {
    const [database, collection] = splitAtDot(namespace);
    if (collection !== '$cmd') throw new ProtocolError('OP_QUERY is served for commands only');
    return this.run(client, () => {
      const sent = decodeDocument(query);
      const body = (sent.$query as Document | undefined) ?? sent;
      setField(body, '$db', database);
      return { body, sequences: new Map() };
    });
  }

  exhaustInterval(request: OpMsg): number | undefined {
    const { hello, maxAwaitTimeMS, topologyVersion } = decodeDocument(request.body);
    return hello !== undefined && topologyVersion !== undefined ? Number(maxAwaitTimeMS ?? 10_000) : undefined;
  }

  closed(client: Client): void {
    this.running.get(client)?.abandon();
  }

  /** Stops searches at their next pause. Writes are finished. */
  interrupt(): void {
    for (const budget of this.running.values()) budget.abandon();
  }

  private async run(client: Client, read: () => CommandBody): Promise<Buffer[]> {
    let name = '';
    try {
      const { body, sequences } = read();
      name = fieldNames(body)[0] ?? '';
      const command = commandOf(name);
      checkAccess(command, client);
      checkArguments(command, body);
      const budget = new Budget(maxTimeMs(body));
      this.running.set(client, budget);
      const database = databaseOf(body);
      const { failPoint, engine } = this.server;
      const addition = failPoint.isSet ? await failPoint.meet(name, body, client) : undefined;
      const reply = await command.run({ engine, server: this.server, client, body, database, sequences, budget });
      return replyParts(addition && !(reply instanceof RawReply) ? { ...reply, ...addition } : reply);
    } catch (error) {
      return replyParts(this.errorReply(error, name));
    } finally {
      this.running.delete(client);
    }
  }

  private errorReply(error: unknown, command: string): Document {
    if (error instanceof ProtocolError) throw error;
    const known = error instanceof MongoError ? error : internalError(error);
    if (known.code === 1) {
      this.server.engine.log('internal error', { command, error: (error as Error).stack });
    }
    return {
      ok: 0,
      errmsg: known.message,
      code: new Int32(known.code),
      codeName: known.codeName,
      ...(known.details as Document),
    };
  }
}

function internalError(error: unknown): MongoError {
  return new MongoError('InternalError', error instanceof Error ? error.message : String(error));
}

function commandOf(name: string): Command {
  const command = byName.get(name);
  if (!command) throw new MongoError('CommandNotFound', `no such command: '${name}'`);
  return command;
}

function checkAccess(command: Command, client: Client): void {
  if (command.isPublic || client.isAuthenticated) return;
  throw new MongoError('Unauthorized', `Command ${command.name} requires authentication`);
}

function checkArguments(command: Command, body: Document): void {
  const allowed = known.get(command);
  let isName = true;
  for (const argument of fieldNames(body)) {
    if (!isName && allowed && !allowed.has(argument) && !genericArguments.has(argument))
      throw refusal(command, argument);
    isName = false;
  }
  checkConcerns(body);
}

function refusal(command: Command, argument: string): MongoError {
  if (argument === 'txnNumber' || argument === 'startTransaction' || argument === 'autocommit') {
    return new MongoError('IllegalOperation', 'Transaction numbers are only allowed on a replica set member or mongos');
  }
  return new MongoError(40415, `BSON field '${command.name}.${argument}' is an unknown field.`);
}

function checkConcerns({ writeConcern, readConcern }: Document): void {
  const w = (writeConcern as Document | undefined)?.w;
  if (w !== undefined && typeof w !== 'string' && Number(w) > 1) {
    throw new MongoError('BadValue', "cannot use 'w' > 1 when a host is not replicated");
  }
  const level = (readConcern as Document | undefined)?.level;
  if (level === 'linearizable' || level === 'snapshot') {
    throw new MongoError(123, `node needs to be a replica set member to use readConcern: { level: '${level}' }`);
  }
}

function maxTimeMs(body: Document): number {
  const given = body.maxTimeMS;
  if (given === undefined) return 0;
  const value = given instanceof Long ? given.toNumber() : Number(given);
  if (!Number.isInteger(value) || value < 0 || value > 0x7fffffff) {
    throw new MongoError('BadValue', `maxTimeMS has an invalid value: ${String(given)}`);
  }
  return value;
}

function databaseOf(body: Document): string {
  if (typeof body.$db !== 'string' || body.$db === '')
    throw new MongoError(40571, 'OP_MSG requests require a $db argument');
  return body.$db;
}

function splitAtDot(namespace: string): [string, string] {
  const dot = namespace.indexOf('.');
  return [namespace.slice(0, dot), namespace.slice(dot + 1)];
}
