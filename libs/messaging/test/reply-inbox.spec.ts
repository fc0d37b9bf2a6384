import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import type { Msg, NatsConnection } from 'nats';
import { connectNats } from '../src';
import { ReplyInbox } from '../src/reply-inbox';

const nothing = { data: new Uint8Array(0) };

let infrastructure: TestInfrastructure;
let connection: NatsConnection;
let inbox: ReplyInbox;

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
});
afterAll(() => infrastructure.stop());

beforeEach(async () => {
  connection = await connectNats(infrastructure.natsUrl, 'test');
  inbox = new ReplyInbox(connection);
});
afterEach(() => connection.close());

/** A subscriber that answers on request of a test. */
class Responder {
  private readonly messages: Msg[] = [];
  private heard: () => void = () => undefined;

  constructor(subject: string) {
    connection.subscribe(subject, {
      callback: (_, message) => {
        this.messages.push(message);
        this.heard();
      },
    });
  }

  async next(): Promise<Msg> {
    while (this.messages.length === 0) {
      await new Promise<void>((resolve) => {
        this.heard = resolve;
      });
    }
    return this.messages.shift()!;
  }
}

it('matches replies to requests, in any order', async () => {
  const responder = new Responder('questions');
  const answers = ['first', 'second'].map((text) =>
    inbox.request('questions', { data: Buffer.from(text) }, 5_000).then((reply) => reply.string()),
  );
  const [first, second] = [await responder.next(), await responder.next()];
  second.respond(`answer to ${second.string()}`);
  first.respond(`answer to ${first.string()}`);
  expect(await Promise.all(answers)).toEqual(['answer to first', 'answer to second']);
});

it('refuses immediately without responders', async () => {
  await expect(inbox.request('nobody', nothing, 60_000)).rejects.toMatchObject({
    value: { code: 'common.unavailable' },
  });
});

it('refuses after the timeout, and ignores a late reply', async () => {
  const responder = new Responder('questions');
  const late = inbox.request('questions', nothing, 20);
  await expect(late).rejects.toMatchObject({ value: { code: 'common.timeout' } });
  (await responder.next()).respond('too late');
  const next = inbox.request('questions', nothing, 5_000);
  (await responder.next()).respond('in time');
  expect((await next).string()).toBe('in time');
});

it('accepts an empty reply', async () => {
  const responder = new Responder('questions');
  const answer = inbox.request('questions', nothing, 5_000);
  (await responder.next()).respond();
  expect((await answer).data).toHaveLength(0);
});

it('refuses pending and new requests when the connection is closed', async () => {
  const responder = new Responder('questions');
  const waiting = inbox.request('questions', nothing, 60_000);
  const refused = expect(waiting).rejects.toMatchObject({ value: { code: 'common.unavailable' } });
  await responder.next();
  await connection.close();
  await refused;
  await expect(inbox.request('questions', nothing, 60_000)).rejects.toMatchObject({
    value: { code: 'common.unavailable' },
  });
});
