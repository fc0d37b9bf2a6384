import type { OperationContext } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** What a record was made with, and from which address. */
export interface UserAgent {
  name: string;
  ip: string;
}

export const userAgentSchema = new Schema<UserAgent>({ name: String, ip: String }, { _id: false });

/** @returns null for what was not made over HTTP */
export const userAgentOf = (client: OperationContext['client']): UserAgent | null =>
  client ? { name: client.userAgent, ip: client.ip } : null;
