import {
  commonErrors,
  getMetadata,
  getVersion,
  type Operation,
  Reply,
  userIdsByUsername,
  userSummaries,
} from '@moothall/contracts';
import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NatsConnection } from 'nats';
import { connectNats, Handles, type LargeMessageStore, OperationClient, OperationServer } from '../src';
import { openLargeMessageStore, startTestService } from './test-service';

/* Operations over real NATS, with contracts of identity; the controller replaces the service. */

let infrastructure: TestInfrastructure;
let connection: NatsConnection;
let client: OperationClient;
let largeMessages: LargeMessageStore;
let closeLargeMessages: () => Promise<void>;

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  connection = await connectNats(infrastructure.natsUrl, 'test');
  client = new OperationClient(connection);
  ({ largeMessages, close: closeLargeMessages } = await openLargeMessageStore());
});
afterAll(async () => {
  await closeLargeMessages();
  await connection.close();
  await infrastructure.stop();
});

let hold: Promise<void> = Promise.resolve();

let failure = 'a secret of the inside';

@Controller()
class Answers {
  @Handles(getVersion)
  async version(context: { requestId: string }) {
    await hold;
    return { version: '13.6.0', revision: context.requestId };
  }

  @Handles(getMetadata)
  async metadata(): Promise<never> {
    throw commonErrors.conflict('already there');
  }

  @Handles(userSummaries)
  async summaries(): Promise<never> {
    throw new Error(failure);
  }

  @Handles(userIdsByUsername)
  async ids(_context: unknown, { usernames }: { usernames: string[] }) {
    return new Reply(
      usernames.map((username, index) => ({ id: index + 1, username })),
      { status: 202 },
    );
  }
}

@Module({ controllers: [Answers] })
class AnswersModule {}

const answered = [getVersion, getMetadata, userSummaries, userIdsByUsername] as Operation[];
const refusalOf = (error: unknown) =>
  String(error).includes('the database hung up') ? commonErrors.unavailable() : undefined;
const options = () => ({ service: 'identity', connection, largeMessages, refusalOf, checkOutput: true });
const start = () => startTestService(AnswersModule, options(), answered);

it('returns 503 immediately if nothing serves the operation', async () => {
  await expect(client.call(getVersion, {})).rejects.toMatchObject({ value: { code: 'common.unavailable' } });
});

it('refuses to start while an operation of the service has no handler', async () => {
  const strategy = new OperationServer({ service: 'identity', connection, largeMessages });
  const app = await NestFactory.createMicroservice(AnswersModule, { strategy, logger: false });
  await expect(app.listen()).rejects.toThrow(/operations without a handler: .*identity\.users\.list/);
});

describe('a running service', () => {
  let running: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => running.app.close());

  it('replies, and gets the context that was sent along', async () => {
    expect(await client.call(getVersion, {}, { requestId: 'ü-1' })).toEqual({ version: '13.6.0', revision: 'ü-1' });
  });

  it('hands on errors as values, with their own text', async () => {
    await expect(client.call(getMetadata, {})).rejects.toMatchObject({
      value: { code: 'common.conflict', message: 'already there' },
    });
  });

  it('hides internal errors', async () => {
    await expect(client.call(userSummaries, { ids: [1] })).rejects.toMatchObject({
      value: { code: 'common.internal' },
      message: expect.not.stringContaining('secret'),
    });
  });

  // Requests of a killed database were answered 500, as if something were wrong with them.
  it('returns 503 while one of its dependencies is unavailable', async () => {
    failure = 'the database hung up';
    await expect(client.call(userSummaries, { ids: [1] })).rejects.toMatchObject({
      value: { code: 'common.unavailable' },
    });
  });

  it('carries a status beside the body', async () => {
    const reply = await client.send(userIdsByUsername, { usernames: ['a'] }, { requestId: '1' });
    expect(reply.meta).toEqual({ status: 202 });
    expect(JSON.parse(Buffer.from(reply.body).toString())).toEqual([{ id: 1, username: 'a' }]);
  });

  it('cuts the texts of an answer for callers that show only their beginnings', async () => {
    const asked = { requestId: '12345', longestText: 3 };
    expect(await client.call(getVersion, {}, asked)).toEqual({ version: '13.', revision: '123' });
    const reply = await client.send(userIdsByUsername, { usernames: ['abcdef'] }, asked);
    expect(reply.meta).toEqual({ status: 202 });
    expect(JSON.parse(Buffer.from(reply.body).toString())).toEqual([{ id: 1, username: 'abc' }]);
  });

  it('answers many concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, index) => client.call(getVersion, {}, { requestId: String(index) })),
    );
    expect(answers.map(({ revision }) => revision)).toEqual(Array.from({ length: 500 }, (_, index) => String(index)));
  });
});

it('finishes running requests before it closes', async () => {
  const { app, server } = await start();
  let release = () => {};
  hold = new Promise((resolve) => {
    release = resolve;
  });
  const answer = client.call(getVersion, {});
  // Requests are sent at the end of their turn.
  await new Promise((resolve) => setImmediate(resolve));
  await connection.flush();
  const closed = server.close();
  release();
  expect(await answer).toMatchObject({ version: '13.6.0' });
  await closed;
  await expect(client.call(getVersion, {})).rejects.toMatchObject({ value: { code: 'common.unavailable' } });
  await app.close();
});
