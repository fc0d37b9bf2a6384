import { TurnBatcher } from '@moothall/background';

interface Send {
  send: () => void;
  /** Gets what `send` throws: the caller has gone on, and other messages of the turn are still sent. */
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
