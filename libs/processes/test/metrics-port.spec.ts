import { MetricsPort } from '../src';

const errors: unknown[] = [];
const metrics = new MetricsPort((error) => errors.push(error));
let url: string;
beforeAll(async () => {
  metrics
    .show('/-/metrics', async () => ({ contentType: 'text/plain', body: 'up 1\n' }))
    .show('/-/health', async () => {
      throw new Error('a secret of the inside');
    });
  url = `http://127.0.0.1:${await metrics.listen(0, '127.0.0.1')}`;
});
afterAll(() => metrics.close());

it('serves its pages and nothing else', async () => {
  expect(await (await fetch(`${url}/-/metrics`)).text()).toBe('up 1\n');
  for (const path of ['/', '/-/nothing', '/-/metrics/', '/constructor', '/__proto__'])
    expect((await fetch(`${url}${path}`)).status).toBe(404);
  expect((await fetch(`${url}/-/metrics`, { method: 'POST', body: 'x' })).status).toBe(404);
});

it('logs internal errors and does not return them', async () => {
  const response = await fetch(`${url}/-/health`);
  expect([response.status, await response.text()]).toEqual([500, '']);
  expect(errors).toEqual([expect.objectContaining({ message: 'a secret of the inside' })]);
});
