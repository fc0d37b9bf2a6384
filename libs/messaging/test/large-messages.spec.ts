import type { Socket } from 'node:net';
import { commonErrors, internal, type Operation, operation, page, Reply, raw } from '@moothall/contracts';
import { ownTemporaryFiles, startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { Controller, Module } from '@nestjs/common';
import type { NatsConnection } from 'nats';
import { z } from 'zod';
import { connectNats, Handles, OperationClient, openLargeMessage, readLargeMessage } from '../src';
import { openLargeMessageStore, startTestService } from './test-service';

/* Answers and inputs that are too large for a message of NATS, and their effects on others. */

// Hundreds of megabytes pass here.
jest.setTimeout(120_000);

const megabyte = 1024 * 1024;
const trial = { access: internal() };
const sized = z.object({ bytes: z.int(), items: z.int().default(1) });
const getText = operation({ ...trial, name: 'trial.text.get', input: sized, output: raw() });
const listTexts = operation({ ...trial, name: 'trial.texts.list', input: sized, output: page(z.string()) });
const getRecord = operation({
  ...trial,
  name: 'trial.record.get',
  input: sized,
  output: z.object({ text: z.string() }),
});
const measureText = operation({
  ...trial,
  name: 'trial.text.measure',
  input: z.object({ text: z.string() }),
  output: z.object({ length: z.int() }),
});
const failAtLength = operation({ ...trial, name: 'trial.fail', input: sized, output: raw() });
const headAtLength = operation({ ...trial, name: 'trial.head', input: sized, output: raw() });

@Controller()
class Trial {
  @Handles(getText)
  async text(_: unknown, { bytes }: { bytes: number }) {
    return 'ü'.repeat(bytes / 2);
  }

  @Handles(listTexts)
  async texts(_: unknown, { bytes, items }: { bytes: number; items: number }) {
    return { items: Array.from({ length: items }, () => 'x'.repeat(bytes)), total: items };
  }

  @Handles(getRecord)
  async record(_: unknown, { bytes }: { bytes: number }) {
    return { text: 'x'.repeat(bytes) };
  }

  @Handles(measureText)
  async measure(_: unknown, { text }: { text: string }) {
    return { length: text.length };
  }

  @Handles(failAtLength)
  async fail(_: unknown, { bytes }: { bytes: number }): Promise<never> {
    throw commonErrors.badRequest('x'.repeat(bytes));
  }

  @Handles(headAtLength)
  async head(_: unknown, { bytes }: { bytes: number }) {
    return new Reply('', { headers: { link: 'x'.repeat(bytes) } });
  }
}

@Module({ controllers: [Trial] })
class TrialModule {}

const operations = [getText, listTexts, getRecord, measureText, failAtLength, headAtLength] as Operation[];

let infrastructure: TestInfrastructure;
let connection: NatsConnection;
let service: Awaited<ReturnType<typeof openLargeMessageStore>>;
let caller: Awaited<ReturnType<typeof openLargeMessageStore>>;
let client: OperationClient;
let running: Awaited<ReturnType<typeof startTestService>>;

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  connection = await connectNats(infrastructure.natsUrl, 'test');
  [service, caller] = [await openLargeMessageStore(), await openLargeMessageStore()];
  client = new OperationClient(connection, caller.largeMessages);
  running = await startTestService(
    TrialModule,
    { service: 'trial', connection, largeMessages: service.largeMessages },
    operations,
  );
});
afterAll(async () => {
  await running.app.close();
  await Promise.all([service.close(), caller.close()]);
  await connection.close();
  await infrastructure.stop();
});

/** Bodies on disk that may still be fetched. */
const waiting = async (): Promise<number> => (await ownTemporaryFiles('parcels')).length;

