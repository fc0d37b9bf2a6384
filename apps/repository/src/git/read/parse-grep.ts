import { decodeName, decodeText } from '../process/text';

/** Consecutive lines of a file, at least one with a match. */
export interface Hunk {
  path: string;
  /** Number of the first line. */
  startLine: number;
  text: string;
}

/** Limit of bytes in one hunk: some files are a single line. */
const maxHunkBytes = 8192;
const separator = Buffer.from('--\n');
const newline = 10;
const digit = /^\d+$/;

interface OpenHunk {
  path: Buffer;
  startLine: number;
  lines: Buffer[];
  bytes: number;
}

/**
 * Parses the output of `git grep -n -z` with context as a stream: `<path>NUL<number>:<line>`, and `--` between hunks.
 */
export class GrepOutput {
  private readonly hunks: Hunk[] = [];
  private open: OpenHunk | undefined;
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly limit: number) {}

  /** Whether there are more matches than requested. */
  get isFull(): boolean {
    return this.hunks.length > this.limit;
  }

  take(chunk: Buffer): void {
    const bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    let at = 0;
    for (let end = this.takeLine(bytes, at); end !== undefined && !this.isFull; end = this.takeLine(bytes, at))
      at = end;
    this.rest = bytes.subarray(at);
  }

  /** All matches, up to the limit. */
  finish(): Hunk[] {
    this.close();
    return this.hunks.slice(0, this.limit);
  }

  /** @returns the start of the next line; undefined if this one is incomplete */
  private takeLine(bytes: Buffer, at: number): number | undefined {
    if (bytes.length - at < separator.length) return undefined;
    if (bytes.subarray(at, at + separator.length).equals(separator)) {
      this.close();
      return at + separator.length;
    }
    // Names may contain line breaks, and lines NULs: the first NUL ends the name, and the next break the line.
    const nameEnd = bytes.indexOf(0, at);
    const end = nameEnd < 0 ? -1 : bytes.indexOf(newline, nameEnd);
    if (end < 0) return undefined;
    const line = bytes.subarray(nameEnd + 1, end);
    const sign = line.findIndex((byte) => byte < 48 || byte > 57);
    const number = line.subarray(0, sign).toString('latin1');
    if (digit.test(number)) this.add(bytes.subarray(at, nameEnd), Number(number), line.subarray(sign + 1));
    return end + 1;
  }

  private add(path: Buffer, number: number, line: Buffer): void {
    if (this.open && !this.open.path.equals(path)) this.close();
    this.open ??= { path: Buffer.from(path), startLine: number, lines: [], bytes: 0 };
    const room = maxHunkBytes - this.open.bytes;
    if (room <= 0) return;
    this.open.lines.push(Buffer.from(line.subarray(0, room)));
    this.open.bytes += line.length + 1;
  }

  private close(): void {
    if (!this.open) return;
    const { path, startLine, lines } = this.open;
    const text = lines.map((line) => `${decodeText(line)}\n`).join('');
    this.hunks.push({ path: decodeName(path), startLine, text });
    this.open = undefined;
  }
}
