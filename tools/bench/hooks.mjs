/** Webhook deliveries to receivers that answer immediately, and the cost of one dead receiver among a hundred. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { api } from './stack.mjs';

const receivers = 100;
const rounds = 10;

/** One server per hook, because circuit breakers work per port. */
async function listen(onTold) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      onTold();
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Accepts connections and never answers. */
async function listenDead() {
  const server = createServer(() => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const urlOf = (server) => `http://127.0.0.1:${server.address().port}/hook`;

/** @returns deliveries per second to all live receivers */
async function measure(stack, hasDead) {
  let received = 0;
  const project = await api(stack, 'POST', '/projects', { name: `hooks-${Date.now()}` });
  const servers = [];
  for (let index = 0; index < receivers; index++) {
    const server = await (hasDead && index === 0 ? listenDead() : listen(() => received++));
    servers.push(server);
    const hook = { url: urlOf(server), push_events: false, issues_events: true };
    await api(stack, 'POST', `/projects/${project.id}/hooks`, hook);
  }
  const wanted = rounds * (hasDead ? receivers - 1 : receivers);
  const began = performance.now();
  for (let round = 0; round < rounds; round++)
    await api(stack, 'POST', `/projects/${project.id}/issues`, { title: `Round ${round}` });
  while (received < wanted && performance.now() - began < 120_000) await wait(5);
  const seconds = (performance.now() - began) / 1000;
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  return received / seconds;
}

export async function measureHooks(stack) {
  await api(stack, 'PUT', '/application/settings', { allow_local_requests_from_web_hooks_and_services: true });
  await measure(stack, false);
  const well = await measure(stack, false);
  const beside = await measure(stack, true);
  return [
    {
      figure: `deliveries of hooks to ${receivers} receivers that answer at once`,
      value: `${well.toFixed(0)}/s`,
      goal: 'at least 200/s',
    },
    {
      figure: 'the same beside a dead one: what it costs the others',
      value: `${beside.toFixed(0)}/s`,
      floor: `${well.toFixed(0)}/s`,
      ratio: well / beside,
      goal: 'at most 1.2',
    },
  ];
}