describe('an answer', () => {
  it.each([100, megabyte - 2, megabyte, megabyte + 2, 20 * megabyte])(
    'of a text of %d bytes arrives',
    async (bytes) => {
      expect(Buffer.byteLength(await client.call(getText, { bytes }))).toBe(bytes);
    },
  );

  it('with surrogate pairs arrives unchanged, wherever it is split', async () => {
    const texts = ['x', '😀'.repeat(megabyte)];
    const parcel = await service.largeMessages.keep({ texts });
    expect(Buffer.from(await readLargeMessage(parcel)).toString() === texts.join('')).toBe(true);
  });

  it('of one large record arrives', async () => {
    expect((await client.call(getRecord, { bytes: 12 * megabyte })).text).toHaveLength(12 * megabyte);
  });

  it('of 100 items of a megabyte each arrives, twice concurrently, with its total', async () => {
    const asked = { bytes: megabyte, items: 100 };
    const lists = await Promise.all([client.call(listTexts, asked), client.call(listTexts, asked)]);
    for (const { items, total } of lists) {
      expect(total).toBe(100);
      expect(items.map((item) => item.length)).toEqual(Array(100).fill(megabyte));
    }
    const { meta } = await client.send(listTexts, listTexts.input.parse(asked), { requestId: '1' });
    expect(meta.parcel).toMatchObject({ items: 100, sizeBytes: 100 * (megabyte + 3) + 1 });
    for await (const _ of await openLargeMessage(meta.parcel!));
  });

  it('whose error or headers are too large fails only that request', async () => {
    const small = client.call(getText, { bytes: 100 });
    const failing = [
      client.call(failAtLength, { bytes: 9 * megabyte }),
      client.call(headAtLength, { bytes: 9 * megabyte }),
    ];
    const after = client.call(getText, { bytes: 100 });
    for (const failed of failing) await expect(failed).rejects.toMatchObject({ value: { code: 'common.internal' } });
    expect([(await small).length, (await after).length]).toEqual([50, 50]);
  });

  it('is deleted after it was read, and can be read once', async () => {
    const { meta } = await client.send(getRecord, { bytes: 2 * megabyte }, { requestId: '1' });
    expect(await waiting()).toBe(1);
    for await (const _ of await openLargeMessage(meta.parcel!));
    expect(await waiting()).toBe(0);
    await expect(openLargeMessage(meta.parcel!)).rejects.toMatchObject({ value: { code: 'common.unavailable' } });
  });

  it('is not returned without a token', async () => {
    const { meta } = await client.send(getRecord, { bytes: 2 * megabyte }, { requestId: '1' });
    const forged = { ...meta.parcel!, url: meta.parcel!.url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) };
    await expect(openLargeMessage(forged)).rejects.toMatchObject({ value: { code: 'common.unavailable' } });
    for await (const _ of await openLargeMessage(meta.parcel!));
  });

  it('that is cut off half way does not count as complete', async () => {
    const dying = await openLargeMessageStore();
    const parcel = await dying.largeMessages.keep({ texts: ['x'.repeat(20 * megabyte)] });
    const sockets: Socket[] = [];
    const { server } = dying.dataPort as unknown as {
      server: { on(name: string, hear: (socket: Socket) => void): void };
    };
    server.on('connection', (socket) => sockets.push(socket));
    const body = await openLargeMessage(parcel);
    const read = (async () => {
      let length = 0;
      for await (const chunk of body) {
        length += (chunk as Buffer).length;
        for (const socket of sockets) socket.destroy();
      }
      return length;
    })();
    await expect(read).rejects.toThrow();
    await dying.close();
  });
});

describe('an input', () => {
  it('larger than a message arrives, twice concurrently', async () => {
    const texts = ['x'.repeat(12 * megabyte), '\u0001'.repeat(5 * megabyte)];
    const measured = await Promise.all(texts.map((text) => client.call(measureText, { text })));
    expect(measured.map(({ length }) => length)).toEqual(texts.map(({ length }) => length));
    expect(await waiting()).toBe(0);
  });

  it('is refused if it cannot be stored, and the others of its turn are sent', async () => {
    const plain = new OperationClient(connection);
    const small = plain.call(measureText, { text: 'small' });
    const refused = plain.call(measureText, { text: 'x'.repeat(12 * megabyte) });
    await expect(refused).rejects.toMatchObject({ value: { code: 'common.too_large' } });
    expect(await small).toEqual({ length: 5 });
  });

  it('whose context is larger than a message is refused, and the others of its turn are sent', async () => {
    const agent = { ip: '127.0.0.1', userAgent: 'x'.repeat(9 * megabyte) };
    const refused = client.call(measureText, { text: 'a' }, { client: agent });
    const small = client.call(measureText, { text: 'small' });
    await expect(refused).rejects.toMatchObject({ value: { code: 'common.too_large' } });
    expect(await small).toEqual({ length: 5 });
  });
});
