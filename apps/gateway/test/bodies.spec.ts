import { ownTemporaryFiles } from '@moothall/infrastructure';
import { eventually } from '@moothall/testing';
import {
  type BodiesUnderTest,
  chunk,
  filePart,
  head,
  megabyte,
  multipartHead,
  startBodiesUnderTest,
} from './bodies-under-test';
import { rawClient } from './raw-client';

/* Caller and permissions are checked before bytes are read; bodies and responses need a minimum rate. */

let bodies: BodiesUnderTest;
beforeAll(async () => {
  bodies = await startBodiesUnderTest();
});
afterAll(() => bodies?.stop());
beforeEach(() => {
  bodies.inputs.length = 0;
});

const unended = 'content-length: 1000000000';
const formType = 'content-type: application/x-www-form-urlencoded';

describe('before a body', () => {
  it.each([
    ['a file of somebody unknown', multipartHead('/projects/1/uploads'), filePart('file'), 401],
    ['a file of a bad token', multipartHead('/projects/1/uploads', 'private-token: bad'), '', 401],
    ['a file for a hidden project', multipartHead('/projects/2/uploads', 'private-token: ann'), filePart('file'), 404],
    ['a file of no job that runs', multipartHead('/jobs/7/artifacts', 'job-token: bad'), filePart('file'), 403],
    ['a file that is not declared', multipartHead('/runners'), filePart('file'), 400],
    [
      'a second file',
      multipartHead('/projects/1/uploads', 'private-token: ann'),
      `${filePart('file')}\r\n${filePart('other')}`,
      400,
    ],
    ['much JSON of somebody unknown', head('/projects', 'content-type: application/json', unended), '', 401],
    [
      'JSON of a bad token',
      head('/projects', 'content-type: application/json', 'private-token: bad', unended),
      '',
      401,
    ],
    [
      'a body beyond all limits',
      head('/projects/1/uploads', 'content-type: multipart/form-data; boundary=B', 'private-token: ann', unended),
      '',
      413,
    ],
    [
      'a form of a page beyond all limits',
      ['POST /a/b/-/issues/new HTTP/1.1', 'host: a', 'accept: text/html', formType, unended],
      '',
      413,
    ],
    [
      'a form of a program for a page',
      ['POST /a/b/-/issues/new HTTP/1.1', 'host: a', 'accept: */*', formType, unended],
      '',
      404,
    ],
    ['a strange body for no route', head('/nowhere', 'content-type: text/strange', unended), '', 404],
    [
      'broken JSON for no method',
      ['DELETE /api/v4/version HTTP/1.1', 'host: a', 'content-type: application/json', unended],
      '{',
      405,
    ],
  ])('refuses %s', async (_name, lines, begin, status) => {
    const client = await rawClient(bodies.gateway, lines);
    if (begin) client.socket.write(lines.includes('transfer-encoding: chunked') ? chunk(begin) : begin);
    await eventually(() => /}$|<h1>/.test(client.received()));
    expect(client.received()).toMatch(
      new RegExp(`^HTTP/1.1 ${status} .*connection: close.*(?:{"(message|error)":|<h1>)`, 'is'),
    );
    client.socket.end();
    await client.ended;
    expect(bodies.inputs).toEqual([]);
    expect(await ownTemporaryFiles('uploads')).toEqual([]);
  });

  it('sends 100 Continue to clients that wait for it, and refuses the others before their body', async () => {
    const json = ['content-type: application/json', 'expect: 100-continue'];
    const refused = await rawClient(bodies.gateway, head('/projects', ...json, unended));
    await eventually(() => refused.received().includes('}'));
    expect(refused.received()).toMatch(/^HTTP\/1.1 401/);
    refused.socket.destroy();
    const body = '{"name":"a"}';
    const client = await rawClient(
      bodies.gateway,
      head('/projects', ...json, 'private-token: ann', `content-length: ${body.length}`),
    );
    await eventually(() => client.received() !== '');
    expect(client.received()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    client.socket.write(body);
    await eventually(() => client.received().includes('201 Created'));
    client.socket.destroy();
  });

  it('lets a client that sends on read the answer', async () => {
    const client = await rawClient(bodies.gateway, multipartHead('/runners'));
    client.socket.write(chunk(filePart('file')));
    const block = chunk(Buffer.alloc(megabyte));
    for (let sent = 0; sent < 50 && !client.socket.destroyed; sent++) {
      if (!client.socket.write(block))
        await new Promise((resolve) => client.socket.once('drain', resolve).once('close', resolve));
    }
    client.socket.end('0\r\n\r\n');
    expect(await client.ended).toMatch(/^HTTP\/1.1 400 .*file is invalid/s);
  });
});

const upload = (bytes: number, fields: Record<string, string> = {}, token?: string) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set('file', new Blob([Buffer.alloc(bytes)]), 'x.bin');
  return bodies.gateway.fetch('/api/v4/projects/1/uploads', { method: 'POST', body, ...(token && { token }) });
};

describe('a multipart body', () => {
  it('accepts files up to the limit of the instance, and no byte more', async () => {
    expect((await upload(megabyte, {}, 'ann')).status).toBe(201);
    expect((await upload(megabyte + 1, {}, 'ann')).status).toBe(413);
    expect(bodies.inputs).toHaveLength(1);
    await eventually(async () => (await ownTemporaryFiles('uploads')).length === 0);
  });

  it('of a caller that is no user is read after its service has accepted it', async () => {
    const send = async (token: string) => {
      const body = new FormData();
      body.set('file', new Blob([Buffer.alloc(10)]), 'x.zip');
      const headers = { 'job-token': token };
      return (
        await bodies.gateway.fetch('/api/v4/jobs/7/artifacts?artifact_type=junit', { method: 'POST', body, headers })
      ).status;
    };
    expect([await send('of job 7'), await send('of job 8')]).toEqual([201, 403]);
    expect(bodies.inputs).toMatchObject([{ id: 7, token: 'of job 7', artifact_type: 'junit', artifact_format: 'zip' }]);
  });

  it('may have the credential before its file', async () => {
    expect((await upload(1, { private_token: 'ann' })).status).toBe(201);
    expect((await upload(1, { private_token: 'bad' })).status).toBe(401);
    expect((await upload(1, { access_token: 'ann' })).status).toBe(201);
    expect((await upload(1)).status).toBe(401);
  });

  it('has text of one body at most, all of it together', async () => {
    const body = (fields: number, bytes: number) => {
      const form = new FormData();
      for (let at = 0; at < fields; at++) form.append(`field_${at}`, 'x'.repeat(bytes));
      return form;
    };
    const send = (form: FormData, token?: string) =>
      bodies.gateway.fetch('/api/v4/runners', { method: 'POST', body: form, ...(token && { token }) });
    expect((await send(body(1, megabyte))).status).toBe(400);
    expect((await send(body(400, megabyte / 4))).status).toBe(413);
    expect((await send(body(1001, 1))).status).toBe(413);
    expect((await bodies.gateway.fetch('/api/v4/projects', { method: 'POST', body: body(3, megabyte) })).status).toBe(
      401,
    );
  });

  it('leaves nothing if its client disconnects', async () => {
    const client = await rawClient(bodies.gateway, multipartHead('/projects/1/uploads', 'private-token: ann'));
    client.socket.write(chunk(filePart('file') + 'x'.repeat(100_000)));
    await eventually(async () => (await ownTemporaryFiles('uploads')).length === 1);
    client.socket.destroy();
    await eventually(async () => (await ownTemporaryFiles('uploads')).length === 0);
    expect(bodies.inputs).toEqual([]);
  });
});

describe('a slow client', () => {});
