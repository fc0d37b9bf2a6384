import { setTimeout as delay } from 'node:timers/promises';
import { push } from '../release/push.mjs';

const patienceMs = 60_000;

/** Uses git, worker threads, jobs and files: pushes, lints, exports and imports a group, exports vulnerabilities. */
export async function useServer(running, workFolder) {
  const project = await running.api('POST', '/projects', { name: 'place', initialize_with_readme: true });
  push(running, project, 'pushed', workFolder);
  await running.api('GET', `/projects/${project.id}/repository/files/pushed?ref=${project.default_branch}`);
  const lint = await running.api('POST', `/projects/${project.id}/ci/lint`, { content: 'job: { script: [make] }' });
  if (!lint.valid) throw new Error(`the lint says ${JSON.stringify(lint)}`);
  await importGroup(running);
  await exportVulnerabilities(running, project.id);
}

async function importGroup(running) {
  const { id } = await running.api('POST', '/groups', { name: 'old', path: 'old' });
  await running.api('POST', `/groups/${id}/labels`, { name: 'kept', color: '#ff0000' });
  await running.api('POST', `/groups/${id}/export`);
  await until(async () => (await running.api('GET', `/groups/${id}/export`)).export_status, 'finished');
  const archive = await (await running.ask('GET', `/groups/${id}/export/download`)).blob();
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: 'new', path: 'new' })) form.append(name, value);
  form.append('file', archive, 'old.tar.gz');
  const { import_id, group_id } = await running.api('POST', '/groups/import', form);
  await until(async () => (await running.api('GET', `/groups/import/${import_id}`)).import_status, 'finished');
  const labels = await running.api('GET', `/groups/${group_id}/labels`);
  if (labels[0]?.name !== 'kept') throw new Error(`the imported group has the labels ${JSON.stringify(labels)}`);
}

async function exportVulnerabilities(running, projectId) {
  await running.api('POST', '/features/first_class_vulnerabilities', { value: true });
  const { id } = await running.api('POST', `/security/projects/${projectId}/vulnerability_exports`);
  await until(async () => (await running.api('GET', `/security/vulnerability_exports/${id}`)).status, 'finished');
  await running.ask('GET', `/security/vulnerability_exports/${id}/download`);
}

async function until(ask, wanted) {
  for (const deadline = Date.now() + patienceMs; ; await delay(100)) {
    const state = await ask();
    if (state === wanted) return;
    if (state === 'failed' || Date.now() > deadline) throw new Error(`it is ${state}, not ${wanted}`);
  }
}
