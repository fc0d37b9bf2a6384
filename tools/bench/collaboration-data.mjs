/** Issues, notes and label events from a fixed seed: the same records in every run. */
const start = Date.UTC(2020, 0, 1);
const batch = 5000;

/** Random numbers from 0 to 1, the same for every run (mulberry32). */
export function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function insert(collection, count, make) {
  for (let from = 0; from < count; from += batch) {
    const records = Array.from({ length: Math.min(batch, count - from) }, (_, at) => make(from + at));
    await collection.insertMany(records, { ordered: false });
  }
}

const milestones = 2000;

const listed = {
  subscriberIds: [],
  unsubscriberIds: [],
  participantIds: [],
  awards: [],
  stateChanges: [],
};

export async function addIssues(database, { projects, issues, users, labels }) {
  const random = randomOf(1);
  const pick = (count) => 1 + Math.floor(random() * count);
  await insert(database.collection('labels'), labels, (at) => ({
    _id: at + 1,
    owner: 'group/1',
    title: `label ${at + 1}`,
    color: '#428bca',
    description: null,
    priorities: [],
    subscriberIds: [],
  }));
  await insert(database.collection('milestones'), milestones, (at) => ({
    _id: at + 1,
    iid: Math.floor(at / projects) + 1,
    owner: `project/${(at % projects) + 1}`,
    title: `milestone ${Math.floor(at / projects) + 1}`,
    description: null,
    state: 'active',
    startDate: null,
    dueDate: null,
    dueOrder: '9999-12-31',
    createdAt: new Date(start),
    updatedAt: new Date(start),
  }));
  const further = randomOf(3);
  await insert(database.collection('issues'), issues, (at) => ({
    ...listed,
    _id: at + 1,
    iid: Math.floor(at / projects) + 1,
    projectId: (at % projects) + 1,
    revision: 0,
    title: `Issue ${at + 1}`,
    description: 'words '.repeat(pick(40)),
    state: random() < 0.6 ? 'opened' : 'closed',
    authorId: pick(users),
    labelIds: [...new Set([pick(labels), pick(labels)])],
    // Every third has an assignee, every fourth a milestone of its project.
    assigneeIds: further() < 0.33 ? [1 + Math.floor(further() * users)] : [],
    milestoneId: further() < 0.25 ? 1 + (at % projects) + (further() < 0.5 ? 0 : projects) : null,
    discussionLocked: null,
    confidential: random() < 0.05,
    userNotesCount: 0,
    createdAt: new Date(start + at * 1000),
    updatedAt: new Date(start + at * 1000),
    closedAt: null,
    closedById: null,
    dueDate: null,
    weight: null,
    epicId: null,
    epicPosition: null,
    relativePosition: at,
    timeEstimate: 0,
    timeSpent: 0,
    closingMergeRequestIds: [],
    movedToId: null,
  }));
}

/** Notes `from` to `to`, spread over all issues; the first issue has 40 from the beginning. */
export async function addNotes(database, { projects, issues, users }, from, to) {
  const random = randomOf(from + 2);
  const pick = (count) => 1 + Math.floor(random() * count);
  await insert(database.collection('notes'), to - from, (at) => {
    const id = from + at + 1;
    const issue = id <= 40 ? 1 : 1 + (id % issues || 1);
    return {
      _id: id,
      noteableType: 'Issue',
      noteableId: issue,
      noteableIid: Math.floor((issue - 1) / projects) + 1,
      projectId: ((issue - 1) % projects) + 1,
      groupId: null,
      body: 'Some words of a comment. '.repeat(pick(20)),
      authorId: pick(users),
      system: false,
      confidential: false,
      awards: [],
      createdAt: new Date(start + id * 1000),
      updatedAt: new Date(start + id * 1000),
    };
  });
}
