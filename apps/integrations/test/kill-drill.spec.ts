import { createProjectHook, pushReceived } from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { prepareIntegrationsReplicas } from './integrations-under-test';
import { Receiver } from './receiver';

// More shows the same faults in more time: DRILL_DELIVERIES=2000.
const count = Number(process.env.DRILL_DELIVERIES ?? 200);

describe(`${count} events and three hooks`, () => {
  let drill: Awaited<ReturnType<typeof prepareIntegrationsReplicas>>;
  let receiver: Receiver;
  beforeAll(async () => {
    [drill, receiver] = await Promise.all([prepareIntegrationsReplicas(), Receiver.start()]);
  }, 60_000);
  afterAll(async () => {
    await drill?.stop();
    await receiver?.stop();
  }, 60_000);

  it('are told each, in order, while workers are killed', async () => {
    const { bed, replicas } = drill;
    const [first, second] = await Promise.all([replicas.startReplica(), replicas.startReplica()]);
    await bed.set({ allow_local_requests_from_web_hooks_and_services: true });
    const project = bed.project();
    const paths = ['/a', '/b', '/c'];
    for (const path of paths)
      await bed.call(createProjectHook, { id: String(project.id), url: receiver.url(path) }, bed.as(project));
    const numbers = (path: string) => [...new Set(receiver.at(path).map(({ body }) => body.total_commits_count))];
    for (let n = 1; n <= count; n += 1) await bed.emit(pushReceived, bed.push(project, n));
    await eventually(async () => numbers('/a').length > count / 10, 'the first', 60_000);
    await first!.kill();
    await replicas.startReplica();
    await eventually(async () => numbers('/a').length > count / 2, 'half of them', 120_000);
    await second!.kill();
    const all = Array.from({ length: count }, (_, at) => at + 1);
    for (const path of paths) {
      await eventually(async () => numbers(path).length === count, `all at ${path}`, 240_000);
      expect(numbers(path)).toEqual(all);
    }
  }, 600_000);
});
