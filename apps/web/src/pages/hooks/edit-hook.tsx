import {
  deleteProjectHook,
  getProjectHook,
  listProjectHookEvents,
  type ProjectHook,
  resendProjectHookEvent,
  testProjectHook,
  updateProjectHook,
} from '@moothall/contracts';
import { Named, withoutTurns } from '@moothall/pages';
import type { Address, ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { changesIn, valuesOf } from '../../parts/field-list';
import { Choice, Form, Was } from '../../parts/form';
import { inSettings } from '../../parts/in-settings';
import { pageOf, perPage } from '../../parts/paging';
import { Saved, savedAt } from '../../parts/saved';
import { shortened } from '../../parts/shortened';
import type { Visit } from '../../visit/visits';
import { Accepted, acceptedAt } from './accepted';
import { Deliveries } from './deliveries';
import { hookAt, hookPath } from './hook-address';
import { eventFields, HookFields, hookFields, sentToken } from './hook-fields';
import { HookHealth } from './hook-health';

/** A webhook with its forms and its deliveries. */
export const editHookPage: ProjectPage = {
  at: '/hooks/:hook_id/edit',
  async show(visit, project, address) {
    const asked = hookAt(project, address);
    const [hook, { items }] = await Promise.all([
      visit.ask(getProjectHook, asked),
      visit.ask(listProjectHookEvents, { ...asked, page: pageOf(address), per_page: perPage }),
    ]);
    const name = hook.name || hook.url;
    return inSettings(visit, project, {
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
          <Facts hook={hook} />
          <EditHook visit={visit} address={address} hook={hook} />
          <TestHook visit={visit} address={address} />
          <Deliveries visit={visit} address={address} project={project} hookId={hook.id} events={items} />
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
    hook: async (visit, project, address, sent) => {
      const asked = hookAt(project, address);
      const changes = changesIn(hookFields, sent, await visit.ask(getProjectHook, asked));
      await visit.submitChanges(updateProjectHook, asked, { ...changes, ...sentToken(sent) });
      return savedAt(hookPath(project, address));
    },
    test: async (visit, project, address, sent) => {
      await visit.submit(testProjectHook, { ...hookAt(project, address), trigger: sent.text('trigger') });
      return acceptedAt(hookPath(project, address));
    },
    resend: async (visit, project, address, sent) => {
      await visit.submit(resendProjectHookEvent, { ...hookAt(project, address), hook_event_id: sent.text('of') });
      return acceptedAt(hookPath(project, address));
    },
    delete: async (visit, project, address) => {
      await visit.ask(deleteProjectHook, hookAt(project, address));
      return below(project, 'hooks');
    },
  },
};

/** What a webhook has, and its form does not change. */
const Facts = ({ hook }: { hook: ProjectHook }) => (
  <>
    {hook.alert_status !== 'executable' && (
      <p>
        The receiver fails. If you save this webhook, or a test succeeds, the webhook is enabled again.
        <HookHealth hook={hook} />
      </p>
    )}
    <Keys label="Variables of the URL" keys={hook.url_variables} />
    <Keys label="Custom headers" keys={hook.custom_headers} />
  </>
);

const Keys = ({ label, keys }: { label: string; keys: ProjectHook['custom_headers'] }) =>
  keys.length === 0 ? null : (
    <p>
      {label}: <code>{keys.map(({ key }) => key).join(', ')}</code>
    </p>
  );

const EditHook = ({ visit, address, hook }: { visit: Visit; address: Address; hook: ProjectHook }) => {
  const values = valuesOf(hookFields, hook);
  return (
    <Form visit={visit} address={address} name="hook">
      <Was values={values} />
      <p class="hint">
        If you enter the URL of another server, this server removes the token, the variables and the custom headers.
        {hook.url.includes('*****@') && ' If you change the URL, replace ***** by the name and the password.'}
      </p>
      <HookFields values={values} tokenHint="Leave this field empty to keep the token as it is." />
      <button type="submit">Save</button>
    </Form>
  );
};

const TestHook = ({ visit, address }: { visit: Visit; address: Address }) => (
  <>
    <h2>Test</h2>
    <Form visit={visit} address={address} name="test">
      <Choice
        name="trigger"
        label="Event"
        hint="The receiver gets an example of this event now."
        options={eventFields.map(({ name, label }) => ({ value: name, label }))}
      />
      <button type="submit">Send test</button>
    </Form>
  </>
);
