import type { GroupHook, GroupRef, ProjectHook, ProjectRef } from '@moothall/contracts';
import { Named, withoutTurns } from '@moothall/pages';
import type { Address, ParentPage } from '../../page/page';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { changesIn, type FieldFacts, valuesOf } from '../../parts/field-list';
import { Choice, Form, Was } from '../../parts/form';
import { pageOf, perPage } from '../../parts/paging';
import { Saved, savedAt } from '../../parts/saved';
import { shortened } from '../../parts/shortened';
import type { Visit } from '../../visit/visits';
import { Accepted, acceptedAt } from './accepted';
import { Deliveries } from './deliveries';
import { deliveryPath, hookAt, hookPath } from './hook-address';
import { ChangedUrl, HookFields, hookFields } from './hook-fields';
import { HookHealth } from './hook-health';
import { type HooksOf, ofGroup, ofProject } from './hook-operations';
import { sentSecrets } from './hook-secrets';

/** A webhook with its forms and its deliveries. */
const editHookPageOf = <T extends { id: number }>(of: HooksOf<T>): ParentPage<T> => ({
  at: '/hooks/:hook_id/edit',
  async show(visit, parent, address) {
    const asked = hookAt(parent, address);
    const [hook, { items }] = await Promise.all([
      visit.ask(of.operations.get, asked),
      visit.ask(of.operations.listEvents, { ...asked, page: pageOf(address), per_page: perPage }),
    ]);
    const name = hook.name || hook.url;
    return of.within(visit, parent, {
      title: `Webhook ${withoutTurns(shortened(name))}`,
      heading: (
        <>
          Webhook <Named>{shortened(name)}</Named>
        </>
      ),
      body: (
        <>
          <Saved address={address} />
          <Accepted address={address} />
          {hook.alert_status !== 'executable' && (
            <p>
              The receiver fails. If you save this webhook, or a test succeeds, the webhook is enabled again.
              <HookHealth hook={hook} />
            </p>
          )}
          <EditHook visit={visit} address={address} events={of.events} hook={hook} />
          <TestHook visit={visit} address={address} events={of.events} />
          <Deliveries
            visit={visit}
            address={address}
            pathOf={({ id }) => deliveryPath(of, parent, hook.id, id)}
            events={items}
          />
          <h2>Delete this webhook</h2>
          <ConfirmedAction
            visit={visit}
            address={address}
            name="delete"
            word="Delete webhook"
            consequence="The webhook and the list of its deliveries are deleted."
          />
        </>
      ),
    });
  },
  forms: {
    hook: async (visit, parent, address, sent) => {
      const asked = hookAt(parent, address);
      const changes = changesIn(hookFields(of.events), sent, await visit.ask(of.operations.get, asked));
      await visit.submitChanges(of.operations.update, asked, { ...changes, ...sentSecrets(sent) });
      return savedAt(hookPath(of, parent, address));
    },
    test: async (visit, parent, address, sent) => {
      await visit.submit(of.operations.test, { ...hookAt(parent, address), trigger: sent.text('trigger') });
      return acceptedAt(hookPath(of, parent, address));
    },
    resend: async (visit, parent, address, sent) => {
      await visit.submit(of.operations.resend, { ...hookAt(parent, address), hook_event_id: sent.text('of') });
      return acceptedAt(hookPath(of, parent, address));
    },
    delete: async (visit, parent, address) => {
      await visit.ask(of.operations.remove, hookAt(parent, address));
      return of.pathIn(parent, 'hooks');
    },
  },
});

export const editHookPage = editHookPageOf<ProjectRef>(ofProject);
export const editGroupHookPage = editHookPageOf<GroupRef>(ofGroup);

interface FormProps {
  visit: Visit;
  address: Address;
  events: readonly FieldFacts[];
}

const EditHook = ({ visit, address, events, hook }: FormProps & { hook: ProjectHook | GroupHook }) => {
  const values = valuesOf(hookFields(events), hook);
  return (
    <Form visit={visit} address={address} name="hook">
      <Was values={values} />
      <ChangedUrl url={hook.url} />
      <HookFields events={events} values={values} hook={hook} />
      <button type="submit">Save</button>
    </Form>
  );
};

const TestHook = ({ visit, address, events }: FormProps) => (
  <>
    <h2>Test</h2>
    <Form visit={visit} address={address} name="test">
      <Choice
        name="trigger"
        label="Event"
        hint="The receiver gets an example of this event now."
        options={events.map(({ name, label }) => ({ value: name, label }))}
      />
      <button type="submit">Send test</button>
    </Form>
  </>
);
