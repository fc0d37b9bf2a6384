/** Admits work until it is closed for a moment: then new work waits, and running work ends. */
export class Gate {
  private inside = 0;
  private closed: { opened: Promise<void>; open: () => void } | undefined;
  /** Called when no work is running. */
  private closing: (() => void)[] = [];

  /** Each call needs a call of `leave`. @returns a promise to wait for; undefined if the gate is open */
  enter(): Promise<void> | undefined {
    if (this.closed) return this.closed.opened.then(() => this.enter());
    this.inside++;
    return undefined;
  }

  leave(): void {
    this.inside--;
    if (this.inside === 0) for (const closed of this.closing.splice(0)) closed();
  }

  /** Runs the work when the gate is open. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** Resolves when all running work has ended. */
  async close(): Promise<void> {
    if (!this.closed) {
      const { promise: opened, resolve: open } = withResolvers();
      this.closed = { opened, open };
    }
    if (this.inside === 0) return;
    await new Promise<void>((resolve) => {
      this.closing.push(resolve);
    });
  }

  open(): void {
    this.closed?.open();
    this.closed = undefined;
  }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
