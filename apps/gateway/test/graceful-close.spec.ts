import { Agent, type IncomingMessage, request } from 'node:http';
import { startGatewayUnderTest } from './gateway-under-test';

it('answers requests during shutdown with `Connection: close`', async () => {
  const gateway = await startGatewayUnderTest();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request(`${gateway.url}/-/liveness`, { agent }, (answer) => answer.resume().once('end', () => resolve(answer)))
        .once('error', reject)
        .end();
    });
  expect((await ask()).headers.connection).toBe('keep-alive');
  const stopped = gateway.stop();
  const last = await ask();
  expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
  await stopped;
  agent.destroy();
  await expect(ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
