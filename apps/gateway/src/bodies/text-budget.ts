import type { MultipartValue } from '@fastify/multipart';
import type { OperationError } from '@moothall/contracts';

/** What a part costs besides its name and value: its headers, and its place in memory. */
const bytesPerPart = 100;

/** Holds all text of a multipart body together under one limit. */
export class TextBudget {
  private spent = 0;

  /** @param refusal thrown beyond the limit */
  constructor(
    private readonly bytes: number,
    private readonly refusal: () => OperationError,
  ) {}

  take({ fieldname, value, valueTruncated }: Pick<MultipartValue, 'fieldname' | 'value' | 'valueTruncated'>): void {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    this.spent += bytesPerPart + Buffer.byteLength(fieldname) + Buffer.byteLength(text ?? '');
    if (valueTruncated || this.spent > this.bytes) throw this.refusal();
  }
}
