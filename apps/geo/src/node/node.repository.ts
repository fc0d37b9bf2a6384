import { type GeoNode, geoErrors, invalidRecord, type Page } from '@moothall/contracts';
import { Counters, findPage, isDuplicateKey } from '@moothall/database';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { GeoSettings } from '../settings/settings';
import type { GeoNodeDocument, NodeReport } from './node.schema';
import { urlKeyOf } from './node-rules';

const mostSecondaries = 1000;

type Paging = { page: number; per_page: number };
export type NewGeoNode = Omit<GeoNodeDocument, '_id' | 'urlKey' | 'status'>;

/** Queries on replication nodes. */
@Injectable()
export class GeoNodes {
  /** Condition that identifies the node of this site. */
  private readonly current: Pick<GeoNodeDocument, 'name'> | Pick<GeoNodeDocument, 'urlKey'>;

  constructor(
    @InjectModel('GeoNode') private readonly nodes: Model<GeoNodeDocument>,
    private readonly counters: Counters,
    @Inject(settingsToken) { GEO_NODE_NAME, EXTERNAL_URL }: GeoSettings,
  ) {
    this.current = GEO_NODE_NAME === undefined ? { urlKey: urlKeyOf(EXTERNAL_URL) } : { name: GEO_NODE_NAME };
  }

  isCurrent(node: GeoNodeDocument): boolean {
    return 'name' in this.current ? node.name === this.current.name : node.urlKey === this.current.urlKey;
  }

  page(input: Paging): Promise<Page<GeoNodeDocument>> {
    return findPage(this.nodes, {}, { _id: 1 }, input);
  }

  /** Nodes that reported their status, and the one of this site. */
  pageOfKnown(input: Paging): Promise<Page<GeoNodeDocument>> {
    const reported = { 'status.toldAt': { $gt: new Date(0) } } as QueryFilter<GeoNodeDocument>;
    return findPage(this.nodes, { $or: [reported, this.current] }, { _id: 1 }, input);
  }

  /** All nodes except the primary. */
  secondaries(): Promise<GeoNodeDocument[]> {
    return this.nodes.find({ isPrimary: false }).limit(mostSecondaries).lean<GeoNodeDocument[]>();
  }

  /** @throws geo.node_not_found */
  async get(id: number): Promise<GeoNodeDocument> {
    return orNotFound(await this.nodes.findById(id).lean<GeoNodeDocument>());
  }

  /** The node of this site. @throws geo.node_not_found */
  async getCurrent(): Promise<GeoNodeDocument> {
    return orNotFound(await this.findCurrent());
  }

  /** The same, or null if this site is not a node. */
  findCurrent(): Promise<GeoNodeDocument | null> {
    return this.nodes.findOne(this.current).lean<GeoNodeDocument>();
  }

  /** @throws common.invalid_record for values of another node */
  async add(node: NewGeoNode): Promise<GeoNodeDocument> {
    const document = { ...node, urlKey: urlKeyOf(node.url), _id: await this.counters.next('geo_nodes') };
    return (await this.nodes.create(document).catch(throwTaken)).toObject();
  }

  /** Absent fields stay unchanged. @throws geo.node_not_found; common.invalid_record for values of another node */
  async change(id: number, { url, ...changes }: Partial<NewGeoNode>): Promise<GeoNodeDocument> {
    const $set = { ...changes, ...(url !== undefined && { url, urlKey: urlKeyOf(url) }) };
    return orNotFound(
      await this.nodes
        .findOneAndUpdate({ _id: id }, { $set }, { returnDocument: 'after' })
        .lean<GeoNodeDocument>()
        .exec()
        .catch(throwTaken),
    );
  }

  /** Replaces the nodes by those of the primary. Reports stay. */
  async takeOver(reported: readonly GeoNode[]): Promise<void> {
    const ids = reported.map(({ id }) => id);
    await this.nodes.deleteMany({ _id: { $nin: ids } });
    for (const node of reported) await this.mirror(node.id, asDeclared(node));
    // If this site becomes the primary, new nodes get unused ids.
    if (ids.length > 0) await this.counters.atLeast('geo_nodes', Math.max(...ids));
  }

  private async mirror(_id: number, node: NewGeoNode): Promise<void> {
    const $set = { ...node, urlKey: urlKeyOf(node.url) };
    const write = () => this.nodes.updateOne({ _id }, { $set }, { upsert: true });
    await write().catch(async (error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
      // A node that had this name or URL has a new one, and is written later.
      const { name, urlKey, isPrimary } = $set;
      const claimed = [{ name }, { urlKey }, ...(isPrimary ? [{ isPrimary }] : [])];
      await this.nodes.deleteMany({ _id: { $ne: _id }, $or: claimed });
      await write();
    });
  }

  /** Stores the report of a secondary. @returns null if there is no such secondary */
  report(id: number, status: NodeReport): Promise<GeoNodeDocument | null> {
    return this.nodes
      .findOneAndUpdate({ _id: id, isPrimary: false }, { $set: { status } }, { returnDocument: 'after' })
      .lean<GeoNodeDocument>();
  }

  /** @throws geo.node_not_found */
  async remove(id: number): Promise<void> {
    const { deletedCount } = await this.nodes.deleteOne({ _id: id });
    if (deletedCount === 0) throw geoErrors.nodeNotFound();
  }
}

/** Stored form of a node of the primary. */
const asDeclared = (node: GeoNode): NewGeoNode => ({
  name: node.name,
  url: node.url,
  internalUrl: node.internal_url === node.url ? null : node.internal_url,
  isPrimary: node.primary,
  isEnabled: node.enabled,
  filesMaxCapacity: node.files_max_capacity,
  reposMaxCapacity: node.repos_max_capacity,
  verificationMaxCapacity: node.verification_max_capacity,
  containerRepositoriesMaxCapacity: node.container_repositories_max_capacity,
  minimumReverificationIntervalDays: node.minimum_reverification_interval,
  syncsObjectStorage: node.sync_object_storage,
  selectiveSyncType: node.selective_sync_type,
  selectiveSyncShards: node.selective_sync_shards,
  selectiveSyncNamespaceIds: node.selective_sync_namespace_ids,
});

function orNotFound(node: GeoNodeDocument | null): GeoNodeDocument {
  if (!node) throw geoErrors.nodeNotFound();
  return node;
}

function throwTaken(error: unknown): never {
  if (isDuplicateKey(error, 'name')) throw invalidRecord({ name: ['has already been taken'] });
  if (isDuplicateKey(error, 'urlKey')) throw invalidRecord({ url: ['has already been taken'] });
  if (isDuplicateKey(error, 'isPrimary')) throw invalidRecord({ primary: ['node already exists'] });
  throw error;
}
