import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { syncReplica } from '@moothall/contracts';
import { describeWithoutFaults, eventually } from '@moothall/testing';
import { PrimarySite } from './primary-site';
import { RepositoryProcesses } from './repository-processes';

/* A real process of the service that copies a repository, and is killed with SIGKILL in the middle. */

const timeoutMs = 300_000;
let primary: PrimarySite;
let houses: RepositoryProcesses;
let running: ChildProcess | undefined;

beforeAll(async () => {
  primary = await PrimarySite.start();
  houses = await RepositoryProcesses.prepare({ GEO_ROLE: 'secondary', GEO_PRIMARY_URL: primary.url });
}, timeoutMs);
afterEach(async () => {
  if (running) await houses.kill(running);
});
afterAll(async () => {
  await houses.stop();
  await primary.stop();
});

// It starts the service by itself.
describeWithoutFaults('a copy that is cut off', () => {
  it.each([
    ['looks at its source', 1, 'GET'],
    ['fetches', 2, 'POST'],
  ])(
    'is finished by the next process, if the first is killed while it %s',
    async (_, project_id, method) => {
      const name = `p${project_id}`;
      primary.make(name);
      let isAt = false;
      primary.meddlers.set(name, (request) => {
        const isHeld = request.method === method;
        isAt ||= isHeld;
        return !isHeld;
      });
      running = await houses.start('default');
      await houses.client.call(syncReplica, { project_id, kind: 'code', source_url: primary.urlOf(name) });
      await eventually(() => isAt, 'the work');
      await houses.kill(running);
      primary.meddlers.delete(name);
      const folder = houses.repositoryOn('default', project_id);
      expect(existsSync(folder)).toBe(false);
      primary.commit(name, 'main', 'meanwhile');
      running = await houses.start('default');
      await eventually(() => existsSync(folder), 'the replica', 120_000);
      expect(primary.refs(folder)).toEqual(primary.refs(primary.repository(name)));
    },
    timeoutMs,
  );
});
