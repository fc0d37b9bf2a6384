import { ask, newUser, root, uniqueName } from '../server/connection';
import { statusOf } from './status-of';

/* Error tracking of a project, by @gitbeaker/rest's ErrorTrackingSettings. */

let projectId: number;
let developer: Awaited<ReturnType<typeof newUser>>;

beforeAll(async () => {
  developer = await newUser('developer');
  projectId = (await root.Projects.create({ name: uniqueName('tracked') })).id;
  await root.ProjectMembers.add(projectId, 30, { userId: developer.id });
});

const put = (token: string, body: object) =>
  ask(`/api/v4/projects/${projectId}/error_tracking/settings`, {
    method: 'PUT',
    token,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

it('is not there before it is configured, and for maintainers only', async () => {
  expect(await statusOf(root.ErrorTrackingSettings.show(projectId))).toBe(404);
  expect(await statusOf(root.ErrorTrackingSettings.edit(projectId, true))).toBe(404);
  expect(await statusOf(developer.client.ErrorTrackingSettings.show(projectId))).toBe(403);
  expect(await statusOf(developer.client.ErrorTrackingSettings.edit(projectId, true))).toBe(403);
  expect((await put(developer.token, { active: true, integrated: true })).status).toBe(403);
  expect(await statusOf(root.ErrorTrackingSettings.create(projectId, true, false))).toBe(400);
});

it('is integrated if no tracker is named, and can be disabled', async () => {
  const { ErrorTrackingSettings } = root;
  const integrated = { active: true, integrated: true, api_url: null, project_name: null };
  expect(await ErrorTrackingSettings.create(projectId, true, true)).toMatchObject(integrated);
  expect(await ErrorTrackingSettings.show(projectId)).toMatchObject(integrated);
  expect(await ErrorTrackingSettings.edit(projectId, false)).toMatchObject({ ...integrated, active: false });
});

it('names a tracker under both names of its address, and never its token', async () => {
  const maintainer = await newUser('maintainer');
  await root.ProjectMembers.add(projectId, 40, { userId: maintainer.id });
  const tracker = {
    api_url: 'https://errors.example.com/api/0/projects/us/web/',
    project_name: 'Web',
    token: 'hidden',
  };
  expect((await put(maintainer.token, tracker)).status).toBe(200);
  const shown = await maintainer.client.ErrorTrackingSettings.show(projectId);
  expect(shown).toEqual({
    active: true,
    project_name: 'Web',
    api_url: tracker.api_url,
    sentry_external_url: 'https://errors.example.com/us/web/',
    tracker_external_url: 'https://errors.example.com/us/web/',
    integrated: false,
  });
  expect(await maintainer.client.ErrorTrackingSettings.edit(projectId, false)).toEqual({ ...shown, active: false });
});
