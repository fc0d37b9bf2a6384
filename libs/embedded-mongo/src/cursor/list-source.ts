import { BATCH_BYTES } from '../protocol/wire';
import type { Source } from './cursor-table';

/** Documents of a complete list. */
export class ListSource implements Source {
  private position = 0;

  constructor(private documents: Buffer[]) {}

  async nextBatch(limit: number): Promise<{ documents: Buffer[]; isDone: boolean }> {
    const batch: Buffer[] = [];
    let bytes = 0;
    while (this.position < this.documents.length && batch.length < limit) {
      const document = this.documents[this.position]!;
      bytes += document.length;
      if (bytes > BATCH_BYTES && batch.length > 0) break;
      batch.push(document);
      this.position++;
    }
    return { documents: batch, isDone: this.position >= this.documents.length };
  }

  close(): void {
    this.documents = [];
  }
}
