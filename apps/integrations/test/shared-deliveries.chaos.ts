import { createProjectHook, type ProjectRef, pushReceived } from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { startIntegrationsService } from './integrations-under-test';
import { Receiver } from './receiver';

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

it('let the one hook of another project receive before they end', async () => {
  const [own, ...others] = receivers as [Receiver, ...Receiver[]];
  const [project, other] = [started.bed.project(), started.bed.project()];
  const paths = Array.from({ length: ofEach }, (_, number) => `/slow/${number}`);
  for (const receiver of others) {
    for (const path of paths)
      receiver.answers.set(path, (response) => void setTimeout(() => response.end(), answeredAfterMs));
    await Promise.all(paths.map((path) => hookTo(project, receiver.url(path))));
  }
  await hookTo(other, own.url('/quick'));
  // A hook may receive twice if a process was suspended for longer than its lease of a delivery.
  const delivered = () => others.reduce((sum, { received }) => sum + new Set(received.map(({ path }) => path)).size, 0);
  let toldBefore = 0;
  own.answers.set('/quick', (response) => {
    toldBefore = delivered();
    response.end();
  });
  await push(project);
  await push(other);
  await eventually(async () => own.at('/quick').length === 1, 'the one');
  await eventually(async () => delivered() === servers * ofEach, 'the many');
  expect(toldBefore).toBeLessThan((servers * ofEach) / 2);
});
