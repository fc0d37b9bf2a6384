import {
  createGroupHook,
  createProjectHook,
  createSystemHook,
  pushReceived,
  setIntegration,
  updateProjectHook,
} from '@moothall/contracts';
import { callerNamed, contextOf, describeWithoutFaults, eventually } from '@moothall/testing';
import { prepareIntegrationsReplicas } from './integrations-under-test';
import { Receiver } from './receiver';

/* A new subscriber receives the next event, whichever replica had cached that there is none. */

const rounds = 5;

describeWithoutFaults('two replicas that know that nobody wants to be told', () => {
  let prepared: Awaited<ReturnType<typeof prepareIntegrationsReplicas>>;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start();
    prepared = await prepareIntegrationsReplicas();
    await prepared.bed.set({ allow_local_requests_from_web_hooks_and_services: true });
    await Promise.all([prepared.replicas.startReplica(), prepared.replicas.startReplica()]);
  });
  afterAll(async () => {
    await prepared?.stop();
    await receiver?.stop();
  });

  const parents = () => {
    const { bed } = prepared;
    const group = bed.group();
    const project = bed.project({ groupIds: [group.id] });
    return { group, project, at: { id: String(project.id) } };
  };
  type Parents = ReturnType<typeof parents>;

  const root = () => contextOf({ caller: callerNamed('root', { isAdmin: true }) });
  const isSubscribed = (path: string) => ({ url: receiver.url(path), push_events: true });

  const arrivals: Record<string, (parents: Parents, path: string) => Promise<unknown>> = {
    'a hook of the project': ({ project, at }, path) =>
      prepared.bed.call(createProjectHook, { ...at, ...isSubscribed(path) }, prepared.bed.as(project)),
    'a hook of the group above': ({ group }, path) =>
      prepared.bed.call(
        createGroupHook,
        { id: String(group.id), ...isSubscribed(path) },
        contextOf({ caller: callerNamed('ada'), group }),
      ),
    'a hook that is switched on': async ({ project, at }, path) => {
      const { bed } = prepared;
      const hook = { ...at, ...isSubscribed(path), push_events: false };
      const { id: hook_id } = await bed.call(createProjectHook, hook, bed.as(project));
      await tellNobody(project);
      await bed.call(updateProjectHook, { ...at, ...isSubscribed(path), hook_id }, bed.as(project));
    },
    'an integration': ({ project, at }, path) => {
      const settings: object = { webhook: receiver.url(path) };
      return prepared.bed.call(setIntegration, { ...at, slug: 'slack', ...settings }, prepared.bed.as(project));
    },
    'a hook of the instance': (_, path) => prepared.bed.call(createSystemHook, isSubscribed(path), root()),
  };

  const push = (project: Parents['project']) =>
    prepared.bed.emit(pushReceived, prepared.bed.push(project, 1, { before: 'b'.repeat(40) }));

  let sentinel: Parents | undefined;
  let sentinels = 0;
  /** Each replica has consumed pushes without a subscriber. A later delivery proves it, because events are consumed in order. */
  async function tellNobody(project: Parents['project']): Promise<void> {
    const { bed } = prepared;
    if (!sentinel) {
      sentinel = parents();
      await bed.call(createProjectHook, { ...sentinel.at, ...isSubscribed('/sentinel') }, bed.as(sentinel.project));
    }
    for (let n = 0; n < 6; n++) await push(project);
    await push(sentinel.project);
    sentinels += 1;
    await eventually(async () => receiver.at('/sentinel').length >= sentinels, 'the push after those');
  }

  it.each(Object.keys(arrivals))('send %s of the next push', async (arrival) => {
    for (let round = 0; round < rounds; round++) {
      const there = parents();
      await tellNobody(there.project);
      const path = `/${arrival.replaceAll(' ', '-')}-${round}`;
      await arrivals[arrival]!(there, path);
      await push(there.project);
      await eventually(async () => receiver.at(path).length > 0, `${arrival}, round ${round}`);
    }
  });
});
