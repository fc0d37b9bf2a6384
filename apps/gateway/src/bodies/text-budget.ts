import type { MultipartValue } from '@fastify/multipart';
import type { OperationError } from '@moothall/contracts';

/** Overhead of a part besides its name and value: its headers, and memory. */
const bytesPerPart = 100;

/** Applies one limit to all text of a multipart body, or to a form with its files. */
export class TextBudget {
  private spent = 0;

  /** @param refusal thrown above the limit */
  constructor(
    private readonly bytes: number,
    private readonly refusal: () => OperationError,
  ) {}

  take({ fieldname, value, valueTruncated }: Pick<MultipartValue, 'fieldname' | 'value' | 'valueTruncated'>): void {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    this.takeBytes(bytesPerPart + Buffer.byteLength(fieldname) + Buffer.byteLength(text ?? ''));
    if (valueTruncated) throw this.refusal();
  }

  /** Bytes of a file. */
  takeBytes(count: number): void {
    this.spent += count;
    if (this.spent > this.bytes) throw this.refusal();
  }
}
