import { root, uniqueName } from '../server/connection';
import type { Answers } from './answers';

/** Branches, tags, commits, templates, mirrors and storage moves. */
export async function askRepository(answers: Answers): Promise<void> {
  const { id } = await root.Projects.create({ name: uniqueName('repo'), initializeWithReadme: true });
  const project = `/projects/${id}`;
  const repository = `${project}/repository`;
  await askCommits(answers, repository);
  await answers.post('branch.json', `${repository}/branches`, { branch: 'other', ref: 'main' });
  await answers.take('branches.json', `${repository}/branches`);
  await answers.take('branch.json', `${repository}/branches/main`);
  await answers.put('branch.json', `${repository}/branches/other/protect`, { developers_can_push: true });
  await answers.post('tag.json', `${repository}/tags`, { tag_name: 'v1', ref: 'main', message: 'First' });
  await answers.post('tag.json', `${repository}/tags`, { tag_name: 'light', ref: 'main' });
  await answers.take('tags.json', `${repository}/tags`);
  await answers.take('tag.json', `${repository}/tags/v1`);
  await answers.take('contributors.json', `${repository}/contributors`);
  await askTemplates(answers, project);
  const mirror = { url: 'https://user:secret@example.com/mirror.git' };
  const { id: mirrorId } = await answers.post('remote_mirror.json', `${project}/remote_mirrors`, mirror);
  await answers.put('remote_mirror.json', `${project}/remote_mirrors/${mirrorId}`, { only_protected_branches: true });
  await answers.take('remote_mirrors.json', `${project}/remote_mirrors`);
  await askStorageMoves(answers, project);
}

async function askCommits(answers: Answers, repository: string): Promise<void> {
  const { id } = await answers.post<{ id: string }>('commit/detail.json', `${repository}/commits`, {
    branch: 'main',
    commit_message: 'Write',
    actions: [{ action: 'create', file_path: 'a.txt', content: 'a' }],
  });
  await answers.take('commits.json', `${repository}/commits`);
  await answers.takeEach('commit/with_stats.json', `${repository}/commits?with_stats=true`);
  const detail = await answers.take<{ stats: object }>('commit/detail.json', `${repository}/commits/${id}`);
  answers.addEach('commit_stats.json', 'stats of a commit', [detail.stats]);
  await answers.take('commit/basic.json', `${repository}/merge_base?refs[]=main&refs[]=${id}`);
  const { commit, commits } = await answers.ask<{ commit: object; commits: object[] }>(
    `${repository}/compare?from=${id}~1&to=main`,
  );
  answers.addEach('commit/basic.json', 'commits of a comparison', [commit, ...commits]);
  answers.addEach('commits.json', 'commits of a comparison', [commits]);
}

async function askTemplates(answers: Answers, project: string): Promise<void> {
  for (const type of ['dockerfiles', 'gitignores', 'gitlab_ci_ymls', 'licenses']) {
    const [first] = await answers.take<{ key: string }[]>('template_list.json', `${project}/templates/${type}`);
    const single = type === 'licenses' ? 'license.json' : 'template.json';
    await answers.take(single, `${project}/templates/${type}/${encodeURIComponent(first!.key)}`);
    await answers.take(single, `/templates/${type}/${encodeURIComponent(first!.key)}`);
  }
}

async function askStorageMoves(answers: Answers, project: string): Promise<void> {
  const moves = `${project}/repository_storage_moves`;
  const body = { destination_storage_name: 'second' };
  const { id } = await answers.post('project_repository_storage_move.json', moves, body);
  for (const list of [moves, '/project_repository_storage_moves']) {
    const all = await answers.take<{ project: object }[]>('project_repository_storage_moves.json', list);
    answers.addEach(
      'project/identity.json',
      'project of a storage move',
      all.map((move) => move.project),
    );
  }
  await answers.take('project_repository_storage_move.json', `/project_repository_storage_moves/${id}`);
}
