/** Targets of attacks: a project that others read, and prepared data of an attacker. */
import { api } from '../bench/stack.mjs';

const megabyte = 1024 * 1024;

const bomb = () => {
  const levels = Array.from({ length: 11 }, (_, level) => {
    const below = level === 0 ? 'x' : `!reference [.a${level - 1}, script]`;
    return `.a${level}:\n  script:\n${`    - ${below}\n`.repeat(8)}`;
  });
  return `${levels.join('')}job:\n  script:\n    - !reference [.a10, script]\n`;
};

const commit = (stack, projectId, branch, files, start) =>
  api(stack, 'POST', `/projects/${projectId}/repository/commits`, {
    branch,
    ...(start && { start_branch: start }),
    commit_message: 'Prepare',
    actions: Object.entries(files).map(([file_path, content]) => ({ action: 'create', file_path, content })),
  });

export async function prepareVictims(stack) {
  const victim = await api(stack, 'POST', '/projects', { path: 'victim', visibility: 'public' });
  await commit(stack, victim.id, 'main', { 'README.md': 'hello', 'data.bin': 'x'.repeat(3 * megabyte) });
  const user = await api(stack, 'POST', '/users', {
    username: 'mallory',
    name: 'Mallory',
    email: 'mallory@example.com',
    password: `pass-${process.pid}-word`,
    skip_confirmation: true,
  });
  const { token } = await api(stack, 'POST', `/users/${user.id}/impersonation_tokens`, {
    name: 'all',
    scopes: ['api'],
  });
  // Imports may reach this machine, else the guard refuses them before any hostile response.
  await api(stack, 'PUT', '/application/settings', { allow_local_requests_from_web_hooks_and_services: true });
  const own = { ...stack, token };
  const project = await api(own, 'POST', '/projects', { path: 'weapons' });
  await commit(own, project.id, 'main', { 'README.md': 'x' });
  await api(own, 'POST', `/projects/${project.id}/repository/branches?branch=small&ref=main`);
  const lines = Array.from({ length: 200_000 }, (_, line) => `line ${line} of many`).join('\n');
  await commit(own, project.id, 'main', { 'long.txt': lines });
  await commit(own, project.id, 'bomb', { '.gitlab-ci.yml': bomb() }, 'main');
  for (let count = 0; count < 12; count++) {
    await api(own, 'POST', `/projects/${project.id}/issues`, {
      title: `Issue ${count}`,
      description: 'é'.repeat(500_000),
    });
  }
  return { victim, mallory: { token, project } };
}
