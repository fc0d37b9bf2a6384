import {
  answerStatusCheck,
  createExternalStatusCheck,
  createGroupHook,
  createMergeRequestTodo,
  createProjectHook,
  deleteExternalStatusCheck,
  deleteGroupHook,
  deleteProjectHook,
  getMergeRequest,
  listExternalStatusChecks,
  listGroupHookEvents,
  listGroupHooks,
  listProjectHookEvents,
  listProjectHooks,
  listStatusChecks,
  listTodos,
  MergeRequest,
  type Operation,
  resendGroupHookEvent,
  resendProjectHookEvent,
  retryStatusCheck,
  showRecords,
  testGroupHook,
  testProjectHook,
  updateExternalStatusCheck,
  updateGroupHook,
} from '@moothall/contracts';
import {
  callerNamed,
  contextOf,
  itUnderFaults,
  meetFaults,
  shareBetweenTests,
  throughFaults,
  uniqueId,
} from '@moothall/testing';
import { startWithReceiver } from './integrations-under-test';
import { viewOf } from './views';

meetFaults();

const integrations = shareBetweenTests(() => startWithReceiver());

type Ask = (operation: Operation, input?: object) => Promise<{ id: number; items: { id: number }[] }>;
type HookOperations = Record<'create' | 'list' | 'listEvents' | 'delete' | 'resend', Operation>;

/** Calls operations as a maintainer of a new project. */
function inProject(): Ask {
  const { bed } = integrations;
  const project = bed.project();
  const given = { id: String(project.id) };
  return (operation, input) => bed.call(operation, { ...given, ...input } as never, bed.as(project)) as never;
}

function inGroup(): Ask {
  const { bed } = integrations;
  const group = bed.group();
  const [given, as] = [{ id: String(group.id) }, contextOf({ caller: callerNamed('ada'), group })];
  return (operation, input) => bed.call(operation, { ...given, ...input } as never, as) as never;
}

const hookOf = async (ask: Ask, create: Operation) =>
  (await ask(create, { url: integrations.receiver.url('/hook') })).id;
const tested = (hook_id: number) => ({ hook_id, trigger: 'push_events' });

const ofHooks = (begin: () => Ask, hooks: HookOperations, test: Operation): Row[] => [
  [
    hooks.delete,
    async () => {
      const ask = begin();
      await ask(hooks.delete, { hook_id: await hookOf(ask, hooks.create) });
      expect((await ask(hooks.list)).items).toEqual([]);
    },
  ],
  [
    hooks.resend,
    async () => {
      const ask = begin();
      const hook_id = await hookOf(ask, hooks.create);
      await ask(test, tested(hook_id));
      const { items } = await ask(hooks.listEvents, { hook_id });
      await ask(hooks.resend, { hook_id, hook_event_id: items[0]!.id });
      // A delivery that failed may have arrived: receivers recognise its key.
      expect((await ask(hooks.listEvents, { hook_id, status: 'successful' })).items.length).toBeGreaterThan(1);
    },
  ],
];

/** An operation, and a call of it with assertions that must hold from then on. */
type Row = [operation: Operation, act: () => Promise<void>];

const ofProject = {
  create: createProjectHook,
  list: listProjectHooks,
  listEvents: listProjectHookEvents,
  delete: deleteProjectHook,
  resend: resendProjectHookEvent,
};
const ofGroup = {
  create: createGroupHook,
  list: listGroupHooks,
  listEvents: listGroupHookEvents,
  delete: deleteGroupHook,
  resend: resendGroupHookEvent,
};

const checkOf = async (ask: Ask) =>
  (await ask(createExternalStatusCheck, { name: 'lint', external_url: integrations.receiver.url('/check') })).id;
const tip = 'a'.repeat(40);
const onCheck = (external_status_check_id: number) => ({ merge_request_iid: 1, external_status_check_id });

function withMergeRequest(): Ask {
  const record = { ...viewOf(MergeRequest), iid: 1, sha: tip, target_branch: 'main' };
  integrations.under.respond(getMergeRequest, () => record as never);
  return inProject();
}

const ofChecks: Row[] = [
  [
    createExternalStatusCheck,
    async () => {
      const ask = inProject();
      const id = await checkOf(ask);
      expect((await ask(listExternalStatusChecks)).items).toMatchObject([{ id }]);
    },
  ],
  [
    updateExternalStatusCheck,
    async () => {
      const ask = inProject();
      const check_id = await checkOf(ask);
      await ask(updateExternalStatusCheck, { check_id, name: 'tidy' });
      expect((await ask(listExternalStatusChecks)).items).toMatchObject([{ id: check_id, name: 'tidy' }]);
    },
  ],
  [
    deleteExternalStatusCheck,
    async () => {
      const ask = inProject();
      await ask(deleteExternalStatusCheck, { check_id: await checkOf(ask) });
      expect((await ask(listExternalStatusChecks)).items).toEqual([]);
    },
  ],
  [
    answerStatusCheck,
    async () => {
      const ask = withMergeRequest();
      const id = await checkOf(ask);
      await ask(answerStatusCheck, { ...onCheck(id), sha: tip });
      expect((await ask(listStatusChecks, onCheck(id))).items).toMatchObject([{ id, status: 'passed' }]);
    },
  ],
  [
    retryStatusCheck,
    async () => {
      const ask = withMergeRequest();
      const id = await checkOf(ask);
      await ask(answerStatusCheck, { ...onCheck(id), sha: tip, status: 'failed' });
      await ask(retryStatusCheck, onCheck(id));
      expect((await ask(listStatusChecks, onCheck(id))).items).toMatchObject([{ id, status: 'pending' }]);
    },
  ],
];

const rows: Row[] = [
  ...ofChecks,
  ...ofHooks(inProject, ofProject, testProjectHook),
  ...ofHooks(inGroup, ofGroup, testGroupHook),
  [
    testGroupHook,
    async () => {
      const ask = inGroup();
      const hook_id = await hookOf(ask, createGroupHook);
      await ask(testGroupHook, tested(hook_id));
      const { items } = await ask(listGroupHookEvents, { hook_id, status: 'successful' });
      expect(items[0]).toMatchObject({ state: 'sent' });
    },
  ],
  [
    updateGroupHook,
    async () => {
      const ask = inGroup();
      const hook_id = await hookOf(ask, createGroupHook);
      await ask(updateGroupHook, { hook_id, issues_events: true });
      expect((await ask(listGroupHooks)).items).toMatchObject([
        { id: hook_id, push_events: true, issues_events: true },
      ]);
    },
  ],
  [
    createMergeRequestTodo,
    async () => {
      const { bed, under } = integrations;
      const [project, caller] = [bed.project(), callerNamed('ada')];
      const record = { ...viewOf(MergeRequest), id: uniqueId(), title: 'Crane' };
      under.respond(getMergeRequest, () => record as never);
      under.respond(showRecords, () => ({ issues: [], merge_requests: [record], notes: [] }) as never);
      const input = { id: String(project.id), merge_request_iid: 1 };
      await bed.call(createMergeRequestTodo, input, bed.as(project, caller));
      expect((await bed.call(listTodos, {}, contextOf({ caller }))).items).toMatchObject([
        { target: { id: record.id } },
      ]);
    },
  ],
];

// A failure of the database, NATS or Redis must not be answered as success, or leave a part.
itUnderFaults.each(rows.map(([operation, act]) => [operation.name, operation, act] as const))(
  '%s is done once if the answer was success',
  async (_name, operation, act) => {
    await throughFaults(integrations.under.client, operation, act);
  },
  120_000,
);
