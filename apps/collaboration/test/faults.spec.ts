import { randomBytes } from 'node:crypto';
import {
  Access,
  addContextCommits,
  addIssueTimeSpent,
  addMergeRequestTimeSpent,
  approveMergeRequest,
  commitDiscussions,
  createApprovalRule,
  createCommitComment,
  createDraftNote,
  createEpic,
  createEpicLink,
  createGroupBoard,
  createGroupBoardList,
  createGroupLabel,
  createGroupMilestone,
  createIssue,
  createIssueNote,
  createIteration,
  createIterationCadence,
  createMergeRequestApprovalRule,
  createProjectLabel,
  createProjectSnippet,
  deleteApprovalRule,
  deleteDraftNote,
  deleteEpicLink,
  deleteGroupBoard,
  deleteGroupBoardList,
  deleteGroupLabel,
  deleteGroupMilestone,
  deleteIssue,
  deleteIssueNote,
  deleteIteration,
  deleteMergeRequestApprovalRule,
  epicAwards,
  epicDiscussions,
  epicNoteAwards,
  epicNotes,
  getApprovalSettings,
  getDraftNote,
  getIssue,
  getMergeRequest,
  getMergeRequestApprovals,
  type InputOf,
  importProjectRecords,
  issueChanged,
  listApprovalRules,
  listCommitComments,
  listContextCommits,
  listDraftNotes,
  listGroupBoardLists,
  listGroupBoards,
  listGroupIterations,
  listGroupLabels,
  listGroupMilestones,
  listIssueIterationEvents,
  listIssueLinks,
  listIssueNotes,
  listIssueStateEvents,
  listMergeRequestApprovalRules,
  listProjectIssues,
  listProjectLabels,
  listProjectSnippets,
  listRelatedEpics,
  listSnippetNotes,
  mergeRequestAwards,
  mergeRequestDiscussions,
  mergeRequestNoteAwards,
  mergeRequestNotes,
  moveGroupBoardList,
  type Operation,
  publishDraftNote,
  publishDraftNotes,
  removeContextCommits,
  reserveRecordIds,
  resetIssueEstimate,
  resetIssueTimeSpent,
  resetMergeRequestApprovals,
  resetMergeRequestEstimate,
  resetMergeRequestTimeSpent,
  resolveProject,
  setIssueEstimate,
  setIssueIteration,
  setMergeRequestEstimate,
  snippetAwards,
  snippetDiscussions,
  snippetNoteAwards,
  snippetNotes,
  subscribeToGroupLabel,
  unsubscribeFromGroupLabel,
  updateApprovalRule,
  updateApprovalSettings,
  updateDraftNote,
  updateGroupBoard,
  updateGroupLabel,
  updateGroupMilestone,
  updateIssue,
  updateMergeRequestApprovalRule,
} from '@moothall/contracts';
import { eventually, itUnderFaults, meetFaults, shareBetweenTests, throughFaults } from '@moothall/testing';
import { MergeRequestWorld } from './merge-request-world';

meetFaults();

const git = shareBetweenTests(() => MergeRequestWorld.start());

const { Reporter, Owner } = Access;

