import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@moothall/processes';
import { ask, connection, newUser, uniqueName } from '../server/connection';
import { gitText, remoteUrl } from '../server/git';
import { until } from '../server/until';
import { program } from './programs';

/* Programs that create releases: they tag, push, upload and comment. */

jest.setTimeout(120_000);

const semanticRelease = program('releases', 'node_modules/semantic-release/bin/semantic-release.js');
const releaseIt = program('releases', 'node_modules/release-it/bin/release-it.js');

/** A project of a package with an issue, cloned. */
async function newPackage() {
  const user = await newUser();
  const { client } = user;
  const project = await client.Projects.create({ name: uniqueName('package'), initializeWithReadme: true });
  const issue = await client.Issues.create(project.id, 'Broken');
  const folder = temporaryFolder('release');
  gitText(folder, ['clone', '-q', remoteUrl(project.path_with_namespace, user.username, user.token), 'clone']);
  const clone = path.join(folder, 'clone');
  gitText(clone, ['config', 'user.name', 'Ada']);
  gitText(clone, ['config', 'user.email', `${user.username}@example.com`]);
  const url = `${connection.url}/${project.path_with_namespace}.git`;
  const manifest = { name: 'lib', version: '0.1.0', private: true, repository: { type: 'git', url } };
  writeFileSync(path.join(clone, 'package.json'), JSON.stringify(manifest));
  return {
    ...{ user, client, project, issue, clone },
    configure: (file: string, settings: object) => writeFileSync(path.join(clone, file), JSON.stringify(settings)),
    commit(message: string) {
      gitText(clone, ['add', '-A']);
      gitText(clone, ['commit', '-q', '--allow-empty', '-m', message]);
      gitText(clone, ['push', '-q', 'origin', 'HEAD']);
    },
    env: { GITLAB_TOKEN: user.token, GITLAB_URL: connection.url },
  };
}

semanticRelease.test('semantic-release makes a release and tells issues and merge requests of it', async () => {
  const { user, client, project, issue, clone, configure, commit, env } = await newPackage();
  configure('.releaserc.json', {
    branches: ['main'],
    plugins: [
      '@semantic-release/commit-analyzer',
      '@semantic-release/release-notes-generator',
      [
        '@semantic-release/gitlab',
        {
          gitlabUrl: connection.url,
          assets: [
            { path: 'README.md', label: 'read-me', type: 'package', target: 'generic_package' },
            { path: 'package.json', label: 'Manifest' },
            { url: 'https://example.com/docs', label: 'Docs', type: 'other' },
          ],
        },
      ],
    ],
  });
  commit('feat: begin');
  gitText(clone, ['checkout', '-q', '-b', 'fix']);
  commit(`fix: mend it\n\nCloses #${issue.iid}`);
  const request = await client.MergeRequests.create(project.id, 'fix', 'main', 'Mend it', {
    description: `Closes #${issue.iid}`,
  });
  await until('the merge', async () => {
    const { state } = await client.MergeRequests.merge(project.id, request.iid).catch(() => ({ state: 'waits' }));
    return state === 'merged';
  });
  gitText(clone, ['checkout', '-q', 'main']);
  gitText(clone, ['pull', '-q']);
  const printed = await semanticRelease.run(['--no-ci'], clone, env);
  expect(printed).toContain('Published release 1.0.0');

  expect(gitText(clone, ['ls-remote', '--tags', 'origin'])).toContain('refs/tags/v1.0.0');
  const release = await client.ProjectReleases.show(project.id, 'v1.0.0');
  for (const fact of ['### Bug Fixes', '* mend it', '### Features', '* begin'])
    expect(release.description).toContain(fact);
  expect(release.assets.links!.map(({ name, link_type }) => [name, link_type]).sort()).toEqual([
    ['Docs', 'other'],
    ['Manifest', 'other'],
    ['read-me', 'package'],
  ]);
  const readMe = release.assets.links!.find(({ name }) => name === 'read-me')!;
  const file = await ask(new URL(readMe.url).pathname, { token: user.token });
  expect(await file.text()).toContain(project.name);
  const notes = [
    await client.IssueNotes.all(project.id, issue.iid),
    await client.MergeRequestNotes.all(project.id, request.iid),
  ];
  for (const each of notes) expect(each.map(({ body }) => body).join('\n')).toContain('in version 1.0.0');

  // Without new commits there is no second release.
  expect(await semanticRelease.run(['--no-ci'], clone, env)).toContain('no new version is released');
});

releaseIt.test('release-it makes a release with a milestone and an uploaded file', async () => {
  const { user, client, project, clone, configure, commit, env } = await newPackage();
  await client.ProjectMilestones.create(project.id, 'First');
  configure('.release-it.json', {
    npm: false,
    gitlab: {
      release: true,
      origin: connection.url,
      milestones: ['First'],
      assets: ['README.md'],
      releaseNotes: 'echo Notes',
    },
  });
  commit('begin');
  const printed = await releaseIt.run(['minor', '--ci'], clone, env);
  expect(printed).toContain('/-/releases/0.1.0');
  const release = await client.ProjectReleases.show(project.id, '0.1.0');
  expect(release).toMatchObject({ description: expect.stringContaining('Notes'), milestones: [{ title: 'First' }] });
  const [link] = release.assets.links!;
  const { pathname } = new URL(link!.url);
  const file = await ask(pathname, { token: user.token });
  expect(await file.text()).toContain(project.name);
  // For a project that the caller may not see the address does not exist.
  const stranger = await newUser();
  for (const token of [stranger.token, undefined]) {
    expect((await ask(pathname, { token, redirect: 'manual' })).status).toBe(404);
  }
});
