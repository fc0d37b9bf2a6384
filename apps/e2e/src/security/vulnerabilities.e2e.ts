import { ask, clientFor, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { containerReport, sarifReport } from './reports';

/* Vulnerabilities by raw calls, and by @gitbeaker/rest. */

const api = (token: string, path: string, init: RequestInit = {}) => ask(`/api/v4${path}`, { ...init, token });

function upload(token: string, projectId: number, report: unknown): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([JSON.stringify(report)], { type: 'application/json' }), 'gl-report.json');
  return api(token, `/projects/${projectId}/security_reports`, { method: 'POST', body: form });
}

describe('vulnerabilities', () => {
  it('are created from reports, and changed by developers', async () => {
    const { id } = await root.Projects.create({ name: uniqueName('scanned'), visibility: 'public' });
    const [developer, stranger] = [await newUser('developer'), await newUser('stranger')];
    await root.ProjectMembers.add(id, 30, { userId: developer.id });
    const { token } = developer;
    for (const report of [containerReport, sarifReport]) {
      const answer = await upload(token, id, report);
      expect([answer.status, await answer.json()]).toMatchObject([202, { project_id: id }]);
    }
    const client = clientFor(token);
    const found = await until('the vulnerabilities', async () => {
      const all = await client.ProjectVulnerabilities.all(id);
      return all.length === 3 ? all : undefined;
    });
    expect(found.map(({ title, state }) => [title, state])).toContainEqual(['CVE-2017-16997 in glibc', 'detected']);
    const one = found[0]!;
    const move = (verb: string, by = token) => api(by, `/vulnerabilities/${one.id}/${verb}`, { method: 'POST' });
    expect((await move('confirm', stranger.token)).status).toBe(403);
    const confirmed = await move('confirm');
    expect([confirmed.status, await confirmed.json()]).toMatchObject([
      201,
      { state: 'confirmed', confirmed_by_id: developer.id },
    ]);
    expect((await move('confirm')).status).toBe(304);
    expect((await move('dismiss')).status).toBe(201);
    expect((await upload(stranger.token, id, sarifReport)).status).toBe(403);
    const refused = await upload(token, id, { hello: 'world' });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { message: '400 Bad request - The report cannot be read: it is of no known format' },
    ]);
  });

  it('of the projects on the dashboard are together', async () => {
    const { token } = await newUser('watcher');
    const client = clientFor(token);
    const { id } = await client.Projects.create({ name: uniqueName('scanned') });
    await upload(token, id, containerReport);
    const body = new URLSearchParams({ project_id: String(id) });
    expect((await api(token, '/security/projects', { method: 'POST', body })).status).toBe(201);
    expect(await (await api(token, '/security/projects')).json()).toMatchObject([{ id }]);
    await until('the vulnerability', async () => {
      const listed = (await (await api(token, '/vulnerabilities?severity=critical')).json()) as unknown[];
      return listed.length === 1 || undefined;
    });
    expect((await api(token, `/security/projects/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await (await api(token, '/vulnerabilities')).json()).toEqual([]);
  });
});
