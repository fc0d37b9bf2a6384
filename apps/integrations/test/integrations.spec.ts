import {
  deleteIntegration,
  findClosedExternalIssues,
  getIntegration,
  integrationErrors,
  integrationKinds,
  listIntegrations,
  type OutputOf,
  projectDeleted,
  setIntegration,
} from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { IntegrationDocument } from '../src/integrations/integration.schema';
import { type IntegrationsBed, startIntegrationsService } from './integrations-under-test';

let started: Awaited<ReturnType<typeof startIntegrationsService>>;
let bed: IntegrationsBed;
beforeAll(async () => {
  started = await startIntegrationsService();
  bed = started.bed;
});
afterAll(() => started?.stop());

function newProject() {
  const project = bed.project();
  const context = bed.as(project);
  const at = { id: String(project.id) };
  return {
    project,
    set: (slug: string, given: object = {}) => bed.call(setIntegration, { ...at, slug, ...given }, context),
    get: (slug: string) => bed.call(getIntegration, { ...at, slug }, context),
    remove: (slug: string) => bed.call(deleteIntegration, { ...at, slug }, context),
    list: () => bed.call(listIntegrations, at, context),
    closed: (...texts: string[]) => bed.call(findClosedExternalIssues, { texts }, context),
  };
}

const webhook = 'https://8.8.8.8/hook';
const records = () =>
  started.under.running.app.get<Model<IntegrationDocument>>(getModelToken('Integration'), { strict: false });

it('shows one that was never set as it would begin', async () => {
  const { get, list } = newProject();
  expect(await get('slack')).toMatchObject({
    id: null,
    title: 'Slack notifications',
    slug: 'slack',
    created_at: null,
    active: false,
    push_events: true,
    properties: { username: null, branches_to_be_notified: 'all' },
  });
  expect(await list()).toEqual([]);
});

it('stores the given values and returns no secret', async () => {
  const { set, get, list } = newProject();
  const made = await set('slack', { webhook, username: 'hall', push_events: false, priority: '5' });
  expect(made).toMatchObject({ active: true, push_events: false, issues_events: true });
  expect(made.properties).toMatchObject({ username: 'hall', channel: null });
  expect(Object.keys(made.properties)).not.toContain('webhook');
  expect(await get('slack')).toEqual(made);
  const { properties: _, ...entry } = made;
  expect(await list()).toEqual([entry]);
  const stored = JSON.stringify(await records().findById(made.id).lean());
  expect(stored).not.toContain('8.8.8.8');
});

it('changes only the given values; a blank deletes one', async () => {
  const { set } = newProject();
  const { id } = await set('mattermost', { webhook, username: 'hall', channel: 'town', push_events: false });
  const changed = await set('mattermost', { webhook, channel: '', tag_push_events: false });
  expect(changed).toMatchObject({ id, push_events: false, tag_push_events: false });
  expect(changed.properties).toMatchObject({ username: 'hall', channel: null });
});

it('is found by both spellings of a slug', async () => {
  const { set, get } = newProject();
  await set('hangouts_chat', { webhook });
  expect((await get('hangouts-chat')).active).toBe(true);
});

it('can be disabled, and is not found after it is deleted', async () => {
  const { set, get, list, remove } = newProject();
  const jira = { url: 'https://8.8.8.8', username: 'u', password: 'p' };
  expect((await set('jira', { ...jira, active: false })).active).toBe(false);
  expect(await list()).toEqual([]);
  await set('jira', jira);
  expect(await list()).toHaveLength(1);
  await remove('jira');
  await remove('jira');
  expect(await get('jira')).toMatchObject({ id: null, active: false, properties: { url: null } });
});

it('drops the secrets of a server when its address changes', async () => {
  const { set } = newProject();
  const one = { project_name: 'engine' };
  const { id } = await set('jenkins', { ...one, jenkins_url: 'https://8.8.8.8', username: 'u', password: 'p' });
  const sealed = async () => Object.keys((await records().findById(id).lean<IntegrationDocument>())!.sealed);
  await set('jenkins', { ...one, jenkins_url: 'https://8.8.8.8' });
  expect(await sealed()).toEqual(['password']);
  await set('jenkins', { ...one, jenkins_url: 'https://8.8.4.4' });
  expect(await sealed()).toEqual([]);
});

it('stores both of two concurrent changes', async () => {
  const { set, get } = newProject();
  await Promise.all([set('slack', { webhook, username: 'a' }), set('slack', { webhook, push_events: false })]);
  expect(await get('slack')).toMatchObject({ push_events: false, properties: { username: 'a' } });
});

it('has every kind', async () => {
  const { set, list } = newProject();
  for (const { slug, fields } of integrationKinds) {
    const given = Object.entries(fields).map(([name, { form }]) => [
      name,
      { text: '2', link: webhook, address: webhook, flag: true, number: 5 }[form],
    ]);
    await set(slug, { ...Object.fromEntries(given), branches_to_be_notified: undefined });
  }
  const listed: OutputOf<typeof listIntegrations> = await list();
  expect(listed.map(({ slug }) => slug)).toEqual(integrationKinds.map(({ slug }) => slug));
});

it('is of no other kind', async () => {
  const { set, get, remove } = newProject();
  for (const ask of [set, get, remove]) await expect(ask('nothing')).rejects.toThrow(integrationErrors.notFound());
});

it('names the wrong setting', async () => {
  const { set } = newProject();
  const refused = (reason: string) => integrationErrors.settingRefused(`400 Bad request - ${reason}`);
  await expect(set('slack', { webhook: 'ftp://x' })).rejects.toThrow(refused('webhook must be a valid URL'));
  await expect(set('external-wiki', { external_wiki_url: 'javascript:alert(1)' })).rejects.toThrow(
    refused('external_wiki_url must be a valid URL'),
  );
});

it('refuses addresses in the local network, but not in links', async () => {
  const { set } = newProject();
  for (const address of [
    'http://127.0.0.1/x',
    'http://[::1]:80/',
    'http://169.254.169.254/latest',
    'http://2130706433/',
  ])
    await expect(set('discord', { webhook: address })).rejects.toMatchObject({ code: 'integration.setting_refused' });
  await set('external-wiki', { external_wiki_url: 'http://10.0.0.5/wiki' });
  await bed.set({ allow_local_requests_from_web_hooks_and_services: true });
  try {
    await set('discord', { webhook: 'http://127.0.0.1/x' });
  } finally {
    await bed.set({ allow_local_requests_from_web_hooks_and_services: false });
  }
});

it('names the issues of its tracker that texts close', async () => {
  const { set, closed, project } = newProject();
  expect(await closed('Closes AB-1')).toEqual([]);
  const tracker = { project_url: webhook, new_issue_url: webhook, issues_url: 'https://track.example.com/i/:id' };
  await set('custom-issue-tracker', tracker);
  expect(await closed('Closes AB-1, see AB-2', 'Fixes #7')).toEqual([
    { id: 'AB-1', title: 'External Issue AB-1', web_url: 'https://track.example.com/i/1' },
  ]);
  await bed.emit(projectDeleted, { project_id: project.id, full_path: project.fullPath, storage: 'default' });
  await eventually(async () => (await closed('Closes AB-1')).length === 0, 'the end of the project');
});