// A failure of the database, NATS or Redis must not be answered as success, or leave a part.
it('issues, changes and notes exist once if acknowledged, and not at all if refused', async () => {
  const { world } = git;
  const [project, user] = [world.project(), world.user()];
  const { client } = world.service;
  const made = await throughFaults(client, createIssue, (turn) =>
    world.inProject(createIssue, project, user, Reporter, { title: `issue ${turn}` }),
  );
  const listed = async () => {
    const input = { per_page: 100 } as InputOf<typeof listProjectIssues>;
    return (await world.inProject(listProjectIssues, project, user, Owner, input)).items;
  };
  const iids = (issues: { iid: number }[]) => issues.map(({ iid }) => iid).sort((a, b) => a - b);
  expect(new Set(iids(made)).size).toBe(made.length);
  expect(iids(await listed())).toEqual(iids(made));
  const isPublished = (id: number) => world.service.events(issueChanged).some(({ data }) => data.issue.id === id);
  await eventually(() => made.every(({ id }) => isPublished(id)), 'the events');

  const on = { issue_iid: made[0]!.iid };
  const labels = await throughFaults(client, createProjectLabel, (turn) =>
    world.inProject(createProjectLabel, project, user, Reporter, { name: `label ${turn}`, color: '#112233' }),
  );
  expect((await world.inProject(listProjectLabels, project, user, Reporter, {})).total).toBe(labels.length);
  const titles = await throughFaults(client, updateIssue, async (turn) => {
    const change = { ...on, title: `title ${turn}`, add_labels: ['label 0'] };
    return (await world.inProject(updateIssue, project, user, Reporter, change)).title;
  });
  expect((await world.inProject(getIssue, project, user, Reporter, on)).title).toBe(titles.at(-1));

  const notes = await throughFaults(client, createIssueNote, async (turn) => {
    const input = { ...on, body: `note ${turn}` };
    return (await world.inProject(createIssueNote, project, user, Reporter, input)) as { id: number };
  });
  const removed = await throughFaults(client, deleteIssueNote, async () => {
    const input = { ...on, body: 'soon gone' };
    const note = notes.pop() ?? (await world.inProject(createIssueNote, project, user, Reporter, input));
    await world.inProject(deleteIssueNote, project, user, Owner, { ...on, note_id: (note as { id: number }).id });
    return note;
  });
  expect(removed.length).toBeGreaterThan(0);
  const userNotes = async () => {
    const input = { ...on, per_page: 100 } as InputOf<typeof listIssueNotes>;
    const { items } = await world.inProject(listIssueNotes, project, user, Reporter, input);
    return items.filter(({ system }) => !system).map(({ id }) => id);
  };
  const expected = notes.map(({ id }) => id).sort((a, b) => a - b);
  await eventually(async () => (await userNotes()).length === expected.length, 'the notes');
  expect((await userNotes()).sort((a, b) => a - b)).toEqual(expected);
  const counted = async () => (await world.inProject(getIssue, project, user, Reporter, on)).user_notes_count;
  await eventually(async () => (await counted()) === expected.length, 'the count');

  const gone = await throughFaults(client, deleteIssue, async () => {
    const { iid } = made.pop() ?? (await world.inProject(createIssue, project, user, Reporter, { title: 'soon gone' }));
    await world.inProject(deleteIssue, project, user, Owner, { issue_iid: iid });
    return iid;
  });
  await eventually(async () => iids(await listed()).every((iid) => !gone.includes(iid)), 'the end of issues');
}, 120_000);

/** Calls operations as the owner of a new record. */
type Ask = (operation: Operation, input?: object) => Promise<{ id: number; items: object[] } & Record<string, unknown>>;

async function issue(): Promise<Ask> {
  const [project, user] = [git.world.project(), git.world.user()];
  const { iid } = await git.world.inProject(createIssue, project, user, Owner, { title: 'Crane' });
  return (operation, input) =>
    git.world.inProject(operation, project, user, Owner, { issue_iid: iid, ...input } as never) as never;
}

async function mergeRequest(): Promise<Ask> {
  const project = git.project();
  const user = git.member(project);
  const { iid } = await git.open(project, user);
  return (operation, input) =>
    git.world.inProject(operation, project, user, Owner, { merge_request_iid: iid, ...input } as never) as never;
}

const named = 'c'.repeat(40);
/** A merge request that can have a context commit. */
function mergeRequestBesideCommit(): Promise<Ask> {
  git.world.commits.set(named, { title: 'Crane', parents: [] });
  return mergeRequest();
}

async function snippet(): Promise<Ask> {
  const [project, user] = [git.world.project(), git.world.user()];
  const given = { title: 'Crane', file_name: 'a.rb', content: 'puts 1', visibility: 'private' } as const;
  const { id } = await git.world.inProject(createProjectSnippet, project, user, Owner, given);
  return (operation, input) =>
    git.world.inProject(operation, project, user, Owner, { snippet_id: id, ...input } as never) as never;
}

async function commit(): Promise<Ask> {
  const [project, user, sha] = [git.world.project(), git.world.user(), randomBytes(20).toString('hex')];
  git.world.commits.set(sha, { title: 'Crane', parents: [] });
  return (operation, input) =>
    git.world.inProject(operation, project, user, Owner, { sha, ...input } as never) as never;
}

