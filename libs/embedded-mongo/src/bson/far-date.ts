import type { Long } from 'bson';

const furthest = 8_640_000_000_000_000;

/**
 * A date beyond the 275,000 years of JavaScript's dates. It stores its milliseconds for being written again, and
 * counts elsewhere as the latest date.
 */
export class FarDate extends Date {
  readonly milliseconds: Long;

  constructor(milliseconds: Long) {
    super(milliseconds.isNegative() ? -furthest : furthest);
    this.milliseconds = milliseconds;
  }
}
