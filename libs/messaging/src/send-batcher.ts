import { TurnBatcher } from '@moothall/background';

interface Send {
  send: () => void;
  /** Gets the error of `send`: the caller has continued, and other messages of the turn are still sent. */
  failed: (error: unknown) => void;
}

/**
 * Messages of one turn of the event loop, sent together at its end in one write to the socket, which is most of the
 * cost of a small message.
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
