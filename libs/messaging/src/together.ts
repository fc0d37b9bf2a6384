interface Send {
  send: () => void;
  failed: (error: unknown) => void;
}

/**
 * Runs what was asked for in one turn of the event loop together, at its end. Messages that are sent together leave in one
 * write to the socket, and the write is what costs most of a small message.
 */
export class Together {
  private waiting: Send[] = [];

  /** @param failed hears what `send` throws: nobody else is there any more, and the others of the turn are to leave */
  add(send: () => void, failed: (error: unknown) => void): void {
    this.waiting.push({ send, failed });
    if (this.waiting.length === 1) setImmediate(() => this.run());
  }

  private run(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const { send, failed } of waiting) {
      try {
        send();
      } catch (error) {
        failed(error);
      }
    }
  }
}
