import {
  createGeoNode,
  deleteGeoNode,
  type GeoNode,
  type GeoNodeStatus,
  listGeoNodes,
  listGeoStatuses,
  type OutputOf,
  repairGeoNode,
} from '@moothall/contracts';
import { Named, withoutTurns } from '@moothall/pages';
import type { Address, SitePage } from '../../page/page';
import { CollapsedForm } from '../../parts/collapsed-form';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { FieldList, sentValues, valuesOf } from '../../parts/field-list';
import { inAdmin } from '../../parts/in-admin';
import { IssuedSecret } from '../../parts/issued-secret';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { Saved, savedAt } from '../../parts/saved';
import { shortened } from '../../parts/shortened';
import { Moment } from '../../parts/time';
import { withPageOnly } from '../../parts/with-page-only';
import type { Visit } from '../../visit/visits';
import { GeoFailures, geoFailuresOf } from './geo-failures';
import { editGeoNodePath, geoNodesPath } from './geo-node-address';
import { geoNodeFields } from './geo-node-fields';

/** A form for a new node begins with the defaults of the API. */
const defaults = { ...createGeoNode.input.parse({ name: 'any', url: 'any' }), name: '', url: '' };

/** The replication nodes, each with its status, a form for a new one, and the failures of this site. */
export const geoNodesPage: SitePage = {
  at: geoNodesPath,
  show: (visit, address) =>
    inAdmin(visit, address, async () => {
      const [{ items }, statuses, failures] = await Promise.all([
        visit.ask(listGeoNodes, { page: pageOf(address), per_page: perPage }),
        visit.ask(listGeoStatuses, { per_page: 100 }),
        geoFailuresOf(visit),
      ]);
      return {
        title: 'Replication',
        body: (
          <>
            <Saved address={address} />
            <IssuedSecret name="Secret of the node" address={address} />
            {items.length === 0 && <p class="dim">There are no replication nodes.</p>}
            {items.map((node) => (
              <NodeRecord
                key={node.id}
                visit={visit}
                address={address}
                node={node}
                status={statuses.items.find(({ geo_node_id }) => geo_node_id === node.id)}
              />
            ))}
            <Paging address={withPageOnly(address)} shown={items.length} />
            <CollapsedForm visit={visit} address={address} name="new-node" word="Add a node">
              <FieldList fields={geoNodeFields} values={valuesOf(geoNodeFields, defaults)} />
              <button type="submit">Add node</button>
            </CollapsedForm>
            {failures && <GeoFailures failures={failures} />}
          </>
        ),
      };
    }),
  forms: {
    'new-node': async (visit, _address, sent) =>
      afterIssuing(await visit.submit(createGeoNode, sentValues(geoNodeFields, sent))),
    repair: async (visit, _address, sent) => afterIssuing(await visit.submit(repairGeoNode, { id: sent.text('of') })),
    delete: async (visit, _address, sent) => {
      await visit.submit(deleteGeoNode, { id: sent.text('of') });
      return geoNodesPath;
    },
  },
};

/** A primary gets no secret. */
const afterIssuing = ({ oauth_application: issued }: OutputOf<typeof repairGeoNode>) =>
  issued ? { secret: issued.secret, username: issued.application_id } : savedAt(geoNodesPath);

/** `web_geo_projects_url` of the API. A secondary site sends browsers here, to its primary, which knows the counts. */
export const geoProjectsPage: SitePage = {
  at: '/admin/geo/projects',
  show: (visit, address) => inAdmin(visit, address, async () => ({ movedTo: geoNodesPath })),
};

interface Props {
  visit: Visit;
  address: Address;
  node: GeoNode;
  status: GeoNodeStatus | undefined;
}

const NodeRecord = ({ visit, address, node, status }: Props) => {
  const { id, name, url, primary, enabled, current } = node;
  const form = { visit, address, of: String(id) };
  const named = withoutTurns(shortened(name));
  return (
    <section class="record">
      <h2>
        <Named>{name}</Named>
      </h2>
      <ul class="facts">
        <li>
          <Named>{url}</Named>
        </li>
        <li class="tag">{primary ? 'primary' : 'secondary'}</li>
        {current && <li class="tag">this site</li>}
        {!enabled && <li class="tag">disabled</li>}
      </ul>
      {status ? <Status status={status} isPrimary={primary} /> : <p class="dim">The node has not reported a status.</p>}
      <p>
        <a href={editGeoNodePath(id)}>
          Edit <Named>{shortened(name)}</Named>
        </a>
      </p>
      {!primary && (
        <ConfirmedAction
          {...form}
          name="repair"
          word={`Repair ${named}`}
          consequence="The node gets a new secret, and the old one stops working."
        />
      )}
      <ConfirmedAction
        {...form}
        name="delete"
        word={`Delete ${named}`}
        consequence="The node is no longer a replica of this server."
      />
    </section>
  );
};

/** Kinds of copies, with the beginning of the names of their counters. */
const kinds = [
  ['Repositories', 'repositories'],
  ['Wikis', 'wikis'],
  ['Attachments', 'attachments'],
  ['LFS objects', 'lfs_objects'],
  ['Artifacts', 'job_artifacts'],
  ['Container images', 'container_repositories'],
  ['Package files', 'package_files'],
] as const;

const Status = ({ status, isPrimary }: { status: GeoNodeStatus; isPrimary: boolean }) => (
  <>
    <p>
      <Named>{status.health}</Named>
    </p>
    <p class="dim">
      As of <Moment at={status.updated_at} />
      {status.version && `, version ${status.version}`}
    </p>
    {status.missing_oauth_application && <p>The node cannot sign in to its primary until it is repaired.</p>}
    {!isPrimary && (
      <ul>
        {kinds.map(([label, kind]) => (
          <li key={kind}>
            {label}: {status[`${kind}_synced_count`] ?? 0} of {status[`${kind}_count`] ?? 0} copied,{' '}
            {status[`${kind}_failed_count`] ?? 0} failed
          </li>
        ))}
      </ul>
    )}
  </>
);
