/**
 * A second Ctrl-C counts only after this time: a terminal's Ctrl-C reaches the server twice if npm passes it on, too.
 */
const togetherMs = 1_000;

/** Waits for SIGINT, SIGTERM or SIGHUP, or for the end of a parent that opened a channel. */
export class StopSignals {
  /** Aborted at the first one. */
  readonly stop: AbortSignal;
  /** Aborted at a second signal, to stop without waiting. */
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

  /** The end of a stream is a signal, too: for a parent that cannot open a channel. */
  heedEndOf(stream: NodeJS.ReadableStream): void {
    stream.once('end', this.receive).once('error', this.receive).resume();
  }
}

/** Resolves when the signal is aborted, immediately if it is. */
export function fired(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
