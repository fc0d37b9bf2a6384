import { getGeoNode, updateGeoNode } from '@moothall/contracts';
import { Named, withoutTurns } from '@moothall/pages';
import type { SitePage } from '../../page/page';
import { changesIn, FieldList, valuesOf } from '../../parts/field-list';
import { Form, Was } from '../../parts/form';
import { inAdmin } from '../../parts/in-admin';
import { numberIn } from '../../parts/number-in';
import { Saved, savedAt } from '../../parts/saved';
import { shortened } from '../../parts/shortened';
import { editGeoNodePath, geoNodesPath } from './geo-node-address';
import { geoNodeFields as fields } from './geo-node-fields';

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
