import dns from 'node:dns/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { OutboundBlocked } from './permitted-addresses';
import { sendRequest, streamRequest } from './send-request';

let server: Server;
let handle: RequestListener;
beforeEach(async () => {
  server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const port = () => (server.address() as AddressInfo).port;
const wanted = {
  method: 'POST',
  headers: { 'X-Key': 'value' },
  body: '{"a":1}',
  verifiesTls: true,
  policy: { allowsLocal: true, allowed: [] },
  timeoutMs: 60_000,
  mostBytes: 1_000,
};
const send = (over: object = {}) =>
  sendRequest({ ...wanted, url: new URL(`http://ada:a%20word@localhost:${port()}/hook?a=b`), ...over });

it('sends a request and returns the answer', async () => {
  let text = '';
  handle = (request, response) => {
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const { authorization, host } = request.headers;
      response.writeHead(201, { 'x-seen': `${request.method} ${request.url} ${request.headers['x-key']}` });
      response.end(`${authorization} ${host}`);
    });
  };
  const { status, headers, body } = await send();
  expect(text).toBe('{"a":1}');
  expect(status).toBe(201);
  expect(headers).toMatchObject({ 'x-seen': 'POST /hook?a=b value' });
  expect(body.toString()).toBe(`Basic ${Buffer.from('ada:a word').toString('base64')} localhost:${port()}`);
});

it('sends headers and body as the bytes of their UTF-8 form', async () => {
  let [header, text] = ['', ''];
  handle = (request, response) => {
    header = Buffer.from(String(request.headers['x-key']), 'latin1').toString('utf8');
    request.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => response.end());
  };
  const value = 'Schlüssel ключ 🔑';
  await send({ headers: { 'X-Key': value }, body: `"${value}"` });
  expect([header, text]).toEqual([value, `"${value}"`]);
});

it('blocks a name that leads into the local network', async () => {
  let hits = 0;
  handle = (_, response) => {
    hits += 1;
    response.end();
  };
  const closed = { policy: { allowsLocal: false, allowed: [] } };
  await expect(send(closed)).rejects.toThrow(OutboundBlocked);
  expect(hits).toBe(0);
});

it('gives up a server that does not answer', async () => {
  handle = () => {};
  await expect(send({ timeoutMs: 300 })).rejects.toThrow('The server did not answer in time');
});

it('explains why none of the addresses of a host was reached', async () => {
  const gone = port();
  await new Promise((closed) => server.close(closed));
  const url = new URL(`http://localhost:${gone}`);
  const found = jest.spyOn(dns, 'lookup').mockResolvedValue([
    { address: '127.0.0.1', family: 4 },
    { address: '127.0.0.2', family: 4 },
  ] as never);
  const refused = `connect ECONNREFUSED 127.0.0.1:${gone}; connect ECONNREFUSED 127.0.0.2:${gone}`;
  await expect(sendRequest({ ...wanted, url })).rejects.toThrow(refused);
  found.mockRestore();
});

it('reads an answer before a silence, and no more than it needs of an endless one', async () => {
  handle = (_, response) => void response.write('half');
  expect((await send({ timeoutMs: 3_000 })).body.toString()).toBe('half');
  handle = (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      if (!response.destroyed) response.once('drain', more);
    };
    response.on('error', () => {});
    more();
  };
  expect((await send()).body).toHaveLength(1_000);
});

it('does not follow redirects', async () => {
  let hits = 0;
  handle = (_, response) => {
    hits += 1;
    response.writeHead(307, { location: `http://127.0.0.1:${port()}/inside` }).end();
  };
  expect((await send()).status).toBe(307);
  expect(hits).toBe(1);
});

describe('an answer of any length', () => {
  const stream = <T>(use: (answer: AsyncIterable<Buffer>) => Promise<T>, over: object = {}) =>
    streamRequest({ ...wanted, idleMs: 60_000, url: new URL(`http://127.0.0.1:${port()}/`), ...over }, use);
  const sizeOf = async (answer: AsyncIterable<Buffer>) => {
    let size = 0;
    for await (const { length } of answer) size += length;
    return size;
  };

  it('is read as a stream', async () => {
    handle = (_, response) => response.end(Buffer.alloc(3_000_000));
    expect(await stream(sizeOf)).toBe(3_000_000);
  });

  it('fails if it is truncated, stalls, or is aborted', async () => {
    handle = (_, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('half', () => response.destroy());
    };
    await expect(stream(sizeOf)).rejects.toThrow('aborted');
    handle = (_, response) => void response.writeHead(200).write('half');
    await expect(stream(sizeOf, { idleMs: 300 })).rejects.toThrow(/./);
    const ending = new AbortController();
    handle = (_, response) => response.writeHead(200).write('half', () => ending.abort());
    await expect(stream(sizeOf, { signal: ending.signal })).rejects.toThrow(/./);
    await expect(stream(sizeOf, { signal: ending.signal })).rejects.toThrow('It was ended');
  });

  it('releases the body if the connection is refused or lost', async () => {
    const unsent = new PassThrough();
    const blocked = stream(sizeOf, {
      content: { stream: unsent, sizeBytes: 3 },
      policy: { allowsLocal: false, allowed: [] },
    });
    await expect(blocked).rejects.toBeInstanceOf(OutboundBlocked);
    expect(unsent.destroyed).toBe(true);
    const broken = new PassThrough();
    const sent = stream(sizeOf, { content: { stream: broken, sizeBytes: 3 } });
    broken.destroy(new Error('the disk is gone'));
    await expect(sent).rejects.toThrow('the disk is gone');
  });

  it('ends with its reader', async () => {
    const closed = new Promise<void>((resolve) => {
      handle = (_, response) => void response.once('close', resolve).writeHead(200).write('half');
    });
    await expect(stream(() => Promise.reject(new Error('no more')))).rejects.toThrow('no more');
    await closed;
    const refuses = () => {
      throw new Error('not this');
    };
    await expect(stream(refuses)).rejects.toThrow('not this');
  });
});
