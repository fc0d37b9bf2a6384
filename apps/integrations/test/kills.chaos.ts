import {
  compareRefs,
  createGroupHook,
  createProjectHook,
  createSystemHook,
  pushReceived,
  setIntegration,
} from '@moothall/contracts';
import { makeTokenKey } from '@moothall/infrastructure';
import { callerNamed, contextOf, describeWithoutFaults, eventually, type Replica } from '@moothall/testing';
import { prepareIntegrationsReplicas } from './integrations-under-test';
import { Mailbox } from './mailbox';
import { commit, comparison } from './payloads';
import { Receiver } from './receiver';

// More deliveries show the same faults in more time: CHAOS_DELIVERIES=2000.
const count = Number(process.env.CHAOS_DELIVERIES ?? 100);
const patienceMs = 240_000;
const recipient = 'ada@x.example';

describeWithoutFaults(`${count} pushes, told to hooks by https and by mail`, () => {
  let setup: Awaited<ReturnType<typeof prepareIntegrationsReplicas>>;
  let receiver: Receiver;
  let mailbox: Mailbox;
  beforeAll(async () => {
    const { privateKey, certificate } = await makeTokenKey();
    [receiver, mailbox] = await Promise.all([Receiver.start({ key: privateKey, cert: certificate }), Mailbox.start()]);
    // Longer than a fault: a receiver without an answer must not count as failed.
    setup = await prepareIntegrationsReplicas({ SMTP_URL: mailbox.url, DELIVERY_TIMEOUT: '60' });
  });
  afterAll(async () => {
    await setup?.stop();
    await Promise.all([receiver?.stop(), mailbox?.stop()]);
  });

  /** From this push on, no receiver answers for now, so that a kill hits calls to each of them. */
  let unanswered = Number.POSITIVE_INFINITY;
  const held: (() => void)[] = [];
  const answer = (number: number, send: () => void) => {
    if (number < unanswered) send();
    else held.push(send);
  };
  const answerAll = () => {
    unanswered = Number.POSITIVE_INFINITY;
    for (const send of held.splice(0)) send();
  };

  /** Receivers of all kinds for pushes to a project; for each, the received numbers in order. */
  async function listeners() {
    const { bed } = setup;
    const group = bed.group();
    const project = bed.project({ groupIds: [group.id] });
    const at = { id: String(project.id) };
    const unsigned = { enable_ssl_verification: false };
    const ofProject = { ...at, ...unsigned, url: receiver.url('/project') };
    await bed.call(createProjectHook, ofProject, bed.as(project));
    const ofGroup = { ...unsigned, id: String(group.id), url: receiver.url('/group') };
    await bed.call(createGroupHook, ofGroup, contextOf({ caller: callerNamed('ada'), group }));
    const ofInstance = { ...unsigned, url: receiver.url('/instance'), push_events: true };
    await bed.call(createSystemHook, ofInstance, contextOf({ caller: callerNamed('root', { isAdmin: true }) }));
    const mails: object = { recipients: recipient };
    await bed.call(setIntegration, { ...at, slug: 'emails-on-push', ...mails }, bed.as(project));
    const hook = (path: string) => {
      receiver.answers.set(path, (response, { body }) => answer(Number(body.after), () => response.end()));
      return () => receiver.at(path).map(({ body }) => Number(body.after));
    };
    mailbox.takes = ({ text }, taken) => answer(numberIn(text), taken);
    return {
      project,
      payload: {
        'the hook of the project': hook('/project'),
        'the hook of the group': hook('/group'),
        'the hook of the instance': hook('/instance'),
        'the recipient of mails': () => mailbox.to(recipient).map(({ text }) => numberIn(text)),
      },
    };
  }

  it('arrive, each once or more and in order, while workers, NATS and Redis are killed', async () => {
    const { bed, replicas } = setup;
    await bed.set({ allow_local_requests_from_web_hooks_and_services: true });
    replicas.respond(compareRefs, () => comparison);
    const start = () => replicas.startReplica();
    let workers: Replica[] = await Promise.all([start(), start()]);
    const { project, payload } = await listeners();

    const push = (n: number) => {
      const after = String(n).padStart(40, '0');
      const commits = [{ ...commit(`Push ${n}`, after), added: [], modified: ['wheel.txt'], removed: [] }];
      const over = { before: 'b'.repeat(40), commits, total_commits_count: 1 };
      return bed.emit(pushReceived, bed.push(project, n, over));
    };
    const heardBy = Object.entries(payload);
    /** Including those whose work was lost before. */
    const allHear = (last: number) =>
      Promise.all(
        heardBy.map(([name, numbers]) =>
          eventually(() => numbers().some((number) => number >= last), `push ${last} for ${name}`, patienceMs),
        ),
      );

    const faults = [
      () => replicas.restart('nats'),
      () => replicas.restart('redis'),
      async () => {
        await workers.shift()!.kill();
        workers.push(await start());
      },
      async () => {
        await Promise.all([
          replicas.restart('nats'),
          replicas.restart('redis'),
          ...workers.map((worker) => worker.kill()),
        ]);
        workers = await Promise.all([start(), start()]);
      },
    ];
    let sent = 0;
    const sendUpTo = async (last: number) => {
      while (sent < last) await push(++sent);
    };
    for (const [at, fault] of faults.entries()) {
      const share = count / faults.length;
      unanswered = sent + 5;
      await sendUpTo(Math.floor((at + 0.5) * share));
      await allHear(unanswered);
      await Promise.all([fault(), sendUpTo(Math.floor((at + 1) * share))]);
      answerAll();
    }
    const all = Array.from({ length: count }, (_, at) => at + 1);
    await sendUpTo(count);
    await allHear(count);
    for (const [name, numbers] of heardBy) {
      expect([name, [...new Set(numbers())]]).toEqual([name, all]);
      expect([name, numbers()]).toEqual([name, numbers().toSorted((a, b) => a - b)]);
    }
  }, 900_000);
});

const numberIn = (mail: string): number => Number(/^Push (\d+)\s*$/m.exec(mail)?.[1]);
