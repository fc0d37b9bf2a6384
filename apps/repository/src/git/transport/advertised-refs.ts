import { isBranchOrTagName } from '../objects/revision';
import { ByteQueue } from '../process/byte-queue';
import type { RefSnapshot } from './copy';
import { takePacket } from './pkt-line';

const service = /^# service=git-upload-pack\n?$/;
const line = /^([0-9a-f]{40}) ([^\0\n]+)/;

/**
 * Parses the refs in the answer of `GET info/refs`, in version 0 of git's protocol: all refs, and the branch of HEAD if
 * it exists.
 * @returns null for another answer, or an incomplete one
 * @throws request_malformed
 */
export function parseAdvertisement(body: Buffer): RefSnapshot | null {
  const packets = new ByteQueue();
  packets.push(body);
  const first = takePacket(packets);
  if (!first || !service.test(first.payload.toString()) || !takePacket(packets)?.isFlush) return null;
  const found: RefSnapshot = { head: null, refs: [] };
  for (;;) {
    const packet = takePacket(packets);
    if (!packet) return null;
    if (packet.isFlush) return found;
    const text = packet.payload.toString();
    const [, id, name] = line.exec(text) ?? [];
    if (id === undefined || name === undefined) continue;
    found.head ??= headOf(text);
    // Annotated tags have a second line with the peeled object.
    if (name.startsWith('refs/') && !name.endsWith('^{}')) found.refs.push({ id, name });
  }
}

const headIsBranch = 'symref=HEAD:refs/heads/';

/** In the capabilities after the first ref. */
function headOf(text: string): string | null {
  const [, capabilities = ''] = text.split('\0', 2);
  const symref = capabilities.split(/\s/).find((capability) => capability.startsWith(headIsBranch));
  const branch = symref?.slice(headIsBranch.length);
  return branch !== undefined && isBranchOrTagName(branch) ? branch : null;
}
