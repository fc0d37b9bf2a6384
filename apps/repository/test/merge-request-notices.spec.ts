import { commonErrors, openMergeRequestsOfBranches } from '@moothall/contracts';
import { connectNats } from '@moothall/messaging';
import { shareBetweenTests } from '@moothall/testing';

import { MergeRequestNotices } from '../src/transport/merge-request-notices';
import { startRepositoryService } from './repository-under-test';

/* What a push shows about merge requests; the collaboration service is a stub. */

const under = shareBetweenTests(() => startRepositoryService());

const [old, young] = ['1'.repeat(40), '2'.repeat(40)];
const created = (name: string) => ({ refName: `refs/heads/${name}`, before: null, after: young });
const moved = (name: string) => ({ refName: `refs/heads/${name}`, before: old, after: young });
const view = (name: string, iid: number) =>
  `\nView merge request for ${name}:\n  http://moothall.test/group/app/-/merge_requests/${iid}\n\n`;
const invitation = (name: string) =>
  `\nTo create a merge request for ${name}, visit:\n  http://moothall.test/group/app/-/merge_requests/new?merge_request%5Bsource_branch%5D=${name}\n\n`;

async function prepare(updates: Parameters<MergeRequestNotices['prepare']>[1]) {
  const { project } = await under.newProject();
  return under.running.app.get(MergeRequestNotices, { strict: false }).prepare(project, updates);
}

// The first test, because nobody answers yet.
it('shows nothing, within seconds, if the collaboration service is silent', async () => {
  const nats = await connectNats(under.env.NATS_URL!, 'silent');
  const asked = jest.fn();
  nats.subscribe(openMergeRequestsOfBranches.name, { callback: asked });
  await nats.flush();
  const updates = [created('fresh'), moved('known')];
  expect((await prepare(updates))(updates)).toBe('');
  expect(asked).toHaveBeenCalled();
  await nats.close();
}, 10_000);

it('shows open merge requests of all pushed branches, and where to open those of new ones', async () => {
  const asked: string[][] = [];
  under.respond(openMergeRequestsOfBranches, ({ source_branches }) => {
    asked.push(source_branches);
    return [
      { source_branch: 'known', iid: 3 },
      { source_branch: 'again', iid: 5 },
    ];
  });
  const updates = [created('fresh'), moved('known'), created('again')];
  const notice = await prepare(updates);
  expect(notice(updates)).toBe(invitation('fresh') + view('known', 3) + view('again', 5));
  expect(notice([moved('known')])).toBe(view('known', 3));
  expect(notice([])).toBe('');
  expect((await prepare([moved('quiet')]))([moved('quiet')])).toBe('');
  expect(asked).toEqual([['fresh', 'known', 'again'], ['quiet']]);
});

it('asks nothing for tags, deletions and many branches', async () => {
  const asked = jest.fn(() => []);
  under.respond(openMergeRequestsOfBranches, asked);
  const tag = { refName: 'refs/tags/v1', before: null, after: young };
  const gone = { refName: 'refs/heads/gone', before: old, after: null };
  for (const updates of [[tag, gone], ['a', 'b', 'c', 'd'].map(created)])
    expect((await prepare(updates))(updates)).toBe('');
  expect(asked).not.toHaveBeenCalled();
});

it('shows nothing if the collaboration service refuses', async () => {
  under.respond(openMergeRequestsOfBranches, () => commonErrors.unavailable());
  const updates = [created('fresh'), moved('known')];
  expect((await prepare(updates))(updates)).toBe('');
});
