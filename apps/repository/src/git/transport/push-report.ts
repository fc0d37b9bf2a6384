import { Transform, type TransformCallback } from 'node:stream';
import { ByteQueue } from '../process/byte-queue';
import { decodeName } from '../process/text';
import { FLUSH, packet, takePacket } from './pkt-line';
import type { PushCommands } from './push-commands';

const DATA_BAND = 1;
const PROGRESS_BAND = 2;

/** Reasons of refused refs, by ref name. */
export type Refusals = ReadonlyMap<string, string>;

/** Messages for the user; each line gets the prefix `remote:`. */
interface Notices {
  first: string;
  last: (accepted: ReadonlySet<string>) => string;
}

/** Passes git's answer to a push through, and parses from it which refs were updated. */
export class PushReport extends Transform {
  readonly accepted = new Set<string>();
  private readonly outer = new ByteQueue();
  private readonly inner = new ByteQueue();
  private isReadable = true;
  private isBegun = false;
  /** The last bytes: a client reads no message after the flush packet at the end. */
  private tail = Buffer.alloc(0);

  constructor(
    private readonly usesSideBand: () => boolean,
    private readonly notices: Notices,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.isReadable) this.outer.push(chunk);
    try {
      while (this.isReadable && this.readOne());
    } catch {
      // Not packets, for example if git died early: the client gets the output, and no ref counts as updated.
      this.isReadable = false;
    }
    if (!this.isBegun) this.show(this.notices.first);
    this.isBegun = true;
    const bytes = Buffer.concat([this.tail, chunk]);
    const length = Math.max(0, bytes.length - FLUSH.length);
    this.tail = bytes.subarray(length);
    done(null, bytes.subarray(0, length));
  }

  override _flush(done: TransformCallback): void {
    if (this.isReadable && this.tail.equals(FLUSH)) this.show(this.notices.last(this.accepted));
    done(null, this.tail);
  }

  private show(notice: string): void {
    if (notice !== '' && this.usesSideBand()) this.push(Buffer.concat(inBand(PROGRESS_BAND, Buffer.from(notice))));
  }

  private readOne(): boolean {
    const next = takePacket(this.outer);
    if (!next) return false;
    if (!this.usesSideBand()) this.readStatus(next.payload);
    else if (next.payload[0] === DATA_BAND) {
      this.inner.push(next.payload.subarray(1));
      for (let status = takePacket(this.inner); status; status = takePacket(this.inner))
        this.readStatus(status.payload);
    }
    return true;
  }

  private readStatus(payload: Buffer): void {
    const [, name] = /^ok (.+?)\n?$/s.exec(payload.toString('latin1')) ?? [];
    if (name) this.accepted.add(decodeName(Buffer.from(name, 'latin1')));
  }
}

/** The answer that refuses a whole push: git updates all refs of a push, or none if a rule forbids one. */
export function refusePush({ updates, capabilities }: PushCommands, refusals: Refusals): Buffer {
  const usesSideBand = capabilities.has('side-band-64k');
  const reports = capabilities.has('report-status') || capabilities.has('report-status-v2');
  const reasonOf = (ref: string) => (refusals.get(ref) ?? 'another ref of this push was refused').replaceAll('\n', ' ');
  const status = reports
    ? Buffer.concat([
        packet('unpack ok\n'),
        ...updates.map(({ refName }) => packet(`ng ${refName} ${reasonOf(refName)}\n`)),
        FLUSH,
      ])
    : Buffer.alloc(0);
  if (!usesSideBand) return status;
  const words = [...new Set(refusals.values())].map((reason) => `${reason}\n`).join('');
  return Buffer.concat([...inBand(PROGRESS_BAND, Buffer.from(words)), ...inBand(DATA_BAND, status), FLUSH]);
}

function inBand(band: number, bytes: Buffer): Buffer[] {
  const size = 65000;
  const packets: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size)
    packets.push(packet(Buffer.concat([Buffer.from([band]), bytes.subarray(at, at + size)])));
  return packets;
}
