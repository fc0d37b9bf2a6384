/** Lets work through, until it is closed for a moment: who comes meanwhile waits, and who is inside comes to an end. */
export class Gate {
  private inside = 0;
  private closed: { opened: Promise<void>; open: () => void } | undefined;
  /** Who waits until nobody is inside. */
  private closing: (() => void)[] = [];

  /** Whoever comes in says when he leaves. @returns what he has to wait for, or nothing where he is inside already */
  enter(): Promise<void> | undefined {
    if (this.closed) return this.closed.opened.then(() => this.enter());
    this.inside++;
    return undefined;
  }

  leave(): void {
    this.inside--;
    if (this.inside === 0) for (const closed of this.closing.splice(0)) closed();
  }

  /** Does the work, once the gate is open. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** Resolves when nobody is inside. */
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
