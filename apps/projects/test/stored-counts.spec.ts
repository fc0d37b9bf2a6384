import {
  createForkRelation,
  createGroup,
  createProject,
  deleteForkRelation,
  deleteProject,
  forkProject,
  starProject,
  transferProject,
  unstarProject,
  uploadFile,
  userDeleted,
} from '@moothall/contracts';
import { eventually, UploadStore } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import fc from 'fast-check';
import type { Model } from 'mongoose';
import { mostRecounts, type ProjectDocument } from '../src/project/project.schema';
import { StoredCounts } from '../src/project/stored-counts';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

/** Random changes; `COUNTER_CHANGES=1000` for the long run. */
const changes = Number(process.env.COUNTER_CHANGES ?? 200);
const atOnce = 20;

let projects: ProjectsUnderTest;
let files: UploadStore;
beforeAll(async () => {
  projects = await startProjects();
  files = await UploadStore.start();
});
afterAll(async () => {
  await projects?.stop();
  await files?.stop();
});

const model = <T>(name: string): Model<T> => projects.running.app.get(getModelToken(name), { strict: false });

const kinds = ['star', 'unstar', 'fork', 'delete fork', 'part', 'relate', 'upload', 'transfer'] as const;
const change = fc.record({
  kind: fc.constantFrom(...kinds),
  project: fc.nat({ max: 2 }),
  user: fc.nat({ max: 4 }),
  bytes: fc.integer({ min: 1, max: 3000 }),
});
interface Change {
  kind: (typeof kinds)[number];
  project: number;
  user: number;
  bytes: number;
}

// Counters equal the number of records. Regression: deleted forks stayed counted, and of two concurrent forks one was
// not counted.
describe('stars, forks and uploaded bytes of projects', () => {
  it(`are right after ${changes} random changes, ${atOnce} of them concurrent`, async () => {
    const turns = fc.array(fc.array(change, { minLength: atOnce, maxLength: atOnce }), {
      minLength: Math.ceil(changes / atOnce),
      maxLength: Math.ceil(changes / atOnce),
    });
    await fc.assert(fc.asyncProperty(turns, checkCounts), { numRuns: 1, endOnFailure: true });
  }, 600_000);

  it('are repaired after a stop, or a failure of the database, between a change and its count', async () => {
    const ann = await projects.user();
    const { id } = await projects.ask(ann, createProject, { name: uniqueName('tool'), visibility: 'public' });
    // State after a crash.
    const recounts = [{ id: 'left', field: 'starCount', at: new Date(0) }];
    await model<ProjectDocument>('Project').updateOne({ _id: id }, { $set: { recounts, starCount: 7 } as never });
    await projects.running.app.get(StoredCounts, { strict: false }).run();
    const mended = await model<ProjectDocument>('Project').findById(id).select('+recounts').lean<ProjectDocument>();
    expect(mended).toMatchObject({ starCount: 0, recounts: [] });
  });
});

async function checkCounts(turns: Change[][]): Promise<void> {
  const users = await Promise.all([0, 1, 2, 3, 4].map(() => projects.user()));
  const root = await projects.user(undefined, { isAdmin: true });
  const made = await Promise.all(
    [0, 1, 2].map(() => projects.ask(root, createProject, { name: uniqueName('tool'), visibility: 'public' })),
  );
  const groups = await Promise.all(
    [0, 1].map(() => projects.ask(root, createGroup, { name: 'G', path: uniqueName('g'), visibility: 'public' })),
  );
  const forks: { id: number }[][] = [[], [], []];
  const parted: { id: number }[] = [];
  const does: Record<Change['kind'], (change: Change) => Promise<unknown>> = {
    star: ({ project, user }) => projects.ask(users[user], starProject, { id: String(made[project]!.id) }),
    unstar: ({ project, user }) => projects.ask(users[user], unstarProject, { id: String(made[project]!.id) }),
    fork: async ({ project }) => {
      const path = uniqueName('fork');
      forks[project]!.push(await projects.ask(root, forkProject, { id: String(made[project]!.id), path, name: path }));
    },
    'delete fork': async ({ project }) => {
      const fork = forks[project]!.pop();
      if (fork) await projects.ask(root, deleteProject, { id: String(fork.id) });
    },
    part: async ({ project }) => {
      const fork = forks[project]!.pop();
      if (!fork) return;
      await projects.ask(root, deleteForkRelation, { id: String(fork.id) });
      parted.push(fork);
    },
    relate: async ({ project }) => {
      const fork = parted.pop();
      if (!fork) return;
      const forked_from_id = made[project]!.id;
      await projects.ask(root, createForkRelation, { id: String(fork.id), forked_from_id });
      forks[project]!.push(fork);
    },
    upload: ({ project, bytes }) => {
      const file = files.add(Buffer.alloc(bytes), 'some.bin');
      return projects.ask(root, uploadFile, { id: String(made[project]!.id), file });
    },
    transfer: async ({ project, user }) => {
      const namespace = groups[user % 2]!.id;
      await projects.ask(root, transferProject, { id: String(made[project]!.id), namespace }).catch(() => undefined);
    },
  };
  for (const turn of turns) {
    await Promise.all(turn.map((one) => does[one.kind](one)));
    for (const { id } of made) await expectRight(id);
  }
  // Records of a deleted user are removed.
  const { id: user_id, username } = users[0]!;
  await projects.emit(userDeleted, { user_id, username, hard_delete: true, ghost_user_id: 999 });
  await eventually(async () => (await model('Star').countDocuments({ userId: user_id })) === 0, 'the end of stars');
  await eventually(async () => {
    const wrong = await Promise.all(made.map(async ({ id }) => (await countsOf(id)).kept));
    const right = await Promise.all(made.map(async ({ id }) => (await countsOf(id)).counted));
    return JSON.stringify(wrong) === JSON.stringify(right);
  }, 'the counts');
}

async function countsOf(projectId: number) {
  const project = await model<ProjectDocument>('Project').findById(projectId).lean<ProjectDocument>();
  const uploads = await model<{ sizeBytes: number }>('Upload').find({ projectId }).lean();
  return {
    kept: [project!.starCount, project!.forksCount, project!.uploadBytes],
    counted: [
      await model('Star').countDocuments({ projectId }),
      await model('Project').countDocuments({ forkedFromId: projectId }),
      uploads.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    ],
  };
}

async function expectRight(projectId: number): Promise<void> {
  const { kept, counted } = await countsOf(projectId);
  expect(kept).toEqual(counted);
}

it('is refused while too many changes of a project wait to be counted', async () => {
  const ann = await projects.user();
  const { id } = await projects.ask(ann, createProject, { name: uniqueName('counted') });
  const waiting = Array.from({ length: mostRecounts }, (_, at) => ({
    id: `w${at}`,
    field: 'forksCount',
    at: new Date(),
  }));
  const stored = model<ProjectDocument>('Project');
  await stored.updateOne({ _id: id }, { $set: { recounts: waiting } });
  expect((await refusal(projects.ask(ann, starProject, { id: String(id) }))).code).toBe('common.unavailable');
  await stored.updateOne({ _id: id }, { $unset: { recounts: 1 } });
  expect(await projects.ask(ann, starProject, { id: String(id) })).toMatchObject({ star_count: 1 });
});
