import type { ScramConversation } from '../auth/scram';
import type { Document } from '../bson/value';

/** The server's state of one connection. */
export interface Client {
  readonly id: number;
  /** The driver's description of itself in its first hello. */
  metadata?: Document | undefined;
  /** Set after authentication, or from the start if the socket's folder controls the access. */
  isAuthenticated: boolean;
  /** A pending sign-in. */
  conversation?: ScramConversation | undefined;
  /** The driver ends a sign-in with its proof, without an empty message behind it. */
  skipsEmptyExchange?: boolean;
}
