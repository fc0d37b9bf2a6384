import {
  type ErrorValue,
  type OperationContext,
  OperationError,
  type Page,
  Reply,
  type Ticket,
} from '@moothall/contracts';
import { headers, type MsgHdrs } from 'nats';

/*
 * A request: body is the input as JSON, header `context` the OperationContext as JSON.
 * A reply: body is the output as JSON, ready to be sent to a client unparsed; header `reply` holds what stands
 * outside of the body. An error is a header `error` with an ErrorValue and no body.
 */
const contextHeader = 'context';
const replyHeader = 'reply';
const errorHeader = 'error';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const nobody = new Uint8Array(0);

/** What a reply says outside of its body. */
export interface ReplyMeta {
  status?: number;
  headers?: Record<string, string>;
  /** Set where the body is a page's items. */
  page?: Omit<Page<never>, 'items'>;
  /** Set where the bytes wait at a data port; there is no body then. */
  ticket?: Ticket;
}

/** A message as NATS carries it. */
export interface Frame {
  data: Uint8Array;
  headers?: MsgHdrs;
}

export interface DecodedReply {
  meta: ReplyMeta;
  /** JSON; empty where the operation answers nothing. */
  body: Uint8Array;
}

export function encodeRequest(context: OperationContext, input: unknown): Frame {
  const head = headers();
  head.set(contextHeader, JSON.stringify(context));
  return { data: encoder.encode(JSON.stringify(input)), headers: head };
}

export function decodeRequest(frame: Frame): { context: OperationContext; input: unknown } {
  const context = JSON.parse(frame.headers?.get(contextHeader) || '{}');
  return { context, input: JSON.parse(decoder.decode(frame.data)) };
}

function isPage(body: unknown): body is Page<unknown> {
  return typeof body === 'object' && body !== null && 'items' in body && Array.isArray(body.items);
}

/** What the contract's output is. */
export type OutputKind = 'json' | 'page' | 'bytes' | 'raw' | 'nothing';

/** @param kind what the contract's output is: the shape of the reply follows from it */
export function encodeReply(result: unknown, kind: OutputKind): Frame {
  const reply = result instanceof Reply ? result : undefined;
  const body = reply ? reply.body : result;
  const meta: ReplyMeta = { ...reply?.options };
  if (kind === 'page' && isPage(body)) {
    const { items, ...page } = body;
    return frame({ ...meta, page }, items);
  }
  if (kind === 'bytes') return frame({ ...meta, ticket: body as Ticket }, undefined);
  if (kind === 'raw') return { ...frame(meta, undefined), data: encoder.encode(String(body)) };
  return frame(meta, kind === 'nothing' ? undefined : body);
}

function frame(meta: ReplyMeta, body: unknown): Frame {
  const data = body === undefined ? nobody : encoder.encode(JSON.stringify(body));
  if (Object.keys(meta).length === 0) return { data };
  const head = headers();
  head.set(replyHeader, JSON.stringify(meta));
  return { data, headers: head };
}

export function encodeError(value: ErrorValue): Frame {
  const head = headers();
  head.set(errorHeader, JSON.stringify(value));
  return { data: nobody, headers: head };
}

/** @throws OperationError when the reply is one */
export function decodeReply(frame: Frame): DecodedReply {
  const error = frame.headers?.get(errorHeader);
  if (error) throw new OperationError(JSON.parse(error));
  const meta = frame.headers?.get(replyHeader);
  return { meta: meta ? JSON.parse(meta) : {}, body: frame.data };
}