async function group(): Promise<Ask> {
  const [place, user] = [git.world.group(), git.world.user()];
  return (operation, input) => git.world.inGroup(operation, place, user, Owner, { ...input } as never) as never;
}

async function epic(): Promise<Ask> {
  const ask = await group();
  const { id, iid } = await ask(createEpic, { title: 'Crane' });
  return (operation, input) => ask(operation, { epic_id: id, epic_iid: iid, ...input });
}

/** A group with two epics. */
async function epics(): Promise<Ask> {
  const [place, user] = [git.world.group(), git.world.user()];
  git.world.join(user, place, Owner);
  for (const title of ['One', 'Two']) await git.world.inGroup(createEpic, place, user, Owner, { title });
  const both = { epic_iid: 1, target_group_id: String(place.id), target_epic_iid: 2 };
  return (operation, input) =>
    git.world.inGroup(operation, place, user, Owner, { ...both, ...input } as never) as never;
}

/** A project with an issue, known to the stub services. */
async function filled(): Promise<Ask> {
  const [project, user] = [git.world.project(), git.world.user()];
  git.world.join(user, project, Owner);
  git.world.service.respond(resolveProject, () => ({
    project: { ...project, accessLevel: Owner },
    redirected: false,
  }));
  await git.world.inProject(createIssue, project, user, Owner, { title: 'Crane' });
  return (operation, input) => git.world.inProject(operation, project, user, Owner, { ...input } as never) as never;
}

/** A group with an iteration, and an issue below it. */
async function planned(): Promise<Ask> {
  const [place, user] = [git.world.group(), git.world.user()];
  git.world.join(user, place, Owner);
  const project = git.world.project({ groupIds: [place.id] });
  const days = { start_date: '2030-01-01', due_date: '2030-01-07' };
  const { id: iteration_id } = await git.world.inGroup(createIteration, place, user, Owner, days);
  const { iid } = await git.world.inProject(createIssue, project, user, Owner, { title: 'Crane' });
  const target = { project: { ...project, accessLevel: Owner }, group: { ...place, accessLevel: Owner } };
  return (operation, input) => {
    const given = { id: 'x', issue_iid: iid, iteration_id, ...input };
    return git.world.call(operation, given as never, { requestId: 'test', caller: user, ...target }) as never;
  };
}

const at = '2026-01-02T03:04:05.000Z';
const archivedIssue = {
  ...{ iid: 7, title: 'Imported', description: null, author_id: 1, assignee_ids: [], participant_ids: [] },
  ...{ label_titles: [], milestone_title: null, confidential: false, discussion_locked: null, state: 'closed' },
  ...{ time_estimate: 0, time_spent: 0, user_notes_count: 0, state_changes: [], awards: [], due_date: null },
  ...{ created_at: at, updated_at: at, closed_at: at, closed_by_id: 1, weight: null, relative_position: 0 },
};

/** Several kinds in one page, as in an archive. */
const archivedRecords = (snippet: number, event: number, note: number) => ({
  issues: [archivedIssue],
  approval_settings: [
    {
      ...{ keeps_rules: false, refuses_authors: false, resets_on_push: false },
      rules: [
        { name: 'a', rule_type: 'regular', approvals_required: 1, user_ids: [], group_paths: [], comes_from: null },
      ],
    },
  ],
  snippets: [
    {
      ...{ id: snippet, title: 's', description: null, author_id: 1, visibility: 'private', user_notes_count: 1 },
      ...{ files: [{ path: 'a', content: 'x' }], awards: [], created_at: at, updated_at: at },
    },
  ],
  issue_links: [{ source_iid: 7, target_iid: 1, type: 'blocks', created_at: at, updated_at: at }],
  state_events: [{ id: event, resource_type: 'Issue', resource_iid: 7, user_id: 1, created_at: at, state: 'closed' }],
  notes: [
    {
      ...{ id: note, discussion_id: null, noteable_type: 'Snippet', noteable_iid: snippet, body: 'x', author_id: 1 },
      ...{ system: false, confidential: false, position: null, is_unresolved: false, resolved_at: null },
      ...{ resolved_by_id: null, created_at: at, updated_at: at, awards: [] },
    },
  ],
});

