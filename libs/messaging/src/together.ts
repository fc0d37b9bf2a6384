/**
 * Runs what was asked for in one turn of the event loop together, at its end. Messages that are sent together leave in one
 * write to the socket, and the write is what costs most of a small message.
 */
export class Together {
  private waiting: (() => void)[] = [];

  add(send: () => void): void {
    this.waiting.push(send);
    if (this.waiting.length === 1) setImmediate(() => this.run());
  }

  private run(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const send of waiting) send();
  }
}
