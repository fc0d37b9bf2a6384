import { z } from 'zod';
import { UserSummary } from '../../identity/user';
import {
  Access,
  commaList,
  del,
  errors,
  get,
  id,
  mutuallyExclusive,
  nothing,
  ofGroups,
  ofProjects,
  operation,
  type Parent,
  type ParentRule,
  page,
  post,
  put,
  someChangeOf,
} from '../../operation';
import { BasicLabel } from '../label/label';
import { Milestone } from '../milestone/milestone-view';
import { titleLimit, writtenProse } from '../prose/prose';

/** A board is one record of limited size, also after its labels are renamed. */
export const mostOnBoard = 500;

/** A column of a board. See docs/api/boards.md#2. */
export const BoardList = z.object({
  id,
  position: z.int().describe('From 0, in the order of the board'),
  label: BasicLabel.optional().describe('Of lists of a label'),
  assignee: UserSummary.optional().describe('Of lists of an assignee'),
  milestone: Milestone.optional().describe('Of lists of a milestone'),
});
export type BoardList = z.infer<typeof BoardList>;

/** See docs/api/boards.md#1. */
export const Board = z.object({
  id,
  name: z.string(),
  hide_backlog_list: z.boolean(),
  hide_closed_list: z.boolean(),
  project: z
    .object({
      id,
      name: z.string(),
      name_with_namespace: z.string(),
      path: z.string(),
      path_with_namespace: z.string(),
      web_url: z.string(),
    })
    .nullable()
    .describe('Null for boards of groups'),
  group: z.object({ id, name: z.string(), web_url: z.string() }).nullable().describe('Null for boards of projects'),
  lists: z.array(BoardList),
  milestone: Milestone.nullable().optional().describe('In the enterprise edition, as the three below'),
  assignee: UserSummary.nullable().optional(),
  labels: z.array(BasicLabel).optional(),
  weight: z.int().nullable().optional(),
});
export type Board = z.infer<typeof Board>;

export const boardErrors = errors('board', {
  labelNotFound: {
    status: 400,
    message: { error: 'Label not found!' },
    means: 'The list is for a label that the project or group does not know.',
  },
  userNotFound: {
    status: 400,
    message: { error: 'User not found!' },
    means: 'The user of the list does not exist, may not read the project, or is no member of the group.',
  },
  milestoneNotFound: {
    status: 400,
    message: { error: 'Milestone not found!' },
    means: 'The list is for a milestone that the project or group does not know.',
  },
  listNotMoved: {
    status: 409,
    message: { error: 'List could not be moved!' },
    means: 'There is no such position on the board.',
  },
});

const kinds = ['label_id', 'assignee_id', 'milestone_id'];
const scope = {
  hide_backlog_list: z.boolean().optional().describe('Whether the list of open issues is left out'),
  hide_closed_list: z.boolean().optional().describe('Whether the list of closed issues is left out'),
  milestone_id: id.nullable().optional().describe('Only issues of this milestone; null for any (enterprise edition)'),
  assignee_id: id.nullable().optional().describe('Only issues of this assignee; null for any (enterprise edition)'),
  labels: commaList(z.string(), mostOnBoard)
    .optional()
    .describe('Only issues with these labels, by name; none for any (enterprise edition)'),
  weight: z.int().min(0).max(2_147_483_647).nullable().optional().describe('Only issues of this weight'),
};
const changes = { name: writtenProse(titleLimit).optional(), ...scope };
const refused = ['board.label_not_found', 'board.user_not_found', 'board.milestone_not_found'];

