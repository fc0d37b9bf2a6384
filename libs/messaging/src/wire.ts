import {
  type ErrorValue,
  type OperationContext,
  OperationError,
  type Page,
  type PresignedUrl,
  Reply,
} from '@moothall/contracts';
import { headers, type MsgHdrs } from 'nats';
import { encodeJson, encodeText, type LargeBody } from './large-message/body';
import { type LargeMessage, readLargeMessage } from './large-message/large-message';

/*
 * A request: body is the input as JSON, header `context` the OperationContext as JSON. A reply: body is the output as
 * JSON, ready to be sent to a client unparsed; header `reply` contains everything else. An error is a header `error`
 * with an ErrorValue and no body. The receiver fetches a large message from the sender: its URL is in the header
 * `parcel` of a request, or in the meta of a reply.
 */
const contextHeader = 'context';
const largeMessageHeader = 'parcel';
const replyHeader = 'reply';
const errorHeader = 'error';

const decoder = new TextDecoder();
const nobody = new Uint8Array(0);

/** The parts of a reply outside its body. */
export interface ReplyMeta {
  status?: number | undefined;
  headers?: Record<string, string> | undefined;
  /** Set if the body contains the items of a page. */
  page?: Omit<Page<never>, 'items'>;
  /** Set if the bytes are at a data port; then there is no body. */
  ticket?: PresignedUrl;
  /** Set if the body is too large for a message and is at the data port; then there is none here. */
  parcel?: LargeMessage;
}

/** A message as NATS carries it. */
export interface Frame {
  data: Uint8Array;
  headers?: MsgHdrs | undefined;
}

export interface DecodedReply {
  meta: ReplyMeta;
  /** JSON; empty if the operation has no answer, or if the body is a large message. */
  body: Uint8Array;
}

/** Stores a body that is too large for a message. */
export type StoreLargeBody = (body: LargeBody) => Promise<LargeMessage>;

/** @param keep called for an input above `limit` bytes */
export function encodeRequest(
  context: OperationContext,
  input: unknown,
  limit: number,
  keep: StoreLargeBody,
): Frame | Promise<Frame> {
  const head = headers();
  head.set(contextHeader, JSON.stringify(context));
  const data = encodeText(JSON.stringify(input), limit);
  if (data instanceof Uint8Array) return { data, headers: head };
  return keep(data).then((parcel) => {
    head.set(largeMessageHeader, JSON.stringify(parcel));
    return { data: nobody, headers: head };
  });
}

export function contextOf(frame: Frame): OperationContext {
  return JSON.parse(frame.headers?.get(contextHeader) || '{}');
}

export async function inputOf(frame: Frame): Promise<unknown> {
  const parcel = frame.headers?.get(largeMessageHeader);
  return JSON.parse(decoder.decode(parcel ? await readLargeMessage(JSON.parse(parcel)) : frame.data));
}

function isPage(body: unknown): body is Page<unknown> {
  return typeof body === 'object' && body !== null && 'items' in body && Array.isArray(body.items);
}

/** The kind of the contract's output. */
export type OutputKind = 'json' | 'page' | 'bytes' | 'raw' | 'nothing';

/**
 * @param kind of the contract's output, which defines the form of the reply
 * @param keep called for a body above `limit` bytes
 */
export function encodeReply(
  result: unknown,
  kind: OutputKind,
  limit: number,
  keep: StoreLargeBody,
): Frame | Promise<Frame> {
  const reply = result instanceof Reply ? result : undefined;
  const body = reply ? reply.body : result;
  const meta: ReplyMeta = { ...reply?.options };
  if (kind === 'nothing') return frame(meta, nobody);
  if (kind === 'bytes') return frame({ ...meta, ticket: body as PresignedUrl }, nobody);
  const { items, ...page } = kind === 'page' && isPage(body) ? body : {};
  if (items) meta.page = page;
  if (body === undefined) return frame(meta, nobody);
  const data = kind === 'raw' ? encodeText(String(body), limit) : encodeJson(items ?? body, limit);
  if (data instanceof Uint8Array) return frame(meta, data);
  return keep(data).then((parcel) => frame({ ...meta, parcel }, nobody));
}

function frame(meta: ReplyMeta, data: Uint8Array): Frame {
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
