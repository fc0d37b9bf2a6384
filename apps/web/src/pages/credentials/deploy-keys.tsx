import { addProjectDeployKey, listProjectDeployKeys, removeProjectDeployKey } from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { FieldList, sentValues } from '../../parts/field-list';
import { Form } from '../../parts/form';
import { inSettings } from '../../parts/in-settings';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { Saved } from '../../parts/saved';
import { changeDeployKey, problemsAtFields } from './change-deploy-key';
import { newKeyFields } from './deploy-key-fields';
import { DeployKeyRecord } from './deploy-key-record';

/** The deploy keys of a project. */
export const deployKeysPage: ProjectPage = {
  at: ['/deploy_keys', '/settings/repository'],
  async show(visit, project, address) {
    const asked = { id: String(project.id), page: pageOf(address), per_page: perPage };
    const { items } = await visit.ask(listProjectDeployKeys, asked);
    return inSettings(visit, project, {
      title: 'Deploy keys',
      body: (
        <>
          <Saved address={address} />
          <p>Servers use a deploy key for git over SSH in this project, without a user.</p>
          {items.length === 0 && <p class="dim">There are no deploy keys.</p>}
          {items.map((key) => (
            <DeployKeyRecord key={key.id} visit={visit} address={address} record={key} />
          ))}
          <Paging address={address} shown={items.length} />
          <h2>Add a deploy key</h2>
          <Form visit={visit} address={address} name="new-key">
            <FieldList fields={newKeyFields} />
            <button type="submit">Add key</button>
          </Form>
        </>
      ),
    });
  },
  forms: {
    'new-key': async (visit, project, _address, sent) => {
      const values = sentValues(newKeyFields, sent);
      await visit.submit(addProjectDeployKey, { id: String(project.id), ...values }).catch(problemsAtFields);
      return below(project, 'deploy_keys');
    },
    'change-key': changeDeployKey,
    'remove-key': async (visit, project, _address, sent) => {
      await visit.submit(removeProjectDeployKey, { id: String(project.id), key_id: sent.text('of') });
      return below(project, 'deploy_keys');
    },
  },
};
