import type { ScramConversation } from '../auth/scram';
import type { Document } from '../bson/value';

/** What the server knows of one connection. */
export interface Client {
  readonly id: number;
  /** What the driver said of itself in its first hello. */
  metadata?: Document | undefined;
  /** Set once the credentials were proved, or from the start where the socket's folder is the guard. */
  isAuthenticated: boolean;
  /** A sign-in under way. */
  conversation?: ScramConversation | undefined;
  /** The driver ends a sign-in with its proof, without an empty message behind it. */
  skipsEmptyExchange?: boolean;
}