/** Boards of projects and of groups. */
function boardsOf<R extends ParentRule>({ kind, path, ref, on }: Parent<R>) {
  const board = { ...ref, board_id: id };
  const list = { ...board, list_id: id };
  const reads = on({ feature: 'issues' });
  const writes = on({ level: Access.Reporter, feature: 'issues' });
  const all = `${path}/boards`;
  const one = `${all}/:board_id`;
  return {
    list: operation({
      name: `collaboration.${kind}-boards.list`,
      http: get(all),
      access: reads,
      summary: `Boards of a ${kind}, with their lists`,
      input: z.object(ref),
      output: page(Board),
    }),
    get: operation({
      name: `collaboration.${kind}-boards.get`,
      refusals: ['common.not_found'],
      http: get(one),
      access: reads,
      summary: 'One board',
      input: z.object(board),
      output: Board,
    }),
    create: operation({
      name: `collaboration.${kind}-boards.create`,
      refusals: [...refused, 'common.invalid_record'],
      http: post(all),
      access: writes,
      summary: 'Make a board',
      input: z.object({ ...ref, ...changes, name: writtenProse(titleLimit) }),
      output: Board,
    }),
    update: operation({
      name: `collaboration.${kind}-boards.update`,
      refusals: ['common.not_found', ...refused, 'common.invalid_record'],
      http: put(one),
      access: writes,
      summary: 'Change the name and the scope of a board',
      input: z.object({ ...board, ...changes }).refine(...someChangeOf(...Object.keys(changes))),
      output: Board,
    }),
    remove: operation({
      name: `collaboration.${kind}-boards.delete`,
      refusals: ['common.not_found'],
      http: del(one),
      access: writes,
      summary: 'Remove a board; its issues stay as they are',
      input: z.object(board),
      output: nothing(),
    }),
    listLists: operation({
      name: `collaboration.${kind}-boards.list-lists`,
      refusals: ['common.not_found'],
      http: get(`${one}/lists`),
      access: reads,
      summary: 'Lists of a board, but those of open and closed issues',
      input: z.object(board),
      output: page(BoardList),
    }),
    getList: operation({
      name: `collaboration.${kind}-boards.get-list`,
      refusals: ['common.not_found'],
      http: get(`${one}/lists/:list_id`),
      access: reads,
      summary: 'One list of a board',
      input: z.object(list),
      output: BoardList,
    }),
    createList: operation({
      name: `collaboration.${kind}-boards.create-list`,
      refusals: ['common.not_found', ...refused, 'common.invalid_record when the board has such a list'],
      http: post(`${one}/lists`),
      access: writes,
      summary: 'Add a list to a board, after the others',
      description: 'A list is of a label, or in the enterprise edition of an assignee or a milestone.',
      input: z
        .object({
          ...board,
          label_id: id.optional().describe('Of this label'),
          assignee_id: id.optional().describe('Of issues of this assignee (enterprise edition)'),
          milestone_id: id.optional().describe('Of this milestone (enterprise edition)'),
        })
        .refine(...mutuallyExclusive(...kinds))
        .refine((input) => kinds.some((name) => input[name as keyof typeof input] !== undefined), {
          message: `${kinds.join(', ')} are missing, exactly one parameter must be provided`,
        }),
      output: BoardList,
    }),
    moveList: operation({
      name: `collaboration.${kind}-boards.move-list`,
      refusals: ['common.not_found', 'board.list_not_moved'],
      http: put(`${one}/lists/:list_id`),
      access: writes,
      summary: 'Move a list on its board',
      input: z.object({ ...list, position: z.int().min(0).describe('From 0') }),
      output: BoardList,
    }),
    removeList: operation({
      name: `collaboration.${kind}-boards.delete-list`,
      refusals: ['common.not_found'],
      http: del(`${one}/lists/:list_id`),
      access: writes,
      summary: 'Remove a list; its issues stay as they are',
      input: z.object(list),
      output: nothing(),
    }),
  };
}

export const projectBoards = boardsOf(ofProjects);
export const {
  list: listProjectBoards,
  get: getProjectBoard,
  create: createProjectBoard,
  update: updateProjectBoard,
  remove: deleteProjectBoard,
  listLists: listProjectBoardLists,
  getList: getProjectBoardList,
  createList: createProjectBoardList,
  moveList: moveProjectBoardList,
  removeList: deleteProjectBoardList,
} = projectBoards;

export const groupBoards = boardsOf(ofGroups);
export const {
  list: listGroupBoards,
  get: getGroupBoard,
  create: createGroupBoard,
  update: updateGroupBoard,
  remove: deleteGroupBoard,
  listLists: listGroupBoardLists,
  getList: getGroupBoardList,
  createList: createGroupBoardList,
  moveList: moveGroupBoardList,
  removeList: deleteGroupBoardList,
} = groupBoards;
