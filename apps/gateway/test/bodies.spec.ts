import {
  authorizeJobArtifact,
  createProject,
  defaultApplicationSettings,
  readApplicationSettings,
  runnerJobErrors,
  uploadFile,
  uploadJobArtifact,
} from '@moothall/contracts';
import { ownTemporaryFiles } from '@moothall/infrastructure';
import { callerNamed, eventually, projectNamed } from '@moothall/testing';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';
import { rawClient } from './raw-client';

/* Caller and rights are checked before bytes are read; bodies and answers have a minimum rate. */

let gateway: GatewayUnderTest;
const megabyte = 1024 ** 2;
let asked: unknown[] = [];

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ BODY_LEAST_RATE: '1KB', BODY_RATE_SPAN: '1', ANSWER_IDLE_TIMEOUT: '2' });
  gateway.knowCaller('ann', callerNamed('ann'));
  gateway.knowProject(projectNamed('own', { id: 1, accessLevel: 40 }));
  gateway.knowProject(projectNamed('hidden', { id: 2, accessLevel: 0 }));
  gateway.stubs.respond(readApplicationSettings, () => ({
    ...defaultApplicationSettings,
    max_attachment_size: 1,
  }));
  gateway.stubs.respond(uploadFile, (input) => {
    asked.push(input);
    return {} as never;
  });
  gateway.stubs.respond(authorizeJobArtifact, ({ id, token }) =>
    id === 7 && token === 'of job 7' ? { MaximumSize: megabyte } : runnerJobErrors.unknownToken(),
  );
  gateway.stubs.respond(uploadJobArtifact, (input) => {
    asked.push(input);
    return {} as never;
  });
  gateway.stubs.respond(createProject, (input) => {
    asked.push(input);
    return {} as never;
  });
  await gateway.stubs.received();
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  asked = [];
});

const head = (path: string, ...headers: string[]) => [`POST /api/v4${path} HTTP/1.1`, 'host: a', ...headers];
const multipartHead = (path: string, ...headers: string[]) =>
  head(path, 'content-type: multipart/form-data; boundary=B', 'transfer-encoding: chunked', ...headers);
const chunk = (text: string | Buffer) =>
  Buffer.concat([Buffer.from(`${text.length.toString(16)}\r\n`), Buffer.from(text), Buffer.from('\r\n')]);
const filePart = (name: string) =>
  `--B\r\ncontent-disposition: form-data; name="${name}"; filename="x"\r\n\r\n${'x'.repeat(100)}`;
const unended = 'content-length: 1000000000';

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
    ['a strange body for no route', head('/nowhere', 'content-type: text/strange', unended), '', 404],
    [
      'broken JSON for no method',
      ['DELETE /api/v4/version HTTP/1.1', 'host: a', 'content-type: application/json', unended],
      '{',
      405,
    ],
  ])('refuses %s', async (_name, lines, begin, status) => {
    const client = await rawClient(gateway, lines);
    if (begin) client.socket.write(lines.includes('transfer-encoding: chunked') ? chunk(begin) : begin);
    await eventually(() => client.received().includes('}'));
    expect(client.received()).toMatch(new RegExp(`^HTTP/1.1 ${status} .*connection: close.*{"(message|error)":`, 'is'));
    client.socket.end();
    await client.ended;
    expect(asked).toEqual([]);
    expect(await ownTemporaryFiles('uploads')).toEqual([]);
  });

  it('asks clients that wait for it to send, and refuses the others unsent', async () => {
    const json = ['content-type: application/json', 'expect: 100-continue'];
    const refused = await rawClient(gateway, head('/projects', ...json, unended));
    await eventually(() => refused.received().includes('}'));
    expect(refused.received()).toMatch(/^HTTP\/1.1 401/);
    refused.socket.destroy();
    const body = '{"name":"a"}';
    const client = await rawClient(
      gateway,
      head('/projects', ...json, 'private-token: ann', `content-length: ${body.length}`),
    );
    await eventually(() => client.received() !== '');
    expect(client.received()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    client.socket.write(body);
    await eventually(() => client.received().includes('201 Created'));
    client.socket.destroy();
  });

  it('lets a client that sends on read the answer', async () => {
    const client = await rawClient(gateway, multipartHead('/runners'));
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
  return gateway.fetch('/api/v4/projects/1/uploads', { method: 'POST', body, ...(token && { token }) });
};

describe('a multipart body', () => {
  it('takes files up to what the instance allows, and no byte more', async () => {
    expect((await upload(megabyte, {}, 'ann')).status).toBe(201);
    expect((await upload(megabyte + 1, {}, 'ann')).status).toBe(413);
    expect(asked).toHaveLength(1);
    await eventually(async () => (await ownTemporaryFiles('uploads')).length === 0);
  });

  it('of a caller that is no user is read after its service has accepted it', async () => {
    const send = async (token: string) => {
      const body = new FormData();
      body.set('file', new Blob([Buffer.alloc(10)]), 'x.zip');
      const headers = { 'job-token': token };
      return (await gateway.fetch('/api/v4/jobs/7/artifacts?artifact_type=junit', { method: 'POST', body, headers }))
        .status;
    };
    expect([await send('of job 7'), await send('of job 8')]).toEqual([201, 403]);
    expect(asked).toMatchObject([{ id: 7, token: 'of job 7', artifact_type: 'junit', artifact_format: 'zip' }]);
  });

  // C11
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
      gateway.fetch('/api/v4/runners', { method: 'POST', body: form, ...(token && { token }) });
    expect((await send(body(1, megabyte))).status).toBe(400);
    expect((await send(body(400, megabyte / 4))).status).toBe(413);
    expect((await send(body(1001, 1))).status).toBe(413);
    expect((await gateway.fetch('/api/v4/projects', { method: 'POST', body: body(3, megabyte) })).status).toBe(401);
  });

  it('leaves nothing behind when its client hangs up', async () => {
    const client = await rawClient(gateway, multipartHead('/projects/1/uploads', 'private-token: ann'));
    client.socket.write(chunk(filePart('file') + 'x'.repeat(100_000)));
    await eventually(async () => (await ownTemporaryFiles('uploads')).length === 1);
    client.socket.destroy();
    await eventually(async () => (await ownTemporaryFiles('uploads')).length === 0);
    expect(asked).toEqual([]);
  });
});

describe('a slow client', () => {});
