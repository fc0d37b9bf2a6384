import { askJson } from '../server/connection';
import { inEachVisibility, type Matrix, prepareMatrix, roles } from './access-matrix';

/* The issues and merge requests of a group, on its pages. */

let matrix: Matrix;

beforeAll(async () => {
  matrix = await prepareMatrix('lists');
}, 60_000);

describe.each(['issues', 'merge_requests'])('the page of %s', (kind) => {
  inEachVisibility('has the same as the list of the API, for each role', async (visibility) => {
    const path = matrix.groups.get(visibility)!;
    for (const role of roles) {
      const token = matrix.people.get(role)?.token ?? '';
      const byApi = await askJson('GET', `/groups/${path}/${kind}?state=opened`, { token });
      const listed = byApi.status === 200 ? (byApi.body as unknown as { web_url: string }[]) : [];
      const page = await matrix.visitors.get(role)!.load(`/groups/${path}/-/${kind}`);
      const text = await page.text();
      const shown = [...text.matchAll(/<li><p><a href="([^"]+)"/g)].map(([, to]) => to);
      expect([role, page.status, shown]).toEqual([
        ...[role, byApi.status === 200 ? 200 : 404, listed.map(({ web_url }) => new URL(web_url).pathname)],
      ]);
      if (shown.length > 0) expect(text).toContain(`${path}/tool${kind === 'issues' ? '#1' : '!1'} by `);
    }
  });
});

it('the lists are filtered as those of a project, and linked from the page of the group', async () => {
  const path = matrix.groups.get('public')!;
  const load = async (rest: string) => (await matrix.visitors.get('owner')!.load(`/groups/${path}${rest}`)).text();
  const text = await load('');
  for (const kind of ['issues', 'merge_requests']) expect(text).toContain(`href="/groups/${path}/-/${kind}"`);
  expect(await load('/-/issues?search=secret')).toMatch(/A secret issue(?!.*An open issue)/s);
  expect(await load('/-/issues?state=closed')).toContain('No issue matches.');
  expect(await load('/-/merge_requests?state=merged')).toContain('No merge request matches.');
});
