import { TurnBatcher } from '@moothall/background';

interface Send {
  send: () => void;
  /** Hears what `send` throws: nobody else is there any more, and the others of the turn are to leave. */
  failed: (error: unknown) => void;
}

/**
 * Messages of one turn of the event loop, sent together at its end: they leave in one write to the socket, and the write is
 * what costs most of a small message.
 */
export class SendBatcher extends TurnBatcher<Send> {
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
