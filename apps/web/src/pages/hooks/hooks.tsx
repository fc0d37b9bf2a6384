import type { GroupRef, ProjectRef } from '@moothall/contracts';
import { filled } from '../../forms/filled';
import type { ParentPage } from '../../page/page';
import { sentValues } from '../../parts/field-list';
import { Form } from '../../parts/form';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { HookFields, hookFields, newHookValues } from './hook-fields';
import { HookItem } from './hook-item';
import { type HooksOf, ofGroup, ofProject } from './hook-operations';
import { sentSecrets } from './hook-secrets';

/** The webhooks of a project or a group. */
const hooksPageOf = <T extends { id: number }>({
  kind,
  operations,
  events,
  pathIn,
  within,
}: HooksOf<T>): ParentPage<T> => ({
  at: '/hooks',
  async show(visit, parent, address) {
    const asked = { id: String(parent.id), page: pageOf(address), per_page: perPage };
    const { items } = await visit.ask(operations.list, asked);
    return within(visit, parent, {
      title: 'Webhooks',
      body: (
        <>
          <p>
            A webhook sends events of this {kind}
            {kind === 'group' && ' and of all projects in it'} to another server.
          </p>
          {items.length === 0 && <p class="dim">There are no webhooks.</p>}
          <ul class="list">
            {items.map((hook) => (
              <li key={hook.id}>
                <HookItem hook={hook} events={events} none="No events" path={pathIn(parent, `hooks/${hook.id}/edit`)} />
              </li>
            ))}
          </ul>
          <Paging address={address} shown={items.length} />
          <h2>New webhook</h2>
          <Form visit={visit} address={address} name="new-hook">
            <HookFields events={events} values={newHookValues} />
            <button type="submit">Add webhook</button>
          </Form>
        </>
      ),
    });
  },
  forms: {
    'new-hook': async (visit, parent, _address, sent) => {
      const values = filled(sentValues(hookFields(events), sent));
      const given = { url: sent.text('url'), ...values, ...sentSecrets(sent) };
      await visit.submit(operations.create, { id: String(parent.id), ...given });
      return pathIn(parent, 'hooks');
    },
  },
});

export const hooksPage = hooksPageOf<ProjectRef>(ofProject);
export const groupHooksPage = hooksPageOf<GroupRef>(ofGroup);
