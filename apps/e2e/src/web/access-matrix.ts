import { PageVisitor } from '../identity/page-visitor';
import { connection, newUser, root, uniqueName } from '../server/connection';

const levels = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 };

export const roles = ['anonymous', 'outsider', ...Object.keys(levels), 'administrator'];
export const visibilities = ['public', 'internal', 'private'] as const;
export type Visibility = (typeof visibilities)[number];

/** Users of each role, and what they may see. */
export interface Matrix {
  /** Who has an account, by role. */
  people: Map<string, { id?: number; username: string; token: string }>;
  /** Their browsers, signed in, by role. */
  visitors: Map<string, PageVisitor>;
  /** Paths of groups, by visibility. Each has a project `tool` with issues, a merge request and code. */
  groups: Map<string, string>;
}

/** Creates users with each role in groups with each visibility. */
export async function prepareMatrix(prefix: string): Promise<Matrix> {
  const matrix: Matrix = { people: new Map(), visitors: new Map(), groups: new Map() };
  await Promise.all(roles.map((role) => addVisitor(matrix, role)));
  await Promise.all(visibilities.map((visibility) => addGroup(matrix, prefix, visibility)));
  return matrix;
}

async function addVisitor({ people, visitors }: Matrix, role: string): Promise<void> {
  const visitor = new PageVisitor();
  visitors.set(role, visitor);
  if (role === 'anonymous') {
    // Gets the one cookie of this browser, before it loads several pages at once.
    await visitor.load('/users/sign_in');
    return;
  }
  const person = role === 'administrator' ? connection : await newUser(role);
  people.set(role, person);
  await visitor.signIn(person.username, person.password);
}

async function addGroup({ people, groups }: Matrix, prefix: string, visibility: Visibility): Promise<void> {
  const path = uniqueName(`${prefix}-${visibility}`);
  const group = await root.Groups.create(`The ${path}`, path, { visibility, description: `About ${path}` });
  const { id } = await root.Projects.create({
    ...{ name: 'Tool', path: 'tool', namespaceId: group.id, visibility, description: `A tool of ${path}` },
    ...{ topics: ['alpha', 'beta'], initializeWithReadme: true },
  });
  await root.Issues.create(id, 'An open issue');
  await root.IssueNotes.create(id, 1, 'A remark');
  await root.Issues.create(id, 'A secret issue', { confidential: true });
  await root.Branches.create(id, 'change', 'main');
  await root.RepositoryFiles.create(id, 'topic.txt', 'change', 'On the topic\n', 'add topic.txt');
  await root.MergeRequests.create(id, 'change', 'main', 'A merge request');
  groups.set(visibility, path);
  for (const [role, level] of Object.entries(levels))
    await root.GroupMembers.add(group.id, level, { userId: people.get(role)!.id! });
}

/** A test in which the groups of all visibilities have their turn at once. */
export function inEachVisibility(name: string, run: (visibility: Visibility) => Promise<void>): void {
  it(name, async () => {
    const turns = await Promise.allSettled(visibilities.map(run));
    for (const [number, turn] of turns.entries()) {
      if (turn.status === 'rejected')
        throw new Error(`with ${visibilities[number]} visibility`, { cause: turn.reason });
    }
  });
}
