import type { IntegrationSwitch } from '@moothall/contracts';
import { type Outboxed, outboxed, sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';

/** An integration of a project with another system. */
export interface IntegrationDocument extends Outboxed {
  _id: number;
  projectId: number;
  slug: string;
  isActive: boolean;
  /** By name, without secret ones. */
  settings: Record<string, string | number | boolean>;
  /** Secret settings by name, encrypted. */
  sealed: Record<string, string>;
  /** Only switches that were ever set; all others are on. */
  switches: Partial<Record<IntegrationSwitch, boolean>>;
  createdAt: Date;
  updatedAt: Date;
}

/** The name of its delivery queue. */
export const queueOf = (integrationId: number): string => `integration-${integrationId}`;

const byName = { type: Object, default: {} };

export const integrationSchema = new Schema<IntegrationDocument>(
  {
    _id: Number,
    projectId: Number,
    slug: String,
    isActive: Boolean,
    settings: byName,
    sealed: byName,
    switches: byName,
    createdAt: Date,
    updatedAt: Date,
  },
  { versionKey: false, minimize: false, collection: 'integrations' },
);
// Each kind once per project; also all of a project.
integrationSchema.index({ projectId: 1, slug: 1 }, { unique: true });
integrationSchema.plugin(outboxed);
integrationSchema.plugin(sealedFields, ['sealed']);