/** An operation, the record for it, and a call of it with assertions that must hold from then on. */
type Row = [operation: Operation, on: () => Promise<Ask>, act: (ask: Ask) => Promise<void>];

const total = async (ask: Ask, list: Operation, input = {}) => (await ask(list, input)).items.length;

type Discussing = Record<'create' | 'get' | 'list' | 'reply' | 'updateNote' | 'removeNote', Operation>;

/** @param comments number of user notes */
const discussionsOn = (
  on: () => Promise<Ask>,
  discussions: Discussing,
  comments: (ask: Ask) => Promise<number>,
): Row[] => {
  const begun = async (ask: Ask) => {
    const { id: discussion_id, notes: written } = await ask(discussions.create, { body: 'So?' });
    return { discussion_id, note_id: (written as { id: number }[])[0]!.id };
  };
  return [
    [
      discussions.create,
      on,
      async (ask) => {
        await begun(ask);
        expect(await comments(ask)).toBe(1);
      },
    ],
    [
      discussions.reply,
      on,
      async (ask) => {
        const { discussion_id } = await begun(ask);
        await ask(discussions.reply, { discussion_id, body: 'So.' });
        expect((await ask(discussions.get, { discussion_id })).notes).toMatchObject([{ body: 'So?' }, { body: 'So.' }]);
      },
    ],
    [
      discussions.updateNote,
      on,
      async (ask) => {
        const note = await begun(ask);
        await ask(discussions.updateNote, { ...note, body: 'So.' });
        expect((await ask(discussions.get, note)).notes).toMatchObject([{ body: 'So.' }]);
      },
    ],
    [
      discussions.removeNote,
      on,
      async (ask) => {
        await ask(discussions.removeNote, await begun(ask));
        expect(await comments(ask)).toBe(0);
      },
    ],
  ];
};

const notesOn = (
  on: () => Promise<Ask>,
  notes: Record<'create' | 'get' | 'list' | 'update' | 'remove', Operation>,
  discussions: Discussing,
  awards: Record<'create' | 'list' | 'remove', Operation>,
  noteAwards: Record<'create' | 'list' | 'remove', Operation>,
): Row[] => {
  const noted = async (ask: Ask) => ({ note_id: (await ask(notes.create, { body: 'So?' })).id });
  const comments = (ask: Ask) => total(ask, notes.list, { activity_filter: 'only_comments' });
  return [
    [
      notes.update,
      on,
      async (ask) => {
        const note = await noted(ask);
        await ask(notes.update, { ...note, body: 'So.' });
        expect(await ask(notes.get, note)).toMatchObject({ body: 'So.' });
      },
    ],
    [
      notes.remove,
      on,
      async (ask) => {
        await ask(notes.remove, await noted(ask));
        expect(await comments(ask)).toBe(0);
      },
    ],
    ...discussionsOn(on, discussions, comments),
    [
      awards.create,
      on,
      async (ask) => {
        await ask(awards.create, { name: 'rocket' });
        expect(await total(ask, awards.list)).toBe(1);
      },
    ],
    [
      awards.remove,
      on,
      async (ask) => {
        const { id: award_id } = await ask(awards.create, { name: 'rocket' });
        await ask(awards.remove, { award_id });
        expect(await total(ask, awards.list)).toBe(0);
      },
    ],
    [
      noteAwards.create,
      on,
      async (ask) => {
        const note = await noted(ask);
        await ask(noteAwards.create, { ...note, name: 'rocket' });
        expect(await total(ask, noteAwards.list, note)).toBe(1);
      },
    ],
    [
      noteAwards.remove,
      on,
      async (ask) => {
        const note = await noted(ask);
        const { id: award_id } = await ask(noteAwards.create, { ...note, name: 'rocket' });
        await ask(noteAwards.remove, { ...note, award_id });
        expect(await total(ask, noteAwards.list, note)).toBe(0);
      },
    ],
  ];
};

/** @param before creates the record to change */
const ofTime = (
  on: () => Promise<Ask>,
  get: Operation,
  operation: Operation,
  before: [Operation, string][],
  given: object,
  stats: object,
): Row => [
  operation,
  on,
  async (ask) => {
    for (const [first, duration] of before) await ask(first, { duration });
    await ask(operation, given);
    expect((await ask(get)).time_stats).toMatchObject(stats);
  },
];

