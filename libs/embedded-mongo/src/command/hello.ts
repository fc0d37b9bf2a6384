import { Int32, Long, ObjectId } from 'bson';
import type { Document } from '../bson/value';
import { MongoError } from '../errors';
import type { Client } from '../protocol/client';
import { agreedCompressors } from '../protocol/op-compressed';
import { MAX_DOCUMENT_BYTES, MAX_MESSAGE_BYTES, MAX_WRITE_BATCH } from '../protocol/wire';
import type { Command } from './command';
import { beginSignIn } from './sasl';
import type { ServerState } from './server-state';

/**
 * MongoDB 7.0. A higher number would oblige to the commands of MongoDB 8, and drivers would send them.
 * Without a set name drivers see a standalone server: no retryable writes, no transactions.
 */
const MAX_WIRE_VERSION = 21;

/** Identifies this process to drivers with a stream of hellos. */
const processId = new ObjectId();

export const hello: Command = {
  name: 'hello',
  aliases: ['isMaster', 'ismaster'],
  arguments: [
    'helloOk',
    'client',
    'compression',
    'backpressure',
    'topologyVersion',
    'maxAwaitTimeMS',
    'saslSupportedMechs',
    'speculativeAuthenticate',
    'loadBalanced',
    'hostInfo',
    'internalClient',
  ],
  isPublic: true,
  run({ server, body, client }) {
    client.metadata ??= body.client as Document | undefined;
    const offered = Array.isArray(body.compression) ? (body.compression as string[]) : [];
    return {
      helloOk: true,
      isWritablePrimary: true,
      ismaster: true,
      maxBsonObjectSize: new Int32(MAX_DOCUMENT_BYTES),
      maxMessageSizeBytes: new Int32(MAX_MESSAGE_BYTES),
      maxWriteBatchSize: new Int32(MAX_WRITE_BATCH),
      localTime: new Date(),
      logicalSessionTimeoutMinutes: new Int32(30),
      connectionId: new Int32(client.id),
      minWireVersion: new Int32(0),
      maxWireVersion: new Int32(MAX_WIRE_VERSION),
      readOnly: false,
      ...(offered.length > 0 ? { compression: agreedCompressors(offered) } : {}),
      ...(body.topologyVersion ? { topologyVersion: { processId, counter: Long.ZERO } } : {}),
      ...signIn(server, client, body),
      ok: 1,
    };
  },
};

/** A driver may begin its sign-in here. If that fails, the driver ignores it, and signs in with a command. */
function signIn(
  server: ServerState,
  client: Client,
  { speculativeAuthenticate, saslSupportedMechs }: Document,
): Document {
  const mechanisms = saslSupportedMechs && server.secret ? { saslSupportedMechs: ['SCRAM-SHA-256'] } : {};
  if (!speculativeAuthenticate || !server.secret) return mechanisms;
  try {
    const { ok, ...started } = beginSignIn(server, client, speculativeAuthenticate as Document);
    return { ...mechanisms, speculativeAuthenticate: started };
  } catch (error) {
    if (error instanceof MongoError) return mechanisms;
    throw error;
  }
}
