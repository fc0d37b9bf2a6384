import { Access, type AccessLevel, type Caller } from '@moothall/contracts';
import type { EpicDocument } from '../epic/epic.schema';
import type { IssueDocument } from '../issue/issue.schema';
import type { MergeRequestDocument } from '../merge-request/record/merge-request.schema';
import { epicActions } from './epic-actions';
import { issueActions } from './issue-actions';
import { mergeRequestActions } from './merge-request-actions';
import { type Effect, mayUse, type QuickActionRequest, type QuickActions } from './quick-action';

const caller = { id: 7, username: 'ann' } as Caller;
const labels = [
  { _id: 1, title: 'bug' },
  { _id: 2, title: 'late' },
];
const people = [
  { id: 8, username: 'bob' },
  { id: 9, username: 'eve' },
];
/** A project with two labels and two users, of whom one may read it. */
const named = {
  findLabels: async (argument: string) => labels.filter(({ title }) => argument.includes(title)),
  findMilestone: async (argument: string) => (argument === '%1.0' ? { _id: 5, title: '1.0' } : null),
  findIteration: async (argument: string) =>
    argument === '*iteration:7' ? { _id: 7, title: null, startDate: '2020-10-01', dueDate: '2020-10-15' } : undefined,
  findPeople: async (argument: string) => ({
    count: argument === '' ? 0 : argument.split(' ').length,
    found: people.filter(({ username }) => argument.includes(username)),
  }),
  assignees: {
    filterAllowed: async (_: unknown, ids: number[]) => ids.filter((id) => id === 8),
    combine: (before: number[], added: number[]) => [...new Set([...before, ...added])],
  },
} as unknown as QuickActionRequest<never>['named'];

async function effectOf<T>(
  { actions }: QuickActions<T>,
  current: Partial<T>,
  name: string,
  argument = '',
): Promise<Effect | undefined> {
  const request = {
    document: current,
    caller,
    project: {},
    owners: [],
    model,
    named,
  } as unknown as QuickActionRequest<T>;
  return (await actions[name]!.prepare(argument, request))?.(current as T);
}

/** Writes besides the changes of records. */
const written: object[] = [];
const model = {
  updateOne: async (filter: object, update: object) => {
    written.push(filter, update);
    return { matchedCount: 1 };
  },
};

const onIssue = (issue: Partial<IssueDocument>, name: string, argument?: string) =>
  effectOf(issueActions, issue, name, argument);
const onEpic = (epic: Partial<EpicDocument>, name: string, argument?: string) =>
  effectOf(epicActions, epic, name, argument);
const onMergeRequest = (mergeRequest: Partial<MergeRequestDocument>, name: string, argument?: string) =>
  effectOf(mergeRequestActions, mergeRequest, name, argument);

