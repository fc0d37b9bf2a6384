import { Agent, request as httpRequest } from 'node:http';
import { PassThrough } from 'node:stream';
import { commonErrors } from '@moothall/contracts';
import { currentTask, Works } from '@moothall/tracing';
import { DataPort, refusalHeader } from '../src';
import { mint } from '../src/signed-token';

const errors: unknown[] = [];
const port = new DataPort({ host: '127.0.0.1', port: 0, signingKey: 'key' }, (error) => errors.push(error));

beforeAll(async () => {
  port.serve<{ text: string }>('echo', async ({ text }, request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end(text + Buffer.concat(chunks).toString());
  });
  port.serve('ignore', async (_args, request, response) => {
    // Starts to read and stops, like a program that ends early.
    request.pipe(new PassThrough({ highWaterMark: 1 }));
    response.end();
  });
  port.serve('refuse', async () => {
    throw commonErrors.conflict('busy');
  });
  port.serve('break', async () => {
    throw new Error('a secret of the inside');
  });
  port.serve('cut', async (_args, _request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('half');
    throw new Error('disk gone');
  });
  await port.listen();
});
afterAll(() => port.close());

const use = (name: string, args: unknown = {}, init?: RequestInit) => fetch(port.presign(name, args).url, init);

it('hands the arguments and the bytes of a ticket to its handler', async () => {
  expect(await (await use('echo', { text: 'ü ' }, { method: 'POST', body: 'body' })).text()).toBe('ü body');
});

it('does it for the request for which the ticket was minted', async () => {
  const works = new Works({ isFollowing: true });
  const following = new DataPort({ host: '127.0.0.1', port: 0, signingKey: 'key', works }, (error) =>
    errors.push(error),
  );
  following.serve('whose', async (_args, _request, response) => {
    response.end(currentTask()?.requestId);
  });
  await following.listen();
  const { url } = works.as({ requestId: 'r1' }, () => following.presign('whose', {}));
  expect(await (await fetch(url)).text()).toBe('r1');
  expect(await (await fetch(following.presign('whose', {}).url)).text()).toBe('internal');
  await following.close();
});

it('returns refusals to the gateway', async () => {
  const response = await use('refuse');
  expect(JSON.parse(response.headers.get(refusalHeader)!)).toEqual({ code: 'common.conflict', message: 'busy' });
});

it('logs internal errors and does not return them', async () => {
  const response = await use('break');
  expect([response.status, await response.text()]).toEqual([500, '']);
  expect(errors.at(-1)).toMatchObject({ message: 'a secret of the inside' });
});

it('cuts a stream short that cannot be finished', async () => {
  await expect(use('cut').then((response) => response.text())).rejects.toThrow();
});

it('answers the next request on a connection whose last body was not read', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (name: string, body: Buffer) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = httpRequest(port.presign(name, { text: '' }).url, { method: 'POST', agent }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      sent.once('error', reject).end(body);
    });
  expect(await post('ignore', Buffer.alloc(1 << 20))).toBe(200);
  expect(await post('echo', Buffer.from('x'))).toBe(200);
  agent.destroy();
});

it('refuses a token with another signature', async () => {
  const { url } = port.presign('echo', { text: 'x' });
  expect((await fetch(url.replace('/echo/', '/break/'))).status).toBe(404);
  expect(() => port.presign('nothing', {})).toThrow('nothing serves tickets for nothing');
});

describe('when it closes', () => {
  const open = async () => {
    const closing = new DataPort({ host: '127.0.0.1', port: 0, signingKey: 'key' }, (error) => errors.push(error));
    closing.serve('echo', async (_args, _request, response) => void response.end('bytes'));
    await closing.listen();
    return closing;
  };

  it('waits for issued URLs, and closes when none is left', async () => {
    const closing = await open();
    const [first, second] = [closing.presign('echo', { a: 1 }), closing.presign('echo', { a: 2 })];
    const closed = closing.close();
    const response = await fetch(first.url);
    expect([await response.text(), response.headers.get('connection')]).toEqual(['bytes', 'close']);
    expect(await (await fetch(second.url)).text()).toBe('bytes');
    await closed;
    await expect(fetch(second.url)).rejects.toThrow();
  });

  it('waits for a few seconds at most', async () => {
    const closing = await open();
    closing.presign('echo', {});
    await closing.close();
  });
});

it('accepts tokens of a process with another key, while that key is accepted', async () => {
  const both = new DataPort({ host: '127.0.0.1', port: 0, signingKey: 'next', acceptedKey: 'key' }, (error) =>
    errors.push(error),
  );
  both.serve('echo', async (_args, _request, response) => {
    response.end('served');
  });
  const at = await both.listen();
  const statusOf = async (key: string) =>
    (await fetch(`http://127.0.0.1:${at}/${mint(key, { name: 'echo', args: {} }, Date.now() + 60_000)}`)).status;
  expect([await statusOf('key'), await statusOf('next'), await statusOf('other')]).toEqual([200, 200, 404]);
  await both.close();
});
