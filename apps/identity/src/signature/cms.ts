/** A value of ASN.1 in BER: its bytes, and nested values. Source: X.690. */
export interface Node {
  tag: number;
  /** With its header. */
  bytes: Buffer;
  content: Buffer;
  children: Node[];
}

export class NotBer extends Error {}

const deepest = 32;
const mostNodes = 20_000;
const isConstructed = (tag: number): boolean => (tag & 0x20) !== 0;

/** Parses one value with definite or indefinite length, which GnuPG writes. @throws NotBer */
export function readBer(bytes: Buffer): Node {
  const budget = { nodes: mostNodes };
  return readAt(bytes, 0, 0, budget).node;
}

interface Read {
  node: Node;
  end: number;
}

function readAt(bytes: Buffer, at: number, depth: number, budget: { nodes: number }): Read {
  if (depth > deepest || budget.nodes-- === 0 || at + 2 > bytes.length) throw new NotBer();
  const tag = bytes.readUInt8(at);
  // Signatures contain no tags of several bytes.
  if ((tag & 0x1f) === 0x1f) throw new NotBer();
  const { from, length } = lengthAt(bytes, at + 1);
  if (length === undefined) return readOpen(bytes, { at, from, tag }, depth, budget);
  const end = from + length;
  if (end > bytes.length) throw new NotBer();
  const content = bytes.subarray(from, end);
  const children = isConstructed(tag) ? readAll(content, depth, budget) : [];
  return { node: { tag, bytes: bytes.subarray(at, end), content, children }, end };
}

function readAll(content: Buffer, depth: number, budget: { nodes: number }): Node[] {
  const children: Node[] = [];
  for (let at = 0; at < content.length; ) {
    const { node, end } = readAt(content, at, depth + 1, budget);
    children.push(node);
    at = end;
  }
  return children;
}

function readOpen(
  bytes: Buffer,
  { at, from, tag }: { at: number; from: number; tag: number },
  depth: number,
  budget: { nodes: number },
): Read {
  if (!isConstructed(tag)) throw new NotBer();
  const children: Node[] = [];
  let next = from;
  while (bytes[next] !== 0 || bytes[next + 1] !== 0) {
    const { node, end } = readAt(bytes, next, depth + 1, budget);
    children.push(node);
    next = end;
  }
  const end = next + 2;
  return { node: { tag, bytes: bytes.subarray(at, end), content: bytes.subarray(from, next), children }, end };
}

/** @returns no length for an indefinite one */
function lengthAt(bytes: Buffer, at: number): { from: number; length?: number } {
  const first = bytes.readUInt8(at);
  if (first === 0x80) return { from: at + 1 };
  if (first < 0x80) return { from: at + 1, length: first };
  const size = first & 0x7f;
  if (size > 4 || at + 1 + size > bytes.length) throw new NotBer();
  return { from: at + 1 + size, length: bytes.readUIntBE(at + 1, size) };
}

/** Signed content, signers and algorithms. Source: RFC 5652. */
export interface SignedData {
  /** Each as DER. */
  certificates: Buffer[];
  signers: Signer[];
}

export interface Signer {
  issuer: Buffer | undefined;
  /** In hexadecimal digits, as in Node; undefined if the signer is identified by its key. */
  serialNumber: string | undefined;
  keyIdentifier: string | undefined;
  digest: string;
  /** The signed attributes as DER; undefined if the text itself is signed. */
  attributes: Buffer | undefined;
  /** The digest of the text in the attributes. */
  messageDigest: Buffer | undefined;
  signature: Buffer;
}

const oids = {
  signedData: '2a864886f70d010702',
  messageDigest: '2a864886f70d010904',
  digests: new Map([
    ['608648016503040201', 'sha256'],
    ['608648016503040202', 'sha384'],
    ['608648016503040203', 'sha512'],
    ['608648016503040204', 'sha224'],
  ]),
};
const tags = { octets: 0x04, oid: 0x06, integer: 0x02, set: 0x31, context0: 0xa0, keyIdentifier: 0x80 };
const hex = ({ content }: Node): string => content.toString('hex');

/** Reads a detached signature. @throws NotBer for anything else */
export function readSignedData(bytes: Buffer): SignedData {
  const [type, wrapped] = readBer(bytes).children;
  if (!type || hex(type) !== oids.signedData) throw new NotBer();
  const parts = wrapped?.children[0]?.children ?? [];
  const certificates = parts.find(({ tag }) => tag === tags.context0)?.children.map((each) => each.bytes) ?? [];
  const last = parts.length > 3 ? parts.at(-1) : undefined;
  return { certificates, signers: last?.tag === tags.set ? last.children.map(readSigner) : [] };
}

function readSigner({ children: [version, id, digestAlgorithm, ...rest] }: Node): Signer {
  const digest = oids.digests.get(digestAlgorithm?.children[0] ? hex(digestAlgorithm.children[0]) : '');
  const attributes = rest[0]?.tag === tags.context0 ? rest[0] : undefined;
  const signature = rest[attributes ? 2 : 1];
  if (!version || !id || digest === undefined || signature?.tag !== tags.octets) throw new NotBer();
  const [issuer, serial] = id.children;
  return {
    issuer: issuer?.bytes,
    serialNumber: serial && hex(serial).replace(/^0+/, '').toUpperCase(),
    keyIdentifier: id.tag === tags.keyIdentifier ? hex(id) : undefined,
    digest,
    attributes: attributes && asSet(attributes),
    messageDigest: attributes && messageDigestOf(attributes),
    signature: signature.content,
  };
}

/** RFC 5652 5.4: signed as a set, although they are stored with another tag. */
function asSet({ bytes }: Node): Buffer {
  const set = Buffer.from(bytes);
  set[0] = tags.set;
  return set;
}

function messageDigestOf({ children }: Node): Buffer | undefined {
  const digestAttributes = children.filter(({ children: [type] }) => type && hex(type) === oids.messageDigest);
  const values = digestAttributes[0]?.children[1]?.children ?? [];
  return digestAttributes.length === 1 && values.length === 1 ? values[0]?.content : undefined;
}

const extensions = { keyIdentifier: '551d0e', crl: '551d1f' };

/** The key identifier of a certificate, and the URLs of its revocation lists. @throws NotBer */
export function readExtensions(certificate: Buffer): { keyIdentifier: string; crlUrl: string | null } {
  const [body] = readBer(certificate).children;
  const listed = body?.children.find(({ tag }) => tag === 0xa3)?.children[0]?.children ?? [];
  const extensionOf = (oid: string): Buffer | undefined => {
    const found = listed.find(({ children: [name] }) => name && hex(name) === oid);
    return found?.children.at(-1)?.content;
  };
  const identifier = extensionOf(extensions.keyIdentifier);
  const points = extensionOf(extensions.crl);
  const [, crlUrl = null] = /(https?:\/\/[\x21-\x7e]{1,2000})/.exec(points?.toString('latin1') ?? '') ?? [];
  return { keyIdentifier: identifier ? pairs(readBer(identifier).content) : '', crlUrl };
}

const pairs = (bytes: Buffer): string =>
  bytes
    .toString('hex')
    .toUpperCase()
    .replace(/..(?!$)/g, '$&:');
