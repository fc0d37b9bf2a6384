import { ByteQueue } from '../process/byte-queue';
import { decodeName, decodeText, unquoteName } from '../process/text';

/** One file of a diff, as the v4 interface has it. */
export interface FileDiff {
  old_path: string;
  new_path: string;
  /** Six octal digits, `0` for a missing file. */
  a_mode: string;
  b_mode: string;
  /** From the first `@@` on; a note for binary files; empty beyond the limits. */
  diff: string;
  new_file: boolean;
  renamed_file: boolean;
  deleted_file: boolean;
}

const RAW = /^:(\d{6}) (\d{6}) [0-9a-f]+ [0-9a-f]+ ([A-Z])\d*\t([^\t]*)(?:\t(.*))?$/s;
const FILE_START = Buffer.from('diff --git ');
const FILE_LETTER = FILE_START[0];
const NEXT_FILE = Buffer.from('\ndiff --git ');

interface Patch {
  lines: Buffer[];
  bytes: number;
  hasStarted: boolean;
}

/**
 * Parses `git diff-tree --raw --patch` as a stream. Raw lines name the files and come first; patches follow in the same
 * order. Git quotes names with newlines, so a line that starts with `diff --git ` is always a new file.
 */
export class DiffParser {
  private readonly files: FileDiff[] = [];
  private readonly queue = new ByteQueue();
  private patch: Patch | null = null;
  /** The last bytes of a patch beyond its limit, which may contain the start of its end. */
  private skipped: Buffer | null = null;
  private index = -1;
  private totalLines = 0;
  private totalBytes = 0;
  /** The limits are reached: further patches are dropped. */
  isFull = false;

  constructor(private readonly limits: { files: number; lines: number; totalBytes: number; patchBytes: number }) {}

  push(chunk: Buffer): void {
    const rest = this.skipped ? this.skip(this.skipped, chunk) : chunk;
    if (!rest || this.isFull) return;
    this.queue.push(rest);
    for (let line = this.queue.takeLine(); line && !this.isFull; line = this.queue.takeLine()) {
      this.readLine(line);
      if (!this.patch || this.patch.bytes <= this.limits.patchBytes) continue;
      this.skipPatch('\n');
      return;
    }
    // A line without an end so far.
    if (this.patch && this.queue.length > this.limits.patchBytes) this.skipPatch('');
  }

  /** The rest of a patch beyond its limit is skipped: only the start of the next one is searched. */
  private skipPatch(before: string): void {
    if (this.patch) Object.assign(this.patch, { lines: [], bytes: Number.POSITIVE_INFINITY });
    this.skipped = Buffer.from(before);
    this.push(this.queue.take(this.queue.length) ?? Buffer.alloc(0));
  }

  /** @returns from the beginning of the next patch on; undefined if none begins */
  private skip(before: Buffer, chunk: Buffer): Buffer | undefined {
    const bytes = Buffer.concat([before, chunk]);
    const at = bytes.indexOf(NEXT_FILE);
    this.skipped = at < 0 ? bytes.subarray(1 - NEXT_FILE.length) : null;
    return at < 0 ? undefined : bytes.subarray(at + 1);
  }

  finish(): FileDiff[] {
    if (!this.isFull) this.endPatch();
    return this.files;
  }

  private readLine(line: Buffer): void {
    if (line[0] === FILE_LETTER && line.subarray(0, FILE_START.length).equals(FILE_START)) this.startPatch();
    else if (this.patch) addLine(this.patch, line);
    else if (line[0] === 0x3a) this.addFile(line.toString('latin1'));
  }

  private addFile(line: string): void {
    const match = RAW.exec(line);
    if (!match) return;
    const [, aMode, bMode, status, first, second] = match as unknown as [
      string,
      string,
      string,
      string,
      string,
      string | undefined,
    ];
    const oldPath = decodeName(unquoteName(first));
    const newPath = second === undefined ? oldPath : decodeName(unquoteName(second));
    const file = (a: string, b: string): FileDiff => ({
      old_path: oldPath,
      new_path: newPath,
      a_mode: mode(a),
      b_mode: mode(b),
      diff: '',
      new_file: mode(a) === '0',
      renamed_file: status === 'R',
      deleted_file: mode(b) === '0',
    });
    // A file that became a link or a submodule: shown as one deleted and one added file.
    if (status === 'T') this.files.push(file(aMode, '0'), file('0', bMode));
    else this.files.push(file(aMode, bMode));
  }

  private startPatch(): void {
    this.endPatch();
    this.index++;
    if (this.index >= this.limits.files) this.isFull = true;
    this.patch = { lines: [], bytes: 0, hasStarted: false };
  }

  private endPatch(): void {
    const patch = this.patch;
    const file = this.files[this.index];
    this.patch = null;
    if (!patch || !file || patch.bytes > this.limits.patchBytes) return;
    this.totalLines += patch.lines.length;
    this.totalBytes += patch.bytes;
    this.isFull = this.totalLines > this.limits.lines || this.totalBytes > this.limits.totalBytes;
    if (!this.isFull) file.diff = patch.lines.map((line) => `${decodeText(line)}\n`).join('');
  }
}

function addLine(patch: Patch, line: Buffer): void {
  if (!patch.hasStarted) {
    patch.hasStarted =
      line.subarray(0, 2).toString('latin1') === '@@' || line.subarray(0, 12).toString('latin1') === 'Binary files';
    if (!patch.hasStarted) return;
  }
  patch.bytes += line.length + 1;
  patch.lines.push(line);
}

function mode(octal: string): string {
  return /^0+$/.test(octal) ? '0' : octal;
}
