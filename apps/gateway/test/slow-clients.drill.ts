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

describe('a slow client', () => {
  it.each([
    [
      'JSON',
      head('/projects', 'content-type: application/json', 'private-token: ann', 'content-length: 1000'),
      () => Buffer.from(' '),
    ],
    ['an upload', multipartHead('/projects/1/uploads', 'private-token: ann'), () => chunk('x')],
    ['text in multipart', multipartHead('/runners'), () => chunk('x')],
  ])('is told so when it sends %s by single bytes', async (_name, lines, drop) => {
    const client = await rawClient(gateway, lines);
    if (lines[0]!.includes('uploads')) client.socket.write(chunk(filePart('file')));
    const drip = setInterval(() => client.socket.write(drop()), 100);
    await eventually(() => client.received().includes('}')).finally(() => clearInterval(drip));
    expect(client.received()).toMatch(/^HTTP\/1.1 408 .*{"message":"408 Request Timeout"}$/s);
    client.socket.end();
    await client.ended;
    await eventually(async () => (await ownTemporaryFiles('uploads')).length === 0);
  });

  it('may take as long as it likes at a fair rate', async () => {
    const text = `{"name":"a"${' '.repeat(64 * 1024)}}`;
    const client = await rawClient(
      gateway,
      head('/projects', 'content-type: application/json', 'private-token: ann', `content-length: ${text.length}`),
    );
    for (let at = 0; at < text.length; at += 2048) {
      client.socket.write(text.slice(at, at + 2048));
      await new Promise((resolve) => setTimeout(resolve, 80));
    }
    await eventually(() => client.received().includes('}'));
    expect(client.received()).toMatch(/^HTTP\/1.1 201/);
    client.socket.destroy();
  });

  it('is given up when it leaves an answer unread, and not while it waits for one', async () => {
    const large = { ...defaultApplicationSettings, name: 'x'.repeat(6 * megabyte) };
    gateway.stubs.respond(createProject, () => large as never);
    const body = '{"name":"a"}';
    const client = await rawClient(
      gateway,
      head('/projects', 'content-type: application/json', 'private-token: ann', `content-length: ${body.length}`),
    );
    client.socket.pause();
    client.socket.write(body);
    const before = Date.now();
    // Whoever does not read hears of the end by writing; that it writes does not help.
    const probe = setInterval(() => client.socket.write('\r\n'), 200);
    await client.ended.finally(() => clearInterval(probe));
    expect(Date.now() - before).toBeGreaterThan(1500);
    expect(client.received().length).toBeLessThan(6 * megabyte);
  });
});
