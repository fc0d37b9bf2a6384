import { Turn } from '@moothall/background';

interface Send {
  send: () => void;
  /** Hears what `send` throws: nobody else is there any more, and the others of the turn are to leave. */
  failed: (error: unknown) => void;
}

/**
 * Messages of one turn of the event loop, sent together at its end: they leave in one write to the socket, and the write is
 * what costs most of a small message.
 */
export class Together extends Turn<Send> {
  constructor() {
    super((sends) => {
      for (const { send, failed } of sends) {
        try {
          send();
        } catch (error) {
          failed(error);
        }
      }
    });
  }
}
