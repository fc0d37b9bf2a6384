import { z } from 'zod';
import { Access, del, errors, get, groupRef, id, onGroup, operation, page, post, put } from '../../operation';
import { titleLimit, writtenProse } from '../prose/prose';
import { Epic } from './epic-view';

/** Epics one above the other, the first and the last included. */
export const mostEpicLevels = 5;
/** Right below one epic. */
export const mostChildEpics = 100;

export const childEpicErrors = errors('child_epic', {
  notFound: {
    status: 404,
    message: '404 Not found',
    means: 'No such epic in the group or below it, none that the caller sees, or none that is below this one.',
  },
  taken: { status: 409, message: 'Epic(s) already assigned', means: 'It is right below this epic already.' },
  circle: {
    status: 422,
    message: "This epic can't be added because it is already an ancestor, or the epic itself",
    means: 'Nothing is above itself.',
  },
  tooDeep: {
    status: 422,
    message: "This epic can't be added as it would exceed the maximum depth of nested epics",
    means: `Epics nest at most ${mostEpicLevels} levels deep.`,
  },
  tooMany: {
    status: 422,
    message: "This epic can't be added because the parent has too many child epics",
    means: `An epic has ${mostChildEpics} right below it at most.`,
  },
});

/** An epic as the child of another. */
export const LinkedEpic = Epic.extend({
  has_children: z.boolean(),
  has_issues: z.boolean(),
  url: z.string(),
  relation_url: z.string(),
});
export type LinkedEpic = z.infer<typeof LinkedEpic>;

const tier = 'enterprise';
const write = onGroup({ level: Access.Reporter });
const one = { ...groupRef, epic_iid: id };
const child = { ...one, child_epic_id: id.describe('Global id of the epic below') };
const all = '/groups/:id/epics/:epic_iid/epics';
/** For old and new clients. */
const both = (tail = ''): [string, string] => [all + tail, all.replace(/epics$/, 'links') + tail];
const placing = ['epic.not_found', 'child_epic.too_deep', 'child_epic.too_many'];

export const listChildEpics = operation({
  name: 'collaboration.epic-children.list',
  refusals: ['epic.not_found'],
  http: both().map((path) => get(path)),
  access: onGroup({ anonymous: true }),
  tier,
  summary: 'Epics right below an epic, in its order',
  input: z.object(one),
  output: page(Epic),
});

export const assignChildEpic = operation({
  name: 'collaboration.epic-children.assign',
  description: 'Takes it away from the epic that it was below.',
  refusals: [...placing, 'child_epic.not_found', 'child_epic.taken', 'child_epic.circle', 'common.forbidden'],
  http: both('/:child_epic_id').map((path) => post(path)),
  access: write,
  tier,
  summary: 'Put an epic below another',
  input: z.object(child),
  output: LinkedEpic,
});

export const createChildEpic = operation({
  name: 'collaboration.epic-children.create',
  refusals: placing,
  http: both().map((path) => post(path)),
  access: write,
  tier,
  summary: 'Open an epic below another',
  input: z.object({
    ...one,
    title: writtenProse(titleLimit),
    confidential: z.boolean().optional().describe('As the epic above is, unless given'),
  }),
  output: LinkedEpic,
});

export const moveChildEpic = operation({
  name: 'collaboration.epic-children.move',
  refusals: ['epic.not_found', 'child_epic.not_found'],
  http: both('/:child_epic_id').map((path) => put(path)),
  access: write,
  tier,
  summary: 'Change the place of an epic among those below another',
  input: z.object({ ...child, move_before_id: id.optional(), move_after_id: id.optional() }),
  output: page(Epic),
});

export const removeChildEpic = operation({
  name: 'collaboration.epic-children.remove',
  refusals: ['epic.not_found', 'child_epic.not_found', 'common.forbidden'],
  http: both('/:child_epic_id').map((path) => del(path, { success: 200 })),
  access: write,
  tier,
  summary: 'Take an epic away from the one above',
  input: z.object(child),
  output: Epic,
});
