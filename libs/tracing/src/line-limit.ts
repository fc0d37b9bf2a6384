/** Limits lines a second; the others are counted, and the next line has the count. */
export class LineLimit {
  private second = 0;
  private written = 0;
  private left = 0;

  constructor(
    private readonly perSecond: number,
    private readonly write: (line: string) => void,
  ) {}

  line(text: string, now = performance.now()): void {
    const second = Math.floor(now / 1000);
    if (second !== this.second) {
      this.second = second;
      this.written = 0;
    }
    if (this.written >= this.perSecond) {
      this.left += 1;
      return;
    }
    this.written += 1;
    this.write(this.left > 0 ? `${text}; ${this.left} more were slow and are not told of` : text);
    this.left = 0;
  }
}
