import { newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { newWorld } from './world';

it('notes mentions by an issue, a merge request and a commit, and private ones for their readers only', async () => {
  const { projectId, member } = await newWorld();
  const { Issues, IssueNotes, MergeRequests, Commits, Projects } = member.client;
  const { iid } = await Issues.create(projectId, 'Mentioned');
  const file = [{ action: 'create' as const, filePath: 'mention.txt', content: 'x' }];
  const commit = await Commits.create(projectId, 'mention', `Write, see #${iid}`, file, { startBranch: 'main' });
  const mergeRequest = await MergeRequests.create(projectId, 'mention', 'main', `For #${iid}`);
  const { path_with_namespace } = await root.Projects.show(projectId);
  const secret = await Projects.create({ name: uniqueName('secret'), visibility: 'private' });
  const source = await Issues.create(secret.id, 'Elsewhere', { description: `${path_with_namespace}#${iid}` });
  const ofMember = [
    `mentioned in commit ${commit.id}`,
    `mentioned in issue ${secret.path_with_namespace}#${source.iid}`,
    `mentioned in merge request !${mergeRequest.iid}`,
  ];
  const notesFor = async (client: typeof member.client) =>
    (await client.IssueNotes.all(projectId, iid)).map((note) => note.body);
  await until('the mentions', async () => (await IssueNotes.all(projectId, iid)).length >= ofMember.length);
  expect((await notesFor(member.client)).sort()).toEqual(ofMember);
  const stranger = await newUser('stranger');
  expect((await notesFor(stranger.client)).sort()).toEqual([ofMember[0], ofMember[2]]);
});
