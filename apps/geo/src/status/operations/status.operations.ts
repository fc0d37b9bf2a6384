import {
  authenticateNode,
  type Caller,
  type ContextOf,
  commonErrors,
  forbidden,
  type GeoCounter,
  type GeoNodeStatus,
  geoCounters,
  geoErrors,
  getGeoStatus,
  listGeoStatuses,
  nodesWithApplication,
  type ParsedOf,
  reportGeoStatus,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { GeoNodes } from '../../node/node.repository';
import type { GeoNodeDocument, NodeReport } from '../../node/node.schema';
import { GeoNodeViews } from '../../node/node.view';
import { PrimarySite } from '../../replication/primary-site';
import type { GeoSettings } from '../../settings/settings';
import { OwnStatus } from '../own-status';
import { SecondaryStatus } from '../secondary-status';
import { viewStatus } from '../status.view';

/** Status of replication nodes. See docs/api/geo.md#3. */
@Controller()
export class StatusOperations {
  private readonly isPrimary: boolean;

  constructor(
    private readonly nodes: GeoNodes,
    private readonly views: GeoNodeViews,
    private readonly own: OwnStatus,
    private readonly secondary: SecondaryStatus,
    private readonly primary: PrimarySite,
    private readonly client: OperationClient,
    @Inject(settingsToken) { GEO_ROLE }: GeoSettings,
  ) {
    this.isPrimary = GEO_ROLE === 'primary';
  }

  @Handles(listGeoStatuses)
  async list({ caller }: ContextOf<typeof listGeoStatuses>, input: ParsedOf<typeof listGeoStatuses>) {
    const page = await this.nodes.pageOfKnown(input);
    return { ...page, items: await this.show(page.items, caller) };
  }

  @Handles(getGeoStatus)
  async get({ caller }: ContextOf<typeof getGeoStatus>, { id }: ParsedOf<typeof getGeoStatus>): Promise<GeoNodeStatus> {
    const [status] = await this.show([await this.nodes.get(id)], caller);
    if (!status) throw geoErrors.statusNotFound();
    return status;
  }

  @Handles(reportGeoStatus)
  async report(_: ContextOf<typeof reportGeoStatus>, input: ParsedOf<typeof reportGeoStatus>): Promise<GeoNodeStatus> {
    if (!this.isPrimary) throw forbidden();
    const { application_id, secret, health = '', version = null, revision = null } = input;
    const { node_id } = await this.client.call(authenticateNode, { application_id, secret });
    if (node_id === null) throw commonErrors.unauthorized();
    const report: NodeReport = { toldAt: new Date(), health, version, revision, counters: knownOf(input) };
    const node = await this.nodes.report(node_id, report);
    if (!node) throw commonErrors.unauthorized();
    return viewStatus({ node, address: this.views.address(node), lacksApplication: false }, report);
  }

  /** Nodes without a known status are left out. */
  private async show(nodes: GeoNodeDocument[], caller: Caller): Promise<GeoNodeStatus[]> {
    const lacking = await this.withoutApplication(nodes);
    const shown = nodes.map(async (node) => {
      const report = this.nodes.isCurrent(node) ? await this.ofThisSite(node, caller) : node.status;
      const facts = { node, address: this.views.address(node), lacksApplication: lacking.has(node._id) };
      return report ? [viewStatus(facts, report)] : [];
    });
    return (await Promise.all(shown)).flat();
  }

  /** A secondary without a primary shows its last reported status. */
  private ofThisSite(
    { isPrimary, status }: GeoNodeDocument,
    caller: Caller,
  ): Promise<NodeReport> | NodeReport | undefined {
    if (isPrimary) return this.own.read(caller);
    return this.primary.isKnown ? this.secondary.read(caller) : status;
  }

  /** Applications are stored by the primary. */
  private async withoutApplication(nodes: GeoNodeDocument[]): Promise<ReadonlySet<number>> {
    const secondaries = nodes.filter(({ isPrimary }) => !isPrimary).map(({ _id }) => _id);
    if (!this.isPrimary || secondaries.length === 0) return new Set();
    const known = new Set(await this.client.call(nodesWithApplication, { node_ids: secondaries }));
    return new Set(secondaries.filter((id) => !known.has(id)));
  }
}

const knownOf = (input: { [name in GeoCounter]?: number | null | undefined }): Partial<Record<GeoCounter, number>> =>
  Object.fromEntries(geoCounters.flatMap((name) => (typeof input[name] === 'number' ? [[name, input[name]]] : [])));
