import type { ObjectId } from 'bson';
import type { Collation } from './collation';
import { keyString } from './index-key';
import { classOf, type Value } from './value';

/** A set of BSON values by comparison: 1, 1.0 and NumberLong(1) are one. Asking is fast for the common types. */
export class ValueSet {
  private readonly strings = new Set<string>();
  private readonly numbers = new Set<number>();
  private readonly ids = new Set<string>();
  private readonly others = new Set<string>();
  private readonly collation: Collation | undefined;

  constructor(values: Iterable<Value> = [], collation?: Collation) {
    this.collation = collation;
    for (const value of values) this.add(value);
  }

  get size(): number {
    return this.strings.size + this.numbers.size + this.ids.size + this.others.size;
  }

  /** @returns false if it was already included */
  add(value: Value): boolean {
    const before = this.size;
    if (typeof value === 'string') this.strings.add(this.collation ? this.collation.fold(value) : value);
    else if (typeof value === 'object' && value !== null) this.addObject(value);
    else if (typeof value === 'number') this.numbers.add(value);
    else this.others.add(keyString(value));
    return this.size > before;
  }

  has(value: Value): boolean {
    if (typeof value === 'string') return this.strings.has(this.collation ? this.collation.fold(value) : value);
    if (typeof value === 'number') return this.numbers.has(value);
    if (typeof value !== 'object' || value === null) return this.others.has(keyString(value));
    const number = smallNumber(value);
    if (number !== undefined) return this.numbers.has(number);
    if (classOf(value) === 'ObjectId') return this.ids.has(idKey(value as ObjectId));
    if (classOf(value) === 'BSONSymbol') return this.has((value as { value: string }).value);
    return this.others.has(keyString(value, this.collation));
  }

  private addObject(value: object & Value): void {
    const number = smallNumber(value);
    if (number !== undefined) this.numbers.add(number);
    else if (classOf(value) === 'ObjectId') this.ids.add(idKey(value as ObjectId));
    else if (classOf(value) === 'BSONSymbol') this.add((value as { value: string }).value);
    else this.others.add(keyString(value, this.collation));
  }
}

function idKey(id: ObjectId): string {
  // Other bytes at each call, in other memory.
  const { buffer, byteOffset } = id.id;
  return Buffer.from(buffer, byteOffset, 12).toString('latin1');
}

/** The number as a double if that is exact; others are compared by their key. */
function smallNumber(value: object): number | undefined {
  switch (classOf(value)) {
    case 'Int32':
    case 'Double':
      return (value as { value: number }).value;
    case 'Long': {
      const number = (value as { toNumber(): number }).toNumber();
      return Number.isSafeInteger(number) ? number : exactDouble(value as Value, number);
    }
    case 'Decimal128':
      return exactDouble(value as Value, Number(String(value)));
    default:
      return undefined;
  }
}

function exactDouble(value: Value, nearest: number): number | undefined {
  if (Number.isNaN(nearest)) return nearest;
  return keyString(value) === keyString(nearest) ? nearest : undefined;
}