describe('quick actions on an issue', () => {
  it.each([
    ['close', '', { state: 'closed', silent: {} }, { state_event: 'close' }, 'Closed this issue.'],
    ['title', 'New', { title: 'New' }, { title: 'New' }, 'Changed the title to "New".'],
    ['label', '~bug', { addLabelIds: [1] }, { add_label_ids: [1] }, 'Added ~bug labels.'],
    ['unlabel', '~bug ~late', { removeLabelIds: [1, 2] }, { remove_label_ids: [1, 2] }, 'Removed ~bug ~late labels.'],
    ['remove_label', '', { removeLabelIds: [1, 4] }, { remove_label_ids: [1, 4] }, 'Removed all labels.'],
    ['relabel', '~late', { labelIds: [2] }, { label_ids: [2] }, 'Replaced all labels with ~late.'],
    ['assign', '@bob @eve', { assigneeIds: [9, 8] }, { assignee_ids: [9, 8] }, 'Assigned @bob.'],
    ['reassign', '@bob', { assigneeIds: [8] }, { assignee_ids: [8] }, 'Assigned @bob.'],
    ['unassign', '@eve', { assigneeIds: [] }, { assignee_ids: [] }, 'Removed assignee @eve.'],
    ['unassign', '', { assigneeIds: [] }, { assignee_ids: [] }, 'Removed assignee.'],
    ['milestone', '%1.0', { milestoneId: 5 }, { milestone_id: 5 }, 'Set the milestone to %1.0.'],
    [
      'iteration',
      '*iteration:7',
      { iterationId: 7 },
      { iteration_id: 7 },
      'Set the iteration to *iteration:"2020-10-01 - 2020-10-15".',
    ],
    ['remove_iteration', '', { iterationId: null }, { iteration_id: null }, 'Removed the iteration.'],
    ['due', '2020-10-15', { dueDate: '2020-10-15' }, { due_date: '2020-10-15' }, 'Set the due date to 2020-10-15.'],
    ['weight', '3', { weight: 3 }, { weight: 3 }, 'Set weight to 3.'],
    ['estimate', '1h', { silent: { timeEstimate: 3600 } }, { time_estimate: 3600 }, 'Set time estimate to 1h.'],
    ['spend', '1m', { silent: { timeSpent: 160 } }, { spend_time: { duration: 60 } }, 'Added 1m spent time.'],
    ['lock', '', { discussionLocked: true }, { discussion_locked: true }, 'Locked the discussion.'],
  ])('/%s %s', async (name, argument, patch, changes, summary) => {
    const issue = { labelIds: [1, 4], assigneeIds: [9], timeSpent: 100 };
    expect(await onIssue(issue, name, argument)).toEqual({ patch, changes, summary });
  });

  it.each([
    ['label', '~unknown'],
    ['relabel', '~unknown'],
    ['assign', '@eve'],
    ['assign', '@nobody'],
    ['unassign', '@nobody'],
    ['milestone', '%2.0'],
    ['iteration', '*iteration:8'],
    ['due', 'soon'],
    ['weight', 'heavy'],
    ['estimate', 'long'],
    ['title', ''],
    ['title', 'x'.repeat(256)],
  ])('/%s %s does nothing', async (name, argument) => {
    expect(await onIssue({ labelIds: [], assigneeIds: [9] }, name, argument)).toBeUndefined();
  });

  it('is computed from the current issue when it is written', async () => {
    const effectOn = await issueActions.actions.spend!.prepare('1m', {} as never);
    expect([0, 60].map((timeSpent) => effectOn!({ timeSpent } as IssueDocument)?.patch.silent)).toEqual([
      { timeSpent: 60 },
      { timeSpent: 120 },
    ]);
  });
});

describe('quick actions on a merge request', () => {
  it('close and reopen only if the state allows it', async () => {
    expect(await onMergeRequest({ state: 'merged' }, 'close')).toBeUndefined();
    expect(await onMergeRequest({ state: 'opened' }, 'reopen')).toBeUndefined();
    expect((await onMergeRequest({ state: 'opened' }, 'close'))?.patch).toEqual({
      state: 'closed',
      silent: { openKey: null, autoMerge: null },
    });
    const reopened = await onMergeRequest({ state: 'closed', sourceBranch: 'a', targetBranch: 'b' }, 'reopen');
    expect(reopened).toMatchObject({
      patch: { silent: { mergeStatus: 'unchecked' } },
      summary: 'Reopened this merge request.',
    });
  });

  it.each([
    ['draft', false, 'Parser', 'Draft: Parser'],
    ['wip', true, 'Draft: Parser', 'Parser'],
    ['ready', true, 'Draft: Parser', 'Parser'],
    ['ready', false, 'Parser', 'Parser'],
  ])('/%s with draft %p changes %p to %p', async (name, isDraft, title, expected) => {
    expect((await onMergeRequest({ isDraft, title }, name))?.patch.title).toBe(expected);
  });

  it('removes all labels only from an issue', async () => {
    expect(await onMergeRequest({ labelIds: [1] }, 'unlabel')).toBeUndefined();
  });
});

