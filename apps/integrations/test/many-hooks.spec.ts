import { createProjectHook, hookErrors, isError, type ProjectRef, pushReceived } from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Hook } from '../src/hook/hook.schema';
import { startIntegrationsService } from './integrations-under-test';
import { Receiver } from './receiver';

/* Many hooks of one project: there is an end to them, and they hold up nobody else. */

const servers = 8;
const ofEach = 60;
const answeredAfterMs = 200;

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
const push = (project: ProjectRef) => started.bed.emit(pushReceived, started.bed.push(project, 1));

it('have the one hook of another project told before their end', async () => {
  const [own, ...others] = receivers as [Receiver, ...Receiver[]];
  const [project, other] = [started.bed.project(), started.bed.project()];
  for (const receiver of others) {
    receiver.answers.set('/slow', (response) => void setTimeout(() => response.end(), answeredAfterMs));
    await Promise.all(Array.from({ length: ofEach }, () => hookTo(project, receiver.url('/slow'))));
  }
  await hookTo(other, own.url('/quick'));
  const told = () => others.reduce((sum, receiver) => sum + receiver.at('/slow').length, 0);
  let toldBefore = 0;
  own.answers.set('/quick', (response) => {
    toldBefore = told();
    response.end();
  });
  await push(project);
  await push(other);
  await eventually(async () => own.at('/quick').length === 1, 'the one', 30_000);
  await eventually(async () => told() === servers * ofEach, 'the many', 60_000);
  expect(toldBefore).toBeLessThan((servers * ofEach) / 2);
});

it('end at a thousand', async () => {
  const project = started.bed.project();
  await hookTo(project, receivers[0]!.url('/'));
  const model = started.under.running.app.get<Model<Hook>>(getModelToken('Hook'), { strict: false });
  const hook = await model.findOne({ kind: 'project', parentId: project.id }).lean<Hook>();
  await model.insertMany(Array.from({ length: 999 }, (_, at) => ({ ...hook, _id: 1_000_000 + at })));
  const refused = await hookTo(project, receivers[0]!.url('/')).catch((error: unknown) => error);
  expect(isError(refused, hookErrors.tooMany)).toBe(true);
});
