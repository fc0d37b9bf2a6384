import type { OperationContext } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** User agent and IP address of the client that created a record. */
export interface UserAgent {
  name: string;
  ip: string;
}

export const userAgentSchema = new Schema<UserAgent>({ name: String, ip: String }, { _id: false });

/** @returns null for a record that was not created over HTTP */
export const userAgentOf = (client: OperationContext['client']): UserAgent | null =>
  client ? { name: client.userAgent, ip: client.ip } : null;
