import { decodeText } from '../process/text';

/** Author or committer of a commit, or tagger of a tag, with the time. */
export interface Signature {
  name: string;
  email: string;
  /** With the author's own offset: `2012-09-20T11:50:22.000+03:00`. */
  date: string;
}

export interface Commit {
  id: string;
  treeId: string;
  parentIds: string[];
  author: Signature;
  committer: Signature;
  /** Seconds since the epoch, the sort key of walks; null if only git can parse it. */
  committedAt: number | null;
  /** First line of the message. */
  title: string;
  /** As stored, with a final newline. */
  message: string;
}

const NOBODY = 'Unknown <> 0 +0000';

/** Reads a raw commit object. The message and names follow its `encoding` header, else UTF-8, else Latin-1. */
export function parseCommit(id: string, content: Buffer): Commit {
  const { headers, body } = splitHeaders(content);
  const encoding = one(headers, 'encoding')?.toString('latin1');
  const message = decodeText(body, encoding);
  return {
    id,
    treeId: one(headers, 'tree')?.toString('latin1') ?? '',
    parentIds: headers.filter(([key]) => key === 'parent').map(([, value]) => value.toString('latin1')),
    author: parseSignature(one(headers, 'author'), encoding),
    committer: parseSignature(one(headers, 'committer'), encoding),
    committedAt: readCommittedAt(headers),
    title: firstLine(message),
    message,
  };
}

/** A signature of a commit, and the signed bytes: the commit without it. */
export interface SignedCommit {
  signature: string;
  payload: Buffer;
}

/** @returns null for a commit without a signature */
export function findSignature(content: Buffer): SignedCommit | null {
  const headersEnd = content.indexOf('\n\n');
  for (let at = 0; at < headersEnd; ) {
    const end = endOfHeader(content, at);
    if (content.toString('latin1', at, at + 7) === 'gpgsig ') {
      const [first = '', ...lines] = content.toString('latin1', at, end - 1).split('\n');
      // Each line after the first starts with a space.
      const signature = [first.slice(first.indexOf(' ') + 1), ...lines.map((line) => line.slice(1))].join('\n');
      return { signature, payload: Buffer.concat([content.subarray(0, at), content.subarray(end)]) };
    }
    at = end;
  }
  return null;
}

/** A line that begins with a space continues the one before it. */
function endOfHeader(content: Buffer, from: number): number {
  let end = content.indexOf(0x0a, from) + 1;
  while (content[end] === 0x20) end = content.indexOf(0x0a, end) + 1;
  return end;
}

/** The object of an annotated tag. */
export interface TagObject {
  targetId: string;
  targetType: string;
  name: string;
  tagger: Signature | null;
  message: string;
}

/** Parses a raw tag object; a signature at the end of the message is left out. */
export function parseTag(content: Buffer): TagObject {
  const { headers, body } = splitHeaders(content);
  const message = decodeText(body, one(headers, 'encoding')?.toString('latin1'));
  const tagger = one(headers, 'tagger');
  return {
    targetId: one(headers, 'object')?.toString('latin1') ?? '',
    targetType: one(headers, 'type')?.toString('latin1') ?? '',
    name: decodeText(one(headers, 'tag') ?? Buffer.alloc(0)),
    tagger: tagger ? parseSignature(tagger) : null,
    message: message.replace(/-----BEGIN (PGP|SSH|SIGNED)[\s\S]*$/, ''),
  };
}

function firstLine(message: string): string {
  const [subject = ''] = message.trimStart().split('\n', 1);
  return subject.trimEnd();
}

/** Git requires the headers in order; it has always parsed a line with one `>` and ten digits in the same way. */
function readCommittedAt(headers: [string, Buffer][]): number | null {
  const keys = headers.map(([key]) => key).join(' ');
  if (!/^tree (?:parent )*author committer(?!.* parent)/s.test(keys)) return null;
  const committer = one(headers, 'committer')?.toString('latin1');
  const [, seconds] = /^[^>]*> (\d{1,10})(?: [^>]*)?$/.exec(committer ?? '') ?? [];
  return seconds === undefined ? null : Number(seconds);
}

function splitHeaders(content: Buffer): { headers: [string, Buffer][]; body: Buffer } {
  const headers: [string, Buffer][] = [];
  let at = 0;
  while (at < content.length && content[at] !== 0x0a) {
    const newline = content.indexOf(0x0a, at);
    const end = newline < 0 ? content.length : newline;
    const space = content.indexOf(0x20, at);
    // A line that starts with a space continues the value before it: only signatures do, and no reader needs them.
    if (content[at] !== 0x20) headers.push([content.toString('latin1', at, space), content.subarray(space + 1, end)]);
    at = end + 1;
  }
  return { headers, body: content.subarray(at + 1) };
}

function one(headers: [string, Buffer][], key: string): Buffer | undefined {
  return headers.find(([name]) => name === key)?.[1];
}

function parseSignature(bytes: Buffer = Buffer.from(NOBODY), encoding?: string): Signature {
  const text = decodeText(bytes, encoding);
  const open = text.indexOf('<');
  const close = open < 0 ? -1 : text.indexOf('>', open);
  if (close < 0) return { name: text.trim(), email: '', date: formatDate(0, '+0000') };
  const [, seconds = 0, offset = '+0000'] = /^[^0-9-]*(-?\d+)? ?([+-]\d{4})?/.exec(text.slice(close + 1)) ?? [];
  return {
    name: text.slice(0, open).trim(),
    email: text.slice(open + 1, close).trim(),
    date: formatDate(Number(seconds), offset),
  };
}

/**
 * @param seconds since the epoch; the epoch itself if they exceed the range of dates, because broken importers wrote
 *   such numbers
 */
export function formatDate(seconds: number, offset: string): string {
  const sign = offset.startsWith('-') ? -1 : 1;
  const offsetMinutes = sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3, 5)));
  const local = new Date((seconds + offsetMinutes * 60) * 1000);
  const readable = Number.isNaN(local.getTime()) || local.getUTCFullYear() > 9999 ? new Date(0) : local;
  return `${readable.toISOString().slice(0, -1)}${offset.slice(0, 3)}:${offset.slice(3, 5)}`;
}
