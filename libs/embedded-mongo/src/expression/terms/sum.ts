import { Double, Int32 } from 'bson';
import { calculateWidening, divideNumbers, type NumberType, numberTypeOf, toDecimal } from '../../bson/arithmetic';
import { type BsonNumber, toDouble } from '../../bson/number';
import { isNumber, type Value } from '../../bson/value';

/**
 * Adds numbers of all types like $sum: integers exactly, doubles with a compensated rounding error, so that the order
 * of addition does not matter. Other values are ignored.
 */
export class Sum {
  count = 0;
  private integers: BsonNumber = new Int32(0);
  private decimals: BsonNumber | undefined;
  private doubles = 0;
  private error = 0;
  private hasDoubles = false;

  add(value: Value): void {
    if (!isNumber(value)) return;
    this.count++;
    const type: NumberType = numberTypeOf(value);
    if (type === 'double') this.addDouble(toDouble(value));
    else if (type === 'decimal') this.decimals = calculateWidening('add', this.decimals ?? 0, value);
    else this.addInteger(value);
  }

  private addInteger(value: BsonNumber): void {
    const sum = calculateWidening('add', this.integers, value);
    if (numberTypeOf(sum) === 'double') {
      this.addDouble(toDouble(sum));
      this.integers = new Int32(0);
    } else {
      this.integers = sum;
    }
  }

  private addDouble(value: number): void {
    this.hasDoubles = true;
    const sum = this.doubles + value;
    // Neumaier's summation; infinities must not turn into NaN.
    if (Number.isFinite(sum)) {
      this.error += Math.abs(this.doubles) >= Math.abs(value) ? this.doubles - sum + value : value - sum + this.doubles;
    }
    this.doubles = sum;
  }

  result(): BsonNumber {
    const total = new Double(Number.isFinite(this.doubles) ? this.doubles + this.error : this.doubles);
    if (this.decimals !== undefined) {
      const sum = calculateWidening('add', this.decimals, this.integers);
      return this.hasDoubles ? calculateWidening('add', sum, total) : sum;
    }
    return this.hasDoubles ? calculateWidening('add', total, this.integers) : this.integers;
  }

  average(): BsonNumber | null {
    if (this.count === 0) return null;
    const sum = this.result();
    const divisor = new Double(this.count);
    return divideNumbers(sum, numberTypeOf(sum) === 'decimal' ? toDecimal(new Int32(this.count)) : divisor);
  }
}
