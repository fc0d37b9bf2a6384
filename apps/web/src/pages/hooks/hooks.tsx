import { createProjectHook, listProjectHooks, type ProjectHook } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import { filled } from '../../forms/filled';
import type { Address, ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { Form } from '../../parts/form';
import { inSettings } from '../../parts/in-settings';
import { Paging, pageOf, perPage } from '../../parts/paging';
import type { Visit } from '../../visit/visits';
import { eventFields, HookFields, newHookValues, sentHook, sentToken } from './hook-fields';
import { HookHealth } from './hook-health';

/** The webhooks of a project. */
export const hooksPage: ProjectPage = {
  at: '/hooks',
  async show(visit, project, address) {
    const asked = { id: String(project.id), page: pageOf(address), per_page: perPage };
    const { items } = await visit.ask(listProjectHooks, asked);
    return inSettings(visit, project, {
      title: 'Webhooks',
      body: (
        <>
          <p>A webhook sends events of this project to another server.</p>
          {items.length === 0 && <p class="dim">There are no webhooks.</p>}
          <ul class="list">
            {items.map((hook) => (
              <li key={hook.id}>
                <HookItem hook={hook} path={below(project, `hooks/${hook.id}/edit`)} />
              </li>
            ))}
          </ul>
          <Paging address={address} shown={items.length} />
          <NewHook visit={visit} address={address} />
        </>
      ),
    });
  },
  forms: {
    'new-hook': async (visit, project, _address, sent) => {
      const given = { url: sent.text('url'), ...filled(sentHook(sent)), ...sentToken(sent) };
      await visit.submit(createProjectHook, { id: String(project.id), ...given });
      return below(project, 'hooks');
    },
  },
};

const HookItem = ({ hook, path }: { hook: ProjectHook; path: string }) => {
  const switches = new Map<string, unknown>(Object.entries(hook));
  const events = eventFields.filter(({ name }) => switches.get(name) === true);
  return (
    <>
      <p>
        <a href={path}>
          <Named>{hook.name || hook.url}</Named>
        </a>
        <HookHealth hook={hook} />
      </p>
      {hook.name && (
        <p>
          <Named>{hook.url}</Named>
        </p>
      )}
      <p class="dim">{events.length === 0 ? 'No events' : events.map(({ label }) => label).join(', ')}</p>
    </>
  );
};

const NewHook = ({ visit, address }: { visit: Visit; address: Address }) => (
  <>
    <h2>New webhook</h2>
    <Form visit={visit} address={address} name="new-hook">
      <HookFields values={newHookValues} tokenHint="The receiver gets it in the header X-Gitlab-Token." />
      <button type="submit">Add webhook</button>
    </Form>
  </>
);
