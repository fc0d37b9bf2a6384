import { Binary, Int32 } from 'bson';
import { ScramConversation } from '../auth/scram';
import { binaryBytes } from '../bson/compare';
import type { Document, Value } from '../bson/value';
import { MongoError } from '../errors';
import type { Client } from '../protocol/client';
import type { Command } from './command';
import type { ServerState } from './server-state';

const CONVERSATION_ID = new Int32(1);

/** Starts a SCRAM-SHA-256 sign-in. */
export const saslStart: Command = {
  name: 'saslStart',
  arguments: ['mechanism', 'payload', 'autoAuthorize', 'options', 'db'],
  isPublic: true,
  run: ({ server, client, body }) => beginSignIn(server, client, body),
};

/** Accepts the proof, and after it the empty message of drivers that send one. */
export const saslContinue: Command = {
  name: 'saslContinue',
  arguments: ['conversationId', 'payload'],
  isPublic: true,
  run({ client, body }) {
    const { conversation } = client;
    if (!conversation) throw new MongoError('ProtocolError', 'No SASL session state found');
    if (conversation.isDone) return finished(client, '');
    const proof = conversation.finish(payloadOf(body.payload));
    return client.skipsEmptyExchange ? finished(client, proof) : reply(proof, false);
  },
};

export const logout: Command = {
  name: 'logout',
  arguments: [],
  isPublic: true,
  run({ server, client }) {
    client.isAuthenticated = server.secret === undefined;
    return { ok: 1 };
  },
};

/** `saslStart`, also as drivers put it into their first hello to save a round trip. */
export function beginSignIn({ secret }: ServerState, client: Client, request: Document): Document {
  if (!secret)
    throw new MongoError('AuthenticationFailed', 'This server has no users: its socket is guarded by its folder');
  if (request.mechanism !== 'SCRAM-SHA-256') {
    throw new MongoError(334, `Unsupported mechanism '${String(request.mechanism)}', use SCRAM-SHA-256`);
  }
  client.conversation = new ScramConversation(secret, payloadOf(request.payload));
  client.skipsEmptyExchange = (request.options as Document | undefined)?.skipEmptyExchange === true;
  return reply(client.conversation.challenge, false);
}

function finished(client: Client, payload: string): Document {
  client.isAuthenticated = true;
  client.conversation = undefined;
  return reply(payload, true);
}

function reply(payload: string, done: boolean): Document {
  return { conversationId: CONVERSATION_ID, done, payload: new Binary(Buffer.from(payload)), ok: 1 };
}

function payloadOf(payload: Value): string {
  if (payload instanceof Binary) return Buffer.from(binaryBytes(payload)).toString();
  throw new MongoError('TypeMismatch', "BSON field 'payload' is the wrong type, expected type 'binData'");
}
