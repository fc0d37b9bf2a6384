import { mostOfHook } from '@moothall/contracts';
import { type Outboxed, outboxed, sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';

/** A secret by name. */
export interface Sealed {
  key: string;
  sealedValue: string;
}

export type HookKind = 'system' | 'project' | 'group';

/** A URL that receives the events of the instance, a project or a group. */
export interface Hook extends Outboxed {
  _id: number;
  kind: HookKind;
  /** Id of the project or group; null for the instance. */
  parentId: number | null;
  name: string | null;
  description: string | null;
  /** With name, password and placeholders of variables (`{path}`). */
  sealedUrl: string;
  /** The same with name and password masked. */
  shownUrl: string;
  urlVariables: Sealed[];
  customHeaders: Sealed[];
  sealedToken: string | null;
  sealedSigningToken: string | null;
  verifiesTls: boolean;
  /** Which events it receives, as `push_events`. */
  switches: Record<string, boolean>;
  branchFilter: string | null;
  branchFilterStrategy: 'wildcard' | 'regex' | 'all_branches';
  createdAt: Date;
}

const sealed = { type: [{ _id: false, key: String, sealedValue: String }], default: [], most: mostOfHook };

export const hookSchema = new Schema<Hook>(
  {
    _id: Number,
    kind: String,
    parentId: { type: Number, default: null },
    name: { type: String, default: null },
    description: { type: String, default: null },
    sealedUrl: String,
    shownUrl: String,
    urlVariables: sealed,
    customHeaders: sealed,
    sealedToken: { type: String, default: null },
    sealedSigningToken: { type: String, default: null },
    verifiesTls: Boolean,
    switches: { type: Schema.Types.Mixed, default: {} },
    branchFilter: { type: String, default: null },
    branchFilterStrategy: { type: String, default: 'wildcard' },
    createdAt: Date,
  },
  { versionKey: false, collection: 'hooks' },
);
// Hooks of the instance, of a project, of a group.
hookSchema.index({ kind: 1, parentId: 1, _id: 1 });
hookSchema.plugin(outboxed);
hookSchema.plugin(sealedFields, [
  'sealedUrl',
  'urlVariables.sealedValue',
  'customHeaders.sealedValue',
  'sealedToken',
  'sealedSigningToken',
]);
