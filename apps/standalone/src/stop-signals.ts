/** A second Ctrl-C counts only after this long: a terminal's Ctrl-C reaches the server twice when npm passes it on, too. */
const togetherMs = 1_000;

/** Waits for SIGINT, SIGTERM or SIGHUP, or for the end of a parent that opened a channel to us. */
export class StopSignals {
  /** Fires at the first one. */
  readonly stop: AbortSignal;
  /** Fires at a second signal, to stop without waiting. */
  readonly force: AbortSignal;

  private readonly receive: () => void;

  constructor() {
    const [stop, force] = [new AbortController(), new AbortController()];
    [this.stop, this.force] = [stop.signal, force.signal];
    let firstAt: number | undefined;
    this.receive = () => {
      firstAt ??= Date.now();
      stop.abort();
      if (Date.now() - firstAt > togetherMs) force.abort();
    };
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, this.receive);
    process.on('disconnect', this.receive);
  }

  /** The end of a stream is a signal, too: of who holds its other end, and cannot open a channel. */
  heedEndOf(stream: NodeJS.ReadableStream): void {
    stream.once('end', this.receive).once('error', this.receive).resume();
  }
}

/** Resolves when the signal fires, at once if it has. */
export function fired(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