describe('quick actions on an epic', () => {
  it.each([
    ['close', '', { state: 'closed', silent: {} }, { state_event: 'close' }, 'Closed this epic.'],
    ['relabel', '~late', { labelIds: [2] }, { label_ids: [2] }, 'Replaced all labels with ~late.'],
    ['unlabel', '', { removeLabelIds: [1, 4] }, { remove_label_ids: [1, 4] }, 'Removed all labels.'],
    ['confidential', '', { confidential: true }, { confidential: true }, 'Made this epic confidential.'],
  ])('/%s %s', async (name, argument, patch, changes, summary) => {
    expect(await onEpic({ labelIds: [1, 4] }, name, argument)).toEqual({ patch, changes, summary });
  });

  it.each(['assign', 'milestone', 'due', 'weight', 'spend'])('has no /%s', (name) => {
    expect(epicActions.actions[name]).toBeUndefined();
  });
});

describe('a subscription by a quick action', () => {
  const people = { authorId: 1, assigneeIds: [], participantIds: [], subscriberIds: [], unsubscriberIds: [] };
  const everybody = Array.from({ length: 10_000 }, (_, at) => 100 + at);
  beforeEach(() => written.splice(0));

  it('is not added to a record with too many subscribers', async () => {
    expect(await onIssue({ ...people, subscriberIds: everybody }, 'subscribe')).toBeUndefined();
  });

  it('is added only to a record with room', async () => {
    expect(await (await onIssue({ ...people, _id: 3 }, 'subscribe'))?.write?.()).toBe(true);
    expect(written).toEqual([
      { _id: 3, 'subscriberIds.9999': { $exists: false } },
      { $addToSet: { subscriberIds: 7 }, $pull: { unsubscriberIds: 7 } },
    ]);
  });

  it('is removed, however many others were removed', async () => {
    const issue = { ...people, _id: 3, subscriberIds: [7], unsubscriberIds: everybody };
    expect(await (await onIssue(issue, 'unsubscribe'))?.write?.()).toBe(true);
    expect(written[1]).toMatchObject({ $push: { unsubscriberIds: { $each: [7], $slice: -10_000 } } });
  });

  it('is not written if nothing changes', async () => {
    const effect = await onIssue({ ...people, subscriberIds: [7] }, 'subscribe');
    expect(effect).toEqual({
      patch: {},
      changes: { subscription_event: 'subscribe' },
      summary: 'Subscribed to this issue.',
    });
  });
});

describe('rights to quick actions', () => {
  const may = <T>({ actions, ...editing }: QuickActions<T>, name: string, accessLevel: AccessLevel, authorId: number) =>
    mayUse(actions[name] as never, editing, { document: { authorId } as never, accessLevel, caller });

  it.each([
    ['close', Access.Guest, 7, true],
    ['close', Access.Guest, 1, false],
    ['close', Access.Reporter, 1, true],
    ['label', Access.Guest, 7, false],
    ['label', Access.Reporter, 1, true],
    ['subscribe', Access.None, 1, true],
    ['award', Access.None, 1, true],
  ])('/%s on an issue, at level %p, of author %p: %p', (name, level, authorId, expected) =>
    expect(may(issueActions, name, level, authorId)).toBe(expected),
  );

  it.each([
    ['close', Access.Guest, 7, true],
    ['close', Access.Reporter, 1, false],
    ['close', Access.Developer, 1, true],
    ['label', Access.Reporter, 1, true],
    ['lock', Access.Guest, 7, false],
  ])('/%s on a merge request, at level %p, of author %p: %p', (name, level, authorId, expected) =>
    expect(may(mergeRequestActions, name, level, authorId)).toBe(expected),
  );

  it.each([
    ['close', Access.Guest, 7, false],
    ['close', Access.Reporter, 1, true],
    ['award', Access.None, 1, true],
  ])('/%s on an epic, at level %p, of author %p: %p', (name, level, authorId, expected) =>
    expect(may(epicActions, name, level, authorId)).toBe(expected),
  );
});
