import {
  createProjectHook,
  createSystemHook,
  hookErrors,
  isError,
  listSystemHooks,
  type ProjectRef,
  pushReceived,
} from '@moothall/contracts';
import { callerNamed, contextOf, eventually, uniqueId } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Delivery } from '../src/delivery/delivery.schema';
import type { HookOwner } from '../src/hook/hook.repository';
import type { Hook } from '../src/hook/hook.schema';
import { startIntegrationsService } from './integrations-under-test';
import { Receiver } from './receiver';

/* Many hooks of one project: all are delivered, and they do not block others. */

const servers = 8;

/** How many hooks receive pushes. An instance may have ten thousand, which take minutes: MANY_HOOKS=10000. */
const toldOfPushes = Number(process.env.MANY_HOOKS ?? 3_000);

let started: Awaited<ReturnType<typeof startIntegrationsService>>;
let receivers: Receiver[];
beforeAll(async () => {
  started = await startIntegrationsService();
  receivers = await Promise.all(Array.from({ length: servers + 1 }, () => Receiver.start()));
  await started.bed.set({ allow_local_requests_from_web_hooks_and_services: true });
});
afterAll(async () => {
  await started?.stop();
  await Promise.all((receivers ?? []).map((receiver) => receiver.stop()));
});

const hookTo = (project: ProjectRef, url: string) =>
  started.bed.call(createProjectHook, { id: String(project.id), url }, started.bed.as(project));

const modelOf = <T>(name: string): Model<T> =>
  started.under.running.app.get<Model<T>>(getModelToken(name), { strict: false });

/** That many copies of a hook. */
async function copyHook(owner: HookOwner, count: number, over: Partial<Hook> = {}): Promise<void> {
  const hooks = modelOf<Hook>('Hook');
  const hook = await hooks.findOne({ ...owner }).lean<Hook>();
  const copies = Array.from({ length: count }, () => ({ ...hook!, ...over, _id: 1_000_000 + uniqueId() }));
  await hooks.collection.insertMany(copies as never[]);
}

it('end at a thousand', async () => {
  const project = started.bed.project();
  await hookTo(project, receivers[0]!.url('/'));
  await copyHook({ kind: 'project', parentId: project.id }, 999);
  const refused = await hookTo(project, receivers[0]!.url('/')).catch((error: unknown) => error);
  expect(isError(refused, hookErrors.tooMany)).toBe(true);
});

describe('ten thousand of the instance', () => {
  // No server listens at this URL.
  const url = 'http://127.0.0.1:9/';
  const root = contextOf({ caller: callerNamed('root', { isAdmin: true }) });
  beforeAll(async () => {
    await started.bed.call(createSystemHook, { url, push_events: true }, root);
    const owner: HookOwner = { kind: 'system', parentId: null };
    await copyHook(owner, toldOfPushes - 1);
    await copyHook(owner, 10_000 - toldOfPushes, { switches: {} });
  });

  it('are the end', async () => {
    const refused = await started.bed.call(createSystemHook, { url }, root).catch((error: unknown) => error);
    expect(isError(refused, hookErrors.tooMany)).toBe(true);
  });

  it('each get one delivery of a large push, with one stored copy, while calls are answered', async () => {
    const deliveries = modelOf<Delivery>('Delivery');
    const ofPush = { createdAt: { $gte: new Date() } };
    const heapBefore = process.memoryUsage().heapUsed;
    let heapMost = heapBefore;
    let answered = 0;
    const message = 'x'.repeat(200_000);
    await started.bed.emit(pushReceived, started.bed.push(started.bed.project(), 1, { message }));
    const isLaidDown = async () => {
      await started.bed.call(listSystemHooks, {}, root);
      answered += 1;
      heapMost = Math.max(heapMost, process.memoryUsage().heapUsed);
      return (await deliveries.countDocuments(ofPush)) >= toldOfPushes;
    };
    await eventually(isLaidDown, 'a delivery to each', 120_000);
    const [lines, payloads] = [
      await deliveries.distinct('line', ofPush),
      await deliveries.distinct('payloadId', ofPush),
    ];
    // Their waiting deliveries are dropped.
    await modelOf<Hook>('Hook').deleteMany({ kind: 'system' });
    expect([lines.length, payloads.length]).toEqual([toldOfPushes, 1]);
    expect(answered).toBeGreaterThan(2);
    expect(heapMost - heapBefore).toBeLessThan(500 * 2 ** 20);
  }, 180_000);
});
