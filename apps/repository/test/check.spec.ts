import { readdirSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { checkRepository, getRepositoryCheck, resolveProject } from '@moothall/contracts';
import { callerNamed, contextOf, eventually, shareBetweenTests } from '@moothall/testing';
import { Storages } from '../src/storage/storages';
import { startRepositoryService } from './repository-under-test';

const under = shareBetweenTests(() => startRepositoryService());

it('reports damage, or that there is none', async () => {
  const { project, commit } = await under.newProject();
  await commit('main', 'a.txt', 'text');
  under.respond(resolveProject, () => ({ project, redirected: false }));
  const root = contextOf({ caller: callerNamed('root', { isAdmin: true }) });
  const id = String(project.id);
  const report = () => under.client.call(getRepositoryCheck, { id }, root);
  expect(await report()).toEqual({ checked_at: null, findings: [] });
  await under.client.call(checkRepository, { id }, root);
  const well = await eventually(async () => ((await report()).checked_at ? report() : undefined));
  expect(well.findings).toEqual([]);

  const { path: repository } = under.running.app.get(Storages, { strict: false }).locate(project);
  const objects = path.join(repository, 'objects');
  const folder = readdirSync(objects).find((name) => /^[0-9a-f]{2}$/.test(name))!;
  const [file] = readdirSync(path.join(objects, folder));
  truncateSync(path.join(objects, folder, file!), 5);
  await under.client.call(checkRepository, { id }, root);
  const found = await eventually(async () => {
    const { findings } = await report();
    return findings.length > 0 ? findings : undefined;
  });
  expect(found.join('\n')).toMatch(new RegExp(`^code: .*${folder}/?${file}`, 'm'));
});
