import {
  type ContextOf,
  createGeoNode,
  deleteGeoNode,
  forbidden,
  type GeoNode,
  getGeoNode,
  invalidRecord,
  listGeoNodes,
  onlyGiven,
  type ParsedOf,
  removeNodeApplication,
  renewNodeApplication,
  repairGeoNode,
  updateGeoNode,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { followsPrimary, type GeoSettings } from '../../settings/settings';
import { GeoNodes, type NewGeoNode } from '../node.repository';
import type { GeoNodeDocument } from '../node.schema';
import { GeoNodeViews } from '../node.view';
import { nodeProblems } from '../node-rules';

/** Replication nodes. See docs/api/geo.md#1. */
@Controller()
export class NodeOperations {
  private readonly isPrimary: boolean;
  /** Whether the nodes are copied from the primary. */
  private readonly takesOver: boolean;

  constructor(
    private readonly nodes: GeoNodes,
    private readonly views: GeoNodeViews,
    private readonly client: OperationClient,
    @Inject(settingsToken) settings: GeoSettings,
  ) {
    this.isPrimary = settings.GEO_ROLE === 'primary';
    this.takesOver = followsPrimary(settings);
  }

  @Handles(listGeoNodes)
  async list(_: ContextOf<typeof listGeoNodes>, input: ParsedOf<typeof listGeoNodes>) {
    const page = await this.nodes.page(input);
    return { ...page, items: page.items.map((node) => this.views.show(node)) };
  }

  @Handles(getGeoNode)
  async get(_: ContextOf<typeof getGeoNode>, { id }: ParsedOf<typeof getGeoNode>): Promise<GeoNode> {
    return this.views.show(await this.nodes.get(id));
  }

  @Handles(createGeoNode)
  async create(_: ContextOf<typeof createGeoNode>, input: ParsedOf<typeof createGeoNode>) {
    if (this.takesOver) throw forbidden();
    requireGood(input);
    const node = await this.nodes.add(newNodeOf(input));
    try {
      return await this.withCredentials(node);
    } catch (error) {
      // The request failed, so the node must not exist. If this fails too, its status reports the missing application.
      await this.client.call(removeNodeApplication, { node_id: node._id }).catch(() => undefined);
      await this.nodes.remove(node._id).catch(() => undefined);
      throw error;
    }
  }

  @Handles(updateGeoNode)
  async update(_: ContextOf<typeof updateGeoNode>, { id, ...input }: ParsedOf<typeof updateGeoNode>) {
    this.requirePrimary();
    requireGood(input);
    return this.views.show(await this.nodes.change(id, changesOf(input)));
  }

  @Handles(deleteGeoNode)
  async delete(_: ContextOf<typeof deleteGeoNode>, { id }: ParsedOf<typeof deleteGeoNode>): Promise<void> {
    this.requirePrimary();
    await this.nodes.get(id);
    // Before the node is deleted: after a failure the caller can retry.
    await this.client.call(removeNodeApplication, { node_id: id });
    await this.nodes.remove(id);
  }

  @Handles(repairGeoNode)
  async repair(_: ContextOf<typeof repairGeoNode>, { id }: ParsedOf<typeof repairGeoNode>) {
    this.requirePrimary();
    return this.withCredentials(await this.nodes.get(id));
  }

  /** A secondary signs in at its primary with an application. */
  private async withCredentials(node: GeoNodeDocument) {
    if (node.isPrimary || !this.isPrimary) return this.views.show(node);
    const asked = { node_id: node._id, name: node.name, url: node.url };
    return { ...this.views.show(node), oauth_application: await this.client.call(renewNodeApplication, asked) };
  }

  private requirePrimary(): void {
    if (!this.isPrimary) throw forbidden();
  }
}

type Input = Omit<ParsedOf<typeof updateGeoNode>, 'id'>;

function requireGood(input: Input): void {
  const problems = nodeProblems(input);
  if (Object.keys(problems).length > 0) throw invalidRecord(problems);
}

/** The input in stored form. */
const changesOf = (input: Input): Partial<NewGeoNode> =>
  onlyGiven<NewGeoNode>({
    name: input.name,
    url: input.url,
    internalUrl: input.internal_url === '' ? null : input.internal_url,
    isPrimary: input.primary,
    isEnabled: input.enabled,
    filesMaxCapacity: input.files_max_capacity,
    reposMaxCapacity: input.repos_max_capacity,
    verificationMaxCapacity: input.verification_max_capacity,
    containerRepositoriesMaxCapacity: input.container_repositories_max_capacity,
    minimumReverificationIntervalDays: input.minimum_reverification_interval,
    syncsObjectStorage: input.sync_object_storage,
    selectiveSyncType: input.selective_sync_type === '' ? null : (input.selective_sync_type as 'shards' | undefined),
    selectiveSyncShards: input.selective_sync_shards && [...new Set(input.selective_sync_shards)],
    selectiveSyncNamespaceIds: input.selective_sync_namespace_ids && [...new Set(input.selective_sync_namespace_ids)],
  });

const unlessGiven = {
  internalUrl: null,
  selectiveSyncType: null,
  selectiveSyncShards: [],
  selectiveSyncNamespaceIds: [],
};

/** The contract has defaults for all other fields. */
const newNodeOf = (input: ParsedOf<typeof createGeoNode>) => ({ ...unlessGiven, ...changesOf(input) }) as NewGeoNode;
