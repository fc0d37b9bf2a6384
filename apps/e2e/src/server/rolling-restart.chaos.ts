import { OwnServer } from './own-server';
import { type Deed, SteadyLoad } from './steady-load';
import { until } from './until';

/**
 * With `RESTART_REQUESTS` requests follow each other immediately; without it there are pauses, in which other programs
 * can work.
 */
const { RESTART_REQUESTS } = process.env;
const least = Number(RESTART_REQUESTS ?? 600);
const pauseMs = RESTART_REQUESTS ? 0 : 100;
// The load has one caller, who must not wait for a free slot of its share.
const server = new OwnServer({ SLOW_REQUESTS_PER_CALLER: '1000' }, [
  '--services',
  '--replicas',
  '1',
  '--gateways',
  '2',
]);

jest.setTimeout(300_000 + least * 60);
beforeAll(() => server.start());
afterAll(() => server.stop());

it('every process is replaced under load: no request fails, and none is done twice', async () => {
  const project = (await server.api('POST', '/projects', { name: 'busy', initialize_with_readme: true })) as {
    id: number;
  };
  const at = `/projects/${project.id}`;
  const creates: Deed[] = [
    { method: 'POST', path: `${at}/issues`, body: (title) => ({ title }) },
    { method: 'POST', path: `${at}/labels`, body: (name) => ({ name, color: '#ff0000' }) },
    { method: 'POST', path: `${at}/milestones`, body: (title) => ({ title }) },
    {
      method: 'POST',
      path: `${at}/pipeline_schedules`,
      body: (description) => ({ description, ref: 'main', cron: '0 1 * * *' }),
    },
    { method: 'POST', path: `${at}/repository/branches`, body: (branch) => ({ branch, ref: 'main' }) },
  ];
  const reads: Deed[] = [
    { method: 'GET', path: '/user' },
    { method: 'GET', path: `${at}/repository/tree` },
    { method: 'GET', path: `${at}/repository/files/README.md/raw?ref=main` },
    { method: 'GET', path: `${at}/members/all` },
    { method: 'GET', path: `${at}/pipelines` },
  ];
  const load = new SteadyLoad(
    server,
    creates.flatMap((create, index) => [create, reads[index]!]),
    4,
    pauseMs,
  );
  try {
    do {
      await server.replace();
    } while (load.count < least && load.failures.length === 0);
    await until(`${least} requests`, () => load.count >= least || load.failures.length > 0, 60_000 + least * 30);
  } finally {
    await load.end();
  }
  console.log(
    `${load.count} requests, ${load.failures.length} failed, the slowest took ${Math.round(load.slowestMs)} ms`,
  );
  expect(load.failures).toEqual([]);
  for (const [index, list] of [
    'issues',
    'labels',
    'milestones',
    'pipeline_schedules',
    'repository/branches',
  ].entries()) {
    const keys = (await everything(`${at}/${list}`)).map(
      ({ title, name, description }) => title ?? name ?? description,
    );
    const made = load.done.get(creates[index]!)!;
    expect([list, keys.filter((key) => key !== 'main').sort()]).toEqual([list, [...made].sort()]);
  }
});

it('a killed gateway loses only its own requests, and the other continues to serve', async () => {
  const { id } = (await server.api('POST', '/projects', { name: 'kept' })) as { id: number };
  const create: Deed = { method: 'POST', path: `/projects/${id}/issues`, body: (title) => ({ title }) };
  const load = new SteadyLoad(server, [create, { method: 'GET', path: '/user' }], 4, pauseMs / 2);
  try {
    await until('requests under way', () => load.count >= 100, 60_000);
    const killed = server.pidOf('gateway-1')!;
    process.kill(killed, 'SIGKILL');
    const before = load.count;
    await until('another in its place', () => ![killed, undefined].includes(server.pidOf('gateway-1')), 60_000);
    await until('requests after that', () => load.count >= before + 100, 60_000);
  } finally {
    await load.end();
  }
  // Connections that were interrupted; no request was refused.
  expect(load.failures.filter((failure) => !/: (ECONNRESET|EPIPE)$/.test(failure))).toEqual([]);
  expect(load.failures.length).toBeLessThanOrEqual(8);
  const titles = (await everything(`/projects/${id}/issues`)).map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles).toEqual(expect.arrayContaining(load.done.get(create)!));
});

it('no connection waits for a gateway that does not respond, nor ends with it', async () => {
  const still = server.pidOf('gateway-1')!;
  process.kill(still, 'SIGSTOP');
  // Each on its own connection.
  const asked = Array.from({ length: 8 }, () =>
    fetch(`${server.url}/api/v4/version`, {
      headers: { 'private-token': server.token, connection: 'close' },
      // Less than the time to detect that the gateway hangs.
      signal: AbortSignal.timeout(10_000),
    }).then(({ status }) => status),
  );
  expect(await Promise.all(asked)).toEqual(Array(8).fill(200));
  process.kill(still, 'SIGKILL');
  await until('another in its place', () => ![still, undefined].includes(server.pidOf('gateway-1')), 60_000);
});

interface Named {
  title?: string;
  name?: string;
  description?: string;
}

async function everything(list: string): Promise<Named[]> {
  const found: Named[] = [];
  for (let page = 1; ; page++) {
    const items = (await server.api('GET', `${list}?per_page=100&page=${page}`)) as Named[];
    found.push(...items);
    if (items.length < 100) return found;
  }
}
