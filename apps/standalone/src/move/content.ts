import { createHash } from 'node:crypto';

/** A summary of a collection, to compare two of them. */
export interface Content {
  documents: number;
  bytes: number;
  /** The sum of the SHA-256 of each document, independent of the order. */
  checksum: string;
}

const modulus = 1n << 256n;

/** Sums documents. */
export class Adding {
  private documents = 0;
  private bytes = 0;
  private sum = 0n;

  add(document: Uint8Array): void {
    this.documents++;
    this.bytes += document.length;
    this.sum = (this.sum + BigInt(`0x${createHash('sha256').update(document).digest('hex')}`)) % modulus;
  }

  get content(): Content {
    return { documents: this.documents, bytes: this.bytes, checksum: this.sum.toString(16).padStart(64, '0') };
  }
}

export const isSame = (one: Content, other: Content): boolean =>
  one.documents === other.documents && one.bytes === other.bytes && one.checksum === other.checksum;
