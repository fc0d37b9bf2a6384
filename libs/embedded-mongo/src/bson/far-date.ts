import type { Long } from 'bson';

const furthest = 8_640_000_000_000_000;

/**
 * A date beyond the 275,000 years that JavaScript's dates reach. It keeps its milliseconds for being written again,
 * and counts elsewhere as the furthest date there is.
 */
export class FarDate extends Date {
  readonly milliseconds: Long;

  constructor(milliseconds: Long) {
    super(milliseconds.isNegative() ? -furthest : furthest);
    this.milliseconds = milliseconds;
  }
}
