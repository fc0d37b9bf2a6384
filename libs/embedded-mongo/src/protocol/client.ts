import type { Document } from '../bson/value';

/** What the server knows of one connection. */
export interface Client {
  readonly id: number;
  /** What the driver said of itself in its first hello. */
  metadata?: Document;
  /** Set once the credentials were proved, or from the start where the socket's folder is the guard. */
  isAuthenticated: boolean;
  /** A sign-in that is under way; belongs to the authentication commands. */
  conversation?: unknown;
}
