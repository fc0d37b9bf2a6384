import { type GeoCounter, mostSelected } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** What a node said of itself last. */
export interface NodeReport {
  toldAt: Date;
  /** Empty where nothing is wrong. */
  health: string;
  version: string | null;
  revision: string | null;
  /** Those that the node knows. */
  counters: Partial<Record<GeoCounter, number>>;
}

/** A replication node. What it said of itself is in it, and goes with it. */
export interface GeoNodeDocument {
  _id: number;
  name: string;
  url: string;
  /** The address as all ways of writing it have it. */
  urlKey: string;
  /** Null where it is the other address. */
  internalUrl: string | null;
  isPrimary: boolean;
  isEnabled: boolean;
  filesMaxCapacity: number;
  reposMaxCapacity: number;
  verificationMaxCapacity: number;
  containerRepositoriesMaxCapacity: number;
  minimumReverificationIntervalDays: number;
  syncsObjectStorage: boolean;
  selectiveSyncType: 'namespaces' | 'shards' | null;
  selectiveSyncShards: string[];
  selectiveSyncNamespaceIds: number[];
  status?: NodeReport;
}

export const geoNodeSchema = new Schema<GeoNodeDocument>(
  {
    _id: Number,
    name: String,
    url: String,
    urlKey: String,
    internalUrl: { type: String, default: null },
    isPrimary: Boolean,
    isEnabled: Boolean,
    filesMaxCapacity: Number,
    reposMaxCapacity: Number,
    verificationMaxCapacity: Number,
    containerRepositoriesMaxCapacity: Number,
    minimumReverificationIntervalDays: Number,
    syncsObjectStorage: Boolean,
    selectiveSyncType: { type: String, default: null },
    selectiveSyncShards: { type: [String], default: [], most: mostSelected },
    selectiveSyncNamespaceIds: { type: [Number], default: [], most: mostSelected },
    status: { type: Schema.Types.Mixed, default: undefined },
  },
  { versionKey: false, collection: 'geo_nodes' },
);
geoNodeSchema.index({ name: 1 }, { unique: true });
geoNodeSchema.index({ urlKey: 1 }, { unique: true });
// There is one primary.
geoNodeSchema.index({ isPrimary: 1 }, { unique: true, partialFilterExpression: { isPrimary: true } });
