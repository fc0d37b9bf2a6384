import { CsvFormatterStream, FormatterOptions } from '@fast-csv/format';

/**
 * fast-csv, which formats rows here in blocks. As a stream it passes on row by row, which takes longer than the
 * formatting.
 */
export class CsvBlocks extends CsvFormatterStream<string[], string[]> {
  private lines: Buffer[] = [];
  private isBegun = false;

  constructor() {
    super(new FormatterOptions({ includeEndRowDelimiter: true }));
  }

  block(rows: Iterable<string[]>): Buffer {
    for (const row of rows) {
      this._transform(row, 'utf8', rethrow);
      this.isBegun = true;
    }
    return this.takeLines();
  }

  /** The end of the output after the last row. */
  rest(): Buffer {
    // Without any rows, the end of a row would be an empty line.
    if (this.isBegun) this._flush(rethrow);
    return this.takeLines();
  }

  override push(line: Buffer): boolean {
    this.lines.push(line);
    return true;
  }

  private takeLines(): Buffer {
    const block = Buffer.concat(this.lines);
    this.lines = [];
    return block;
  }
}

function rethrow(error?: Error | null): void {
  if (error) throw error;
}
