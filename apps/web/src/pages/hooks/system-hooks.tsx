import { createSystemHook, listSystemHooks } from '@moothall/contracts';
import { filled } from '../../forms/filled';
import type { SitePage } from '../../page/page';
import { sentValues } from '../../parts/field-list';
import { Form } from '../../parts/form';
import { inAdmin } from '../../parts/in-admin';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { HookItem } from './hook-item';
import { sentSecrets } from './hook-secrets';
import { systemHookPath, systemHooksPath } from './system-hook-address';
import { newSystemHook, SystemHookFields, systemEvents, systemHookFields } from './system-hook-fields';

/** The hooks of the instance. */
export const systemHooksPage: SitePage = {
  at: systemHooksPath,
  show: (visit, address) =>
    inAdmin(visit, address, async () => {
      const { items } = await visit.ask(listSystemHooks, { page: pageOf(address), per_page: perPage });
      return {
        title: 'System hooks',
        body: (
          <>
            <p>A system hook sends events of the whole instance to another server.</p>
            {items.length === 0 && <p class="dim">There are no system hooks.</p>}
            <ul class="list">
              {items.map((hook) => (
                <li key={hook.id}>
                  <HookItem hook={hook} events={systemEvents} path={systemHookPath(hook.id)} />
                </li>
              ))}
            </ul>
            <Paging address={address} shown={items.length} />
            <h2>New system hook</h2>
            <Form visit={visit} address={address} name="new-hook">
              <SystemHookFields values={newSystemHook} />
              <button type="submit">Add system hook</button>
            </Form>
          </>
        ),
      };
    }),
  forms: {
    'new-hook': async (visit, _address, sent) => {
      const given = { url: sent.text('url'), ...filled(sentValues(systemHookFields, sent)), ...sentSecrets(sent) };
      await visit.submit(createSystemHook, given);
      return systemHooksPath;
    },
  },
};