const label = { name: 'bug', color: '#112233' };
const milestone = async (ask: Ask) => ({ milestone_id: (await ask(createGroupMilestone, { title: 'One' })).id });
const hour = { duration: '1h' };

const rulesOf = async (ask: Ask, list: Operation) =>
  ((await ask(list)) as unknown as { name: string }[]).map(({ name }) => name);

/** Approval rules of a project or a merge request. */
const ofRules = (list: Operation, create: Operation, update: Operation, remove: Operation): Row[] => {
  const made = async (ask: Ask) => {
    const { id } = await ask(create, { name: 'Readers', approvals_required: 1 });
    return { approval_rule_id: id };
  };
  const row = (operation: Operation, input: object, names: string[]): Row => [
    operation,
    mergeRequest,
    async (ask) => {
      await ask(operation, { ...(await made(ask)), ...input });
      expect(await rulesOf(ask, list)).toEqual(names);
    },
  ];
  const creation: Row = [
    create,
    mergeRequest,
    async (ask) => {
      await made(ask);
      expect(await rulesOf(ask, list)).toEqual(['Readers']);
    },
  ];
  return [creation, row(update, { name: 'Writers' }, ['Writers']), row(remove, {}, [])];
};

/** A board with lists of two labels. */
async function board(ask: Ask) {
  const on = { board_id: (await ask(createGroupBoard, { name: 'Work' })).id };
  const lists = [];
  for (const name of ['doing', 'done']) {
    const { id: label_id } = await ask(createGroupLabel, { ...label, name });
    lists.push((await ask(createGroupBoardList, { ...on, label_id })).id);
  }
  return { on, first: { ...on, list_id: lists[0] } };
}
const columns = async (ask: Ask, on: object) =>
  (await ask(listGroupBoardLists, on)).items.map((one) => (one as { label: { name: string } }).label.name);

const ofBoards: Row[] = [
  [
    createGroupBoard,
    group,
    async (ask) => {
      await ask(createGroupBoard, { name: 'Work' });
      expect(await total(ask, listGroupBoards)).toBe(1);
    },
  ],
  [
    updateGroupBoard,
    group,
    async (ask) => {
      const { on } = await board(ask);
      await ask(updateGroupBoard, { ...on, name: 'Play' });
      expect((await ask(listGroupBoards)).items).toMatchObject([{ name: 'Play' }]);
    },
  ],
  [
    deleteGroupBoard,
    group,
    async (ask) => {
      await ask(deleteGroupBoard, (await board(ask)).on);
      expect(await total(ask, listGroupBoards)).toBe(0);
    },
  ],
  [
    createGroupBoardList,
    group,
    async (ask) => {
      expect(await columns(ask, (await board(ask)).on)).toEqual(['doing', 'done']);
    },
  ],
  [
    moveGroupBoardList,
    group,
    async (ask) => {
      const { on, first } = await board(ask);
      await ask(moveGroupBoardList, { ...first, position: 1 });
      expect(await columns(ask, on)).toEqual(['done', 'doing']);
    },
  ],
  [
    deleteGroupBoardList,
    group,
    async (ask) => {
      const { on, first } = await board(ask);
      await ask(deleteGroupBoardList, first);
      expect(await columns(ask, on)).toEqual(['done']);
    },
  ],
];

const drafts = async (ask: Ask) => (await ask(listDraftNotes)).items.length;
const drafted = async (ask: Ask) => ({ draft_note_id: (await ask(createDraftNote, { note: 'So?' })).id });
const comments = (ask: Ask) => total(ask, mergeRequestNotes.list, { activity_filter: 'only_comments' });

