import { type GeoCounter, mostSelected } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** The last report of a node. */
export interface NodeReport {
  toldAt: Date;
  /** Empty for a healthy node. */
  health: string;
  version: string | null;
  revision: string | null;
  /** Only counters that the node knows. */
  counters: Partial<Record<GeoCounter, number>>;
}

/** A replication node. Its last report is embedded. */
export interface GeoNodeDocument {
  _id: number;
  name: string;
  url: string;
  /** Equal for all spellings of the URL. */
  urlKey: string;
  /** Null for the same URL. */
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
// There is at most one primary.
geoNodeSchema.index({ isPrimary: 1 }, { unique: true, partialFilterExpression: { isPrimary: true } });
