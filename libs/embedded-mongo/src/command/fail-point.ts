import { setTimeout as wait } from 'node:timers/promises';
import { Int32 } from 'bson';
import type { Document, Value } from '../bson/value';
import { MongoError } from '../errors';
import type { Client } from '../protocol/client';
import { ProtocolError } from '../protocol/wire';
import { flag, optionalDocument } from './arguments';
import type { Command } from './command';

const MAX_BLOCK_MS = 600_000;

interface Failing {
  /** Chosen commands that still pass. */
  skip: number;
  /** Remaining commands to fail after those; Infinity for all. */
  times: number;
  data: Document;
}

/** Makes selected commands fail, for tests of clients. Nothing fails unless a client requests it. */
export class FailPoint {
  private failing: Failing | undefined;
  private failed = 0;

  get isSet(): boolean {
    return this.failing !== undefined;
  }

  /** @returns how many commands failed so far, ever */
  set(mode: Value, data: Document): number {
    const failing = { ...modeOf(mode), data };
    this.failing = failing.times > 0 ? failing : undefined;
    return this.failed;
  }

  /**
   * Fails a selected command.
   * @returns an addition to the reply of a command that is executed and reported as not replicated
   * @throws MongoError with the selected code; ProtocolError if the connection must be closed
   */
  async meet(command: string, body: Document, client: Client): Promise<Document | undefined> {
    const { failing } = this;
    if (!failing || !isChosen(failing.data, command, body, client)) return undefined;
    if (failing.skip-- > 0) return undefined;
    this.failed++;
    failing.times--;
    if (failing.times <= 0) this.failing = undefined;
    const { data } = failing;
    if (flag(data.blockConnection, 'blockConnection')) await wait(Math.min(Number(data.blockTimeMS), MAX_BLOCK_MS));
    if (flag(data.closeConnection, 'closeConnection')) throw new ProtocolError('closed by failCommand');
    const labels = data.errorLabels === undefined ? {} : { errorLabels: data.errorLabels };
    if (data.errorCode !== undefined) {
      throw new MongoError(Number(data.errorCode), "Failing command via 'failCommand' failpoint", labels);
    }
    return data.writeConcernError === undefined ? undefined : { writeConcernError: data.writeConcernError, ...labels };
  }
}

/** MongoDB accepts one of `times` and `skip`; here both together mean that many commands after the skipped ones. */
function modeOf(mode: Value): Omit<Failing, 'data'> {
  if (mode === 'off') return { skip: 0, times: 0 };
  if (mode === 'alwaysOn') return { skip: 0, times: Number.POSITIVE_INFINITY };
  const { skip, times } = (mode ?? {}) as Document;
  const counts = { skip: countOf(skip, 0), times: countOf(times, Number.POSITIVE_INFINITY) };
  if ((skip ?? times) !== undefined && counts.skip >= 0 && counts.times >= 0) return counts;
  throw new MongoError('BadValue', "fail point mode must be 'off', 'alwaysOn', {times: <number>} or {skip: <number>}");
}

function countOf(given: Value, absent: number): number {
  if (given === undefined) return absent;
  return Number.isInteger(Number(given)) ? Number(given) : -1;
}

function isChosen(data: Document, command: string, body: Document, { metadata }: Client): boolean {
  const { failCommands, appName, namespace } = data;
  const application = (metadata?.application as Document | undefined)?.name;
  if (appName !== undefined && appName !== application) return false;
  if (namespace !== undefined && namespace !== namespaceOf(command, body)) return false;
  return Array.isArray(failCommands) && failCommands.includes(command);
}

function namespaceOf(command: string, body: Document): string {
  const collection = command === 'getMore' ? body.collection : body[command];
  return `${String(body.$db)}.${String(collection)}`;
}

/** The one fail point that drivers' tests use. @see https://github.com/mongodb/mongo/wiki/The-%22failCommand%22-fail-point */
export const configureFailPoint: Command = {
  name: 'configureFailPoint',
  arguments: ['mode', 'data'],
  run({ server, body }) {
    if (body.configureFailPoint !== 'failCommand') {
      throw new MongoError('CommandNotSupported', `fail point '${String(body.configureFailPoint)}' is not supported`);
    }
    const failed = server.failPoint.set(body.mode, optionalDocument(body.data, 'data') ?? {});
    return { count: new Int32(failed), ok: 1 };
  },
};
