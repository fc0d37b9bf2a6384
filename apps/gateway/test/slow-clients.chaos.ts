import { createProject, defaultApplicationSettings } from '@moothall/contracts';
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

let bodies: BodiesUnderTest;
beforeAll(async () => {
  bodies = await startBodiesUnderTest();
});
afterAll(() => bodies?.stop());

describe('a slow client', () => {
  it.each([
    [
      'JSON',
      head('/projects', 'content-type: application/json', 'private-token: ann', 'content-length: 1000'),
      () => Buffer.from(' '),
    ],
    ['an upload', multipartHead('/projects/1/uploads', 'private-token: ann'), () => chunk('x')],
    ['text in multipart', multipartHead('/runners'), () => chunk('x')],
  ])('gets 408 when it sends %s byte by byte', async (_name, lines, drop) => {
    const client = await rawClient(bodies.gateway, lines);
    if (lines[0]!.includes('uploads')) client.socket.write(chunk(filePart('file')));
    const drip = setInterval(() => client.socket.write(drop()), 100);
    await eventually(() => client.received().includes('}')).finally(() => clearInterval(drip));
    expect(client.received()).toMatch(/^HTTP\/1.1 408 .*{"message":"408 Request Timeout"}$/s);
    client.socket.end();
    await client.ended;
    await eventually(async () => (await ownTemporaryFiles('uploads')).length === 0);
  });

  it('may take any time at a fair rate', async () => {
    const text = `{"name":"a"${' '.repeat(64 * 1024)}}`;
    const client = await rawClient(
      bodies.gateway,
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

  it('is disconnected if it does not read an answer, but not while it waits for one', async () => {
    const large = { ...defaultApplicationSettings, name: 'x'.repeat(6 * megabyte) };
    bodies.gateway.stubs.respond(createProject, () => large as never);
    const body = '{"name":"a"}';
    const client = await rawClient(
      bodies.gateway,
      head('/projects', 'content-type: application/json', 'private-token: ann', `content-length: ${body.length}`),
    );
    client.socket.pause();
    client.socket.write(body);
    const before = Date.now();
    // A client that does not read notices the end by writing; writing does not prolong the connection.
    const probe = setInterval(() => client.socket.write('\r\n'), 200);
    await client.ended.finally(() => clearInterval(probe));
    expect(Date.now() - before).toBeGreaterThan(1500);
    expect(client.received().length).toBeLessThan(6 * megabyte);
  });
});
