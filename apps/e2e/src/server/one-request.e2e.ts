import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { OwnServer } from './own-server';
import { until } from './until';

/* What follows from one request, in all processes, bears its id: one grep shows it. */

jest.setTimeout(300_000);

const server = new OwnServer({ FOLLOW_REQUESTS: 'true', LOG_LEVEL: 'debug' });

beforeAll(() => server.start());
afterAll(() => server.stop());

interface Line {
  requestId?: string;
  msg: string;
}

/** Lines of all logs that bear an id, as a grep would find them. */
function linesOf(requestId: string): Line[] {
  const folder = path.join(server.dataFolder, 'logs');
  const texts = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const found = texts.flatMap((text) => text.split('\n').filter((line) => line.includes(requestId)));
  // The last line may be on its way still.
  return found.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line));
}

/** Removes a group with a project in it: a request, an operation, a job, and events that others follow. */
async function removeGroup(name: string): Promise<string> {
  const group = (await server.api('POST', '/groups', { name, path: name })) as { id: number };
  await server.api('POST', '/projects', { name, namespace_id: group.id, initialize_with_readme: true });
  const headers = { 'private-token': server.token };
  const answer = await fetch(`${server.url}/api/v4/groups/${group.id}`, { method: 'DELETE', headers });
  expect(answer.status).toBe(202);
  return answer.headers.get('x-request-id')!;
}

it('is in the lines of operations, events and jobs, and of nothing else', async () => {
  const requestId = await removeGroup('followed');
  const expected = [
    /^operation projects\.groups\.delete took \d+ ms, waited for .*database \d+ ms/,
    /^job projects\.group-removals took \d+ ms/,
    /^event repository-\S+ took \d+ ms/,
  ];
  const lines = await until(
    'the whole path in the logs',
    () => {
      const found = linesOf(requestId);
      return expected.every((one) => found.some(({ msg }) => one.test(msg))) ? found : undefined;
    },
    120_000,
  );
  expect(lines.filter((line) => line.requestId !== requestId)).toEqual([]);
});
