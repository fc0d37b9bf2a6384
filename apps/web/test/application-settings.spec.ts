import {
  type ApplicationSettings,
  defaultApplicationSettings,
  getApplicationSettings,
  identifyBrowser,
  readAppearance,
  readApplicationSettings,
  showPage,
  takeForm,
  updateApplicationSettings,
} from '@moothall/contracts';
import { callerNamed, type ServiceUnderTest, startServiceUnderTest } from '@moothall/testing';
import { service } from '../src';

/* Forms of the settings of the instance. A server for all tests cannot bear that they are changed. */

const general = '/admin/application_settings/general';
const network = '/admin/application_settings/network';
const root = callerNamed('root', { credential: 'session', isAdmin: true });
const context = { requestId: 'test', client: { ip: '192.0.2.1', userAgent: 'test', cookie: 'root-cookie' } };

let web: ServiceUnderTest;
let current: ApplicationSettings;
let changes: object[];

beforeAll(async () => {
  web = await startServiceUnderTest(service);
  web.respond(readAppearance, () => ({ header_message: '', footer_message: '' }) as never);
  for (const read of [readApplicationSettings, getApplicationSettings]) web.respond(read, () => current);
  web.respond(updateApplicationSettings, (given) => {
    changes.push(given);
    return current;
  });
  web.respond(identifyBrowser, () => ({
    ...{ headers: {}, csrf: 'own', is_own_form: true, is_password_due: false, caller: root },
  }));
});
beforeEach(() => {
  current = { ...defaultApplicationSettings, import_sources: ['git', 'other'] };
  changes = [];
});
afterAll(() => web?.stop());

let tokens = 0;
/** Opens a form, changes some of its fields and sends it. A box that is unchecked is ''. */
async function change(path: string, given: Record<string, string>, meanwhile: Partial<ApplicationSettings> = {}) {
  const { body } = await web.client.send(showPage, { path }, context);
  const text = new TextDecoder().decode(body);
  const shown = [
    ...[
      ...text.matchAll(/<input (?!type="checkbox")[^>]*name="(\w+)"[^>]* value(?:="([^"]*)")?(?: required)?\/>/g),
    ].map(([, name, value]) => [name!, (value ?? '').replaceAll('&quot;', '"')]),
    ...[...text.matchAll(/<select [^>]*name="(\w+)".*?<option value="([^"]*)" selected/g)].map(([, name, value]) => [
      ...[name!, value!],
    ]),
    ...[...text.matchAll(/type="checkbox" name="(\w+)" value="1" checked/g)].map(([, name]) => [name!, '1']),
  ];
  const all = { ...Object.fromEntries(shown), csrf: 'own', token: String(tokens++), ...given };
  const fields = Object.fromEntries(Object.entries(all).filter(([name]) => given[name] !== 'off'));
  current = { ...current, ...meanwhile };
  const { meta } = await web.client.send(takeForm, { path, fields }, context);
  return meta.status;
}

it.each([general, network])('%s sends nothing if nothing was changed', async (path) => {
  expect(await change(path, {})).toBe(303);
  expect(changes).toEqual([]);
});

it('numbers, boxes, choices and lists are read like those of a request', async () => {
  await change(general, {
    ...{ default_projects_limit: '7', default_project_visibility: 'internal', user_default_external: '1' },
    ...{ impersonation_tokens_enabled: 'off', restricted_visibility_levels: 'public, internal' },
  });
  expect(changes).toEqual([
    {
      ...{ default_projects_limit: 7, default_project_visibility: 'internal', user_default_external: true },
      ...{ impersonation_tokens_enabled: false, restricted_visibility_levels: ['public', 'internal'] },
    },
  ]);
});

it('a list becomes empty, and limits of requests are enabled', async () => {
  await change(network, {
    ...{ import_sources: '', throttle_authenticated_api_enabled: '1' },
    ...{ throttle_authenticated_api_requests_per_period: '5' },
  });
  expect(changes).toEqual([
    {
      ...{ import_sources: [], throttle_authenticated_api_enabled: true },
      throttle_authenticated_api_requests_per_period: 5,
    },
  ]);
});

it('what somebody else changes meanwhile stays, or the form is refused', async () => {
  expect(await change(general, { default_projects_limit: '7' }, { default_branch_name: 'trunk' })).toBe(303);
  expect(changes).toEqual([{ default_projects_limit: 7 }]);
  expect(await change(general, { default_projects_limit: '8' }, { default_projects_limit: 9 })).toBe(422);
  expect(changes).toHaveLength(1);
});
