import {
  deleteSystemHook,
  getSystemHook,
  listSystemHookEvents,
  resendSystemHookEvent,
  type SystemHook,
  testSystemHook,
  updateSystemHook,
} from '@moothall/contracts';
import { Named, withoutTurns } from '@moothall/pages';
import type { Address, SitePage } from '../../page/page';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { changesIn, valuesOf } from '../../parts/field-list';
import { Action, Form, Was } from '../../parts/form';
import { inAdmin } from '../../parts/in-admin';
import { numberIn } from '../../parts/number-in';
import { pageOf, perPage } from '../../parts/paging';
import { Saved, savedAt } from '../../parts/saved';
import { shortened } from '../../parts/shortened';
import type { Visit } from '../../visit/visits';
import { Delivered, deliveredAt } from './accepted';
import { Deliveries } from './deliveries';
import { ChangedUrl } from './hook-fields';
import { HookHealth } from './hook-health';
import { sentSecrets } from './hook-secrets';
import { systemDeliveryPath, systemHookPath, systemHooksPath } from './system-hook-address';
import { SystemHookFields, systemHookFields } from './system-hook-fields';

/** A system hook with its forms and its deliveries. */
export const editSystemHookPage: SitePage = {
  at: '/admin/hooks/:hook_id/edit',
  show: (visit, address) =>
    inAdmin(visit, address, async () => {
      const id = numberIn(address, 'hook_id');
      const [hook, { items }] = await Promise.all([
        visit.ask(getSystemHook, { id }),
        visit.ask(listSystemHookEvents, { id, page: pageOf(address), per_page: perPage }),
      ]);
      const name = shortened(hook.name || hook.url);
      return {
        title: `System hook ${withoutTurns(name)}`,
        heading: (
          <>
            System hook <Named>{name}</Named>
          </>
        ),
        body: (
          <>
            <Saved address={address} />
            <Delivered address={address} />
            {hook.alert_status !== 'executable' && (
              <p>
                The receiver fails. If you save this hook, it is enabled again.
                <HookHealth hook={hook} />
              </p>
            )}
            <EditHook visit={visit} address={address} hook={hook} />
            <h2>Test</h2>
            <p>The receiver gets the example of a new project now.</p>
            <Action visit={visit} address={address} name="test" word="Send test" />
            <Deliveries {...{ visit, address }} pathOf={(event) => systemDeliveryPath(id, event.id)} events={items} />
            <h2>Delete this system hook</h2>
            <ConfirmedAction
              visit={visit}
              address={address}
              name="delete"
              word="Delete system hook"
              consequence="The hook and the list of its deliveries are deleted."
            />
          </>
        ),
      };
    }),
  forms: {
    hook: async (visit, address, sent) => {
      const id = numberIn(address, 'hook_id');
      const changes = changesIn(systemHookFields, sent, await visit.ask(getSystemHook, { id }));
      await visit.submitChanges(updateSystemHook, { id }, { ...changes, ...sentSecrets(sent) });
      return savedAt(systemHookPath(id));
    },
    test: async (visit, address) => {
      const id = numberIn(address, 'hook_id');
      await visit.ask(testSystemHook, { id });
      return deliveredAt(systemHookPath(id));
    },
    resend: async (visit, address, sent) => {
      const id = numberIn(address, 'hook_id');
      await visit.submit(resendSystemHookEvent, { id, hook_event_id: sent.text('of') });
      return deliveredAt(systemHookPath(id));
    },
    delete: async (visit, address) => {
      await visit.ask(deleteSystemHook, { id: numberIn(address, 'hook_id') });
      return systemHooksPath;
    },
  },
};

const EditHook = ({ visit, address, hook }: { visit: Visit; address: Address; hook: SystemHook }) => {
  const values = valuesOf(systemHookFields, hook);
  return (
    <Form visit={visit} address={address} name="hook">
      <Was values={values} />
      <ChangedUrl url={hook.url} />
      <SystemHookFields values={values} hook={hook} />
      <button type="submit">Save</button>
    </Form>
  );
};
