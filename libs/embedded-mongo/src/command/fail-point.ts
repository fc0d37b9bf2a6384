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
  /** Commands left to fail; Infinity for all. */
  times: number;
  data: Document;
}

/** Makes chosen commands fail, so that clients can be tried against failures. Nothing fails unless a client asks for it. */
export class FailPoint {
  private failing: Failing | undefined;

  get isSet(): boolean {
    return this.failing !== undefined;
  }

  set(mode: Value, data: Document): void {
    const times = timesOf(mode);
    this.failing = times > 0 ? { times, data } : undefined;
  }

  /**
   * Fails a command that is chosen.
   * @returns what is to be added to the reply of a command that is carried out and reported as not replicated
   * @throws MongoError with the chosen code; ProtocolError where the connection is to be closed
   */
  async meet(command: string, client: Client): Promise<Document | undefined> {
    const { failing } = this;
    if (!failing || !isChosen(failing.data, command, client)) return undefined;
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

function timesOf(mode: Value): number {
  if (mode === 'off') return 0;
  if (mode === 'alwaysOn') return Number.POSITIVE_INFINITY;
  const times = Number((mode as Document | undefined)?.times);
  if (Number.isInteger(times) && times >= 0) return times;
  throw new MongoError('BadValue', "fail point mode must be 'off', 'alwaysOn' or {times: <number>}");
}

function isChosen({ failCommands, appName }: Document, command: string, { metadata }: Client): boolean {
  const application = (metadata?.application as Document | undefined)?.name;
  if (appName !== undefined && appName !== application) return false;
  return Array.isArray(failCommands) && failCommands.includes(command);
}

/** The one fail point that drivers' tests use. @see https://github.com/mongodb/mongo/wiki/The-%22failCommand%22-fail-point */
export const configureFailPoint: Command = {
  name: 'configureFailPoint',
  arguments: ['mode', 'data'],
  run({ engine, body }) {
    if (body.configureFailPoint !== 'failCommand') {
      throw new MongoError('CommandNotSupported', `fail point '${String(body.configureFailPoint)}' is not supported`);
    }
    engine.failPoint.set(body.mode, optionalDocument(body.data, 'data') ?? {});
    return { count: new Int32(0), ok: 1 };
  },
};