const ofDrafts: Row[] = [
  [
    createDraftNote,
    mergeRequest,
    async (ask) => {
      await drafted(ask);
      expect(await drafts(ask)).toBe(1);
    },
  ],
  [
    updateDraftNote,
    mergeRequest,
    async (ask) => {
      const on = await drafted(ask);
      await ask(updateDraftNote, { ...on, note: 'So.' });
      expect(await ask(getDraftNote, on)).toMatchObject({ note: 'So.' });
    },
  ],
  [
    deleteDraftNote,
    mergeRequest,
    async (ask) => {
      await ask(deleteDraftNote, await drafted(ask));
      expect(await drafts(ask)).toBe(0);
    },
  ],
  [
    publishDraftNote,
    mergeRequest,
    async (ask) => {
      await ask(publishDraftNote, await drafted(ask));
      expect([await drafts(ask), await comments(ask)]).toEqual([0, 1]);
    },
  ],
  [
    publishDraftNotes,
    mergeRequest,
    async (ask) => {
      await drafted(ask);
      await ask(publishDraftNotes);
      expect([await drafts(ask), await comments(ask)]).toEqual([0, 1]);
    },
  ],
];

const rows: Row[] = [
  ...ofBoards,
  ...ofRules(listApprovalRules, createApprovalRule, updateApprovalRule, deleteApprovalRule),
  ...ofRules(
    listMergeRequestApprovalRules,
    createMergeRequestApprovalRule,
    updateMergeRequestApprovalRule,
    deleteMergeRequestApprovalRule,
  ),
  [
    updateApprovalSettings,
    mergeRequest,
    async (ask) => {
      const settings = { approvals_before_merge: 2, reset_approvals_on_push: true };
      await ask(updateApprovalSettings, settings);
      expect(await ask(getApprovalSettings)).toMatchObject(settings);
    },
  ],
  [
    resetMergeRequestApprovals,
    mergeRequest,
    async (ask) => {
      await ask(approveMergeRequest);
      await ask(resetMergeRequestApprovals);
      expect(await ask(getMergeRequestApprovals)).toMatchObject({ approved_by: [] });
    },
  ],
  [
    addContextCommits,
    mergeRequestBesideCommit,
    async (ask) => {
      await ask(addContextCommits, { commits: [named] });
      expect(await total(ask, listContextCommits)).toBe(1);
    },
  ],
  [
    removeContextCommits,
    mergeRequestBesideCommit,
    async (ask) => {
      await ask(addContextCommits, { commits: [named] });
      await ask(removeContextCommits, { commits: [named] });
      expect(await total(ask, listContextCommits)).toBe(0);
    },
  ],
  ...notesOn(epic, epicNotes, epicDiscussions, epicAwards, epicNoteAwards),
  ...notesOn(mergeRequest, mergeRequestNotes, mergeRequestDiscussions, mergeRequestAwards, mergeRequestNoteAwards),
  ...discussionsOn(commit, commitDiscussions, (ask) => total(ask, listCommitComments)),
  [
    createCommitComment,
    commit,
    async (ask) => {
      await ask(createCommitComment, { note: 'So?' });
      expect((await ask(listCommitComments)).items).toMatchObject([{ note: 'So?' }]);
    },
  ],
  ...ofDrafts,
  ...notesOn(snippet, snippetNotes, snippetDiscussions, snippetAwards, snippetNoteAwards),
  ofTime(issue, getIssue, addIssueTimeSpent, [], hour, { total_time_spent: 3600 }),
  ofTime(issue, getIssue, resetIssueTimeSpent, [[addIssueTimeSpent, '1h']], {}, { total_time_spent: 0 }),
  ofTime(issue, getIssue, resetIssueEstimate, [[setIssueEstimate, '1h']], {}, { time_estimate: 0 }),
  ofTime(mergeRequest, getMergeRequest, setMergeRequestEstimate, [], hour, { time_estimate: 3600 }),
  ofTime(
    mergeRequest,
    getMergeRequest,
    resetMergeRequestEstimate,
    [[setMergeRequestEstimate, '1h']],
    {},
    { time_estimate: 0 },
  ),
  ofTime(
    mergeRequest,
    getMergeRequest,
    resetMergeRequestTimeSpent,
    [[addMergeRequestTimeSpent, '1h']],
    {},
    { total_time_spent: 0 },
  ),
  [
    updateGroupLabel,
    group,
    async (ask) => {
      const { id } = await ask(createGroupLabel, label);
      await ask(updateGroupLabel, { label_id: String(id), new_name: 'flaw' });
      expect((await ask(listGroupLabels)).items).toMatchObject([{ name: 'flaw' }]);
    },
  ],
  [
    deleteGroupLabel,
    group,
    async (ask) => {
      await ask(createGroupLabel, label);
      await ask(deleteGroupLabel, { label_id: 'bug' });
      expect(await total(ask, listGroupLabels)).toBe(0);
    },
  ],
  [
    subscribeToGroupLabel,
    group,
    async (ask) => {
      await ask(createGroupLabel, label);
      await ask(subscribeToGroupLabel, { label_id: 'bug' });
      expect((await ask(listGroupLabels)).items).toMatchObject([{ subscribed: true }]);
    },
  ],
  [
    unsubscribeFromGroupLabel,
    group,
    async (ask) => {
      await ask(createGroupLabel, label);
      await ask(subscribeToGroupLabel, { label_id: 'bug' });
      await ask(unsubscribeFromGroupLabel, { label_id: 'bug' });
      expect((await ask(listGroupLabels)).items).toMatchObject([{ subscribed: false }]);
    },
  ],
  [
    updateGroupMilestone,
    group,
    async (ask) => {
      await ask(updateGroupMilestone, { ...(await milestone(ask)), state_event: 'close' });
      expect((await ask(listGroupMilestones)).items).toMatchObject([{ title: 'One', state: 'closed' }]);
    },
  ],
  [
    createEpicLink,
    epics,
    async (ask) => {
      await ask(createEpicLink);
      expect(await total(ask, listRelatedEpics)).toBe(1);
    },
  ],
  [
    deleteEpicLink,
    epics,
    async (ask) => {
      await ask(deleteEpicLink, { related_epic_link_id: (await ask(createEpicLink)).id });
      expect(await total(ask, listRelatedEpics)).toBe(0);
    },
  ],
  [
    createIterationCadence,
    group,
    async (ask) => {
      expect(await ask(createIterationCadence, { title: 'Weeks', automatic: false })).toMatchObject({ title: 'Weeks' });
    },
  ],
  [
    createIteration,
    group,
    async (ask) => {
      await ask(createIteration, { start_date: '2030-01-01', due_date: '2030-01-07' });
      expect(await total(ask, listGroupIterations)).toBe(1);
    },
  ],
  [
    deleteIteration,
    planned,
    async (ask) => {
      await ask(setIssueIteration);
      await ask(deleteIteration);
      expect(await total(ask, listGroupIterations)).toBe(0);
      expect((await ask(getIssue)).iteration).toBeNull();
    },
  ],
  [
    setIssueIteration,
    planned,
    async (ask) => {
      await ask(setIssueIteration);
      expect((await ask(getIssue)).iteration).toMatchObject({ start_date: '2030-01-01' });
      expect(await total(ask, listIssueIterationEvents)).toBe(1);
    },
  ],
  [
    importProjectRecords,
    filled,
    async (ask) => {
      const idOf = async (kind: string) => Number((await ask(reserveRecordIds, { kind, count: 1 })).first_id);
      const [snippet, event, note] = [await idOf('snippets'), await idOf('state_events'), await idOf('notes')];
      await ask(importProjectRecords, archivedRecords(snippet, event, note));
      expect(await total(ask, listProjectIssues)).toBe(2);
      const on = { issue_iid: archivedIssue.iid };
      expect(await total(ask, listIssueStateEvents, on)).toBe(1);
      expect(await total(ask, listIssueLinks, on)).toBe(1);
      expect(await total(ask, listProjectSnippets)).toBe(1);
      expect(await total(ask, listSnippetNotes, { snippet_id: snippet })).toBe(1);
      expect(await ask(listApprovalRules)).toHaveLength(1);
    },
  ],
  [
    deleteGroupMilestone,
    group,
    async (ask) => {
      await ask(deleteGroupMilestone, await milestone(ask));
      expect(await total(ask, listGroupMilestones)).toBe(0);
    },
  ],
];

itUnderFaults.each(rows.map(([operation, ...row]) => [operation.name, operation, ...row] as const))(
  '%s takes effect once if acknowledged',
  async (_name, operation, on, act) => {
    await throughFaults(git.world.service.client, operation, async () => act(await on()));
  },
  120_000,
);
