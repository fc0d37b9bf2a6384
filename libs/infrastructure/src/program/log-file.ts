import { createWriteStream, renameSync, statSync, type WriteStream } from 'node:fs';

const maxBytes = 50 * 1024 * 1024;

/** A log that is appended to and, beyond 50 MB, moved to `<file>.1`, so that two files limit its size. */
export class LogFile {
  private stream: WriteStream;
  private sizeBytes: number;

  constructor(private readonly file: string) {
    this.sizeBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    this.stream = this.open();
  }

  write(line: string): void {
    if (this.sizeBytes > maxBytes) this.turnOver();
    this.sizeBytes += Buffer.byteLength(line) + 1;
    this.stream.write(`${line}\n`);
  }

  /** Resolves when everything is written to the operating system. */
  close(): Promise<void> {
    return new Promise((resolve) => this.stream.end(resolve));
  }

  private turnOver(): void {
    this.stream.end();
    renameSync(this.file, `${this.file}.1`);
    this.sizeBytes = 0;
    this.stream = this.open();
  }

  private open(): WriteStream {
    const stream = createWriteStream(this.file, { flags: 'a', mode: 0o600 });
    // A full disk must not stop the server; log lines are then lost.
    stream.on('error', () => {});
    return stream;
  }
}
