import { getGeoNode, updateGeoNode } from '@moothall/contracts';
import { Named, withoutTurns } from '@moothall/pages';
import type { SitePage } from '../../page/page';
import { changesIn, type FieldFacts, FieldList, valuesOf } from '../../parts/field-list';
import { Form, Was } from '../../parts/form';
import { inAdmin } from '../../parts/in-admin';
import { numberIn } from '../../parts/number-in';
import { Saved, savedAt } from '../../parts/saved';
import { shortened } from '../../parts/shortened';
import { editGeoNodePath, geoNodesPath } from './geo-node-address';

const syncTypes = [
  { value: '', label: 'Everything' },
  { value: 'namespaces', label: 'Projects of some groups' },
  { value: 'shards', label: 'Projects of some storages' },
];

const fields: readonly FieldFacts[] = [
  { name: 'name', label: 'Name', required: true },
  { name: 'url', label: 'URL', hint: 'Where users reach the node.', required: true },
  { name: 'internal_url', label: 'Internal URL', hint: 'Where other nodes reach it. The URL if this field is empty.' },
  { name: 'primary', label: 'Primary', hint: 'The other nodes copy it. There is one.', is: true },
  { name: 'enabled', label: 'Enabled', hint: 'A node that is not enabled does not copy.', is: true },
  { name: 'selective_sync_type', label: 'What the node copies', is: syncTypes },
  { name: 'selective_sync_namespace_ids', label: 'Ids of the copied groups', hint: 'Separated by commas.' },
  { name: 'selective_sync_shards', label: 'Names of the copied storages', hint: 'Separated by commas.' },
  { name: 'sync_object_storage', label: 'Also copy the files of object storage', is: true },
  { name: 'files_max_capacity', label: 'Files that are copied at a time', required: true },
  { name: 'repos_max_capacity', label: 'Repositories that are copied at a time', required: true },
  {
    name: 'container_repositories_max_capacity',
    label: 'Repositories of images that are copied at a time',
    required: true,
  },
  { name: 'verification_max_capacity', label: 'Copies that are verified at a time', required: true },
  { name: 'minimum_reverification_interval', label: 'Days until copies are verified again', required: true },
];

/** A form that changes a replication node: `web_edit_url` of the API. */
export const editGeoNodePage: SitePage = {
  at: `${geoNodesPath}/:node_id/edit`,
  show: (visit, address) =>
    inAdmin(visit, address, async () => {
      const node = await visit.ask(getGeoNode, { id: numberIn(address, 'node_id') });
      const [name, values] = [shortened(node.name), valuesOf(fields, node)];
      return {
        title: `Edit node ${withoutTurns(name)}`,
        heading: (
          <>
            Edit node <Named>{name}</Named>
          </>
        ),
        body: (
          <>
            <Saved address={address} />
            <Form visit={visit} address={address} name="node">
              <Was values={values} />
              <FieldList fields={fields} values={values} />
              <button type="submit">Save</button>
              <a href={geoNodesPath}>Cancel</a>
            </Form>
          </>
        ),
      };
    }),
  forms: {
    node: async (visit, address, sent) => {
      const id = numberIn(address, 'node_id');
      const changes = changesIn(fields, sent, await visit.ask(getGeoNode, { id }));
      await visit.submitChanges(updateGeoNode, { id }, changes);
      return savedAt(editGeoNodePath(id));
    },
  },
};
