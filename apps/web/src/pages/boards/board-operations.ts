import {
  type Board,
  type GroupRef,
  getGroupBoard,
  getProjectBoard,
  listGroupBoards,
  listGroupIssueCards,
  listProjectBoards,
  listProjectIssueCards,
  type ProjectRef,
} from '@moothall/contracts';
import type { Content } from '../../page/page';
import { below, belowGroup } from '../../parts/code-address';
import { inGroup } from '../../parts/in-group';
import { inProject } from '../../parts/in-project';
import type { Visit } from '../../visit/visits';

/** Boards of projects or of groups. */
export interface BoardsOf<T> {
  operations: {
    list: typeof listProjectBoards | typeof listGroupBoards;
    get: typeof getProjectBoard | typeof getGroupBoard;
    listCards: typeof listProjectIssueCards | typeof listGroupIssueCards;
  };
  pathOf(parent: T, board: Board): string;
  within(visit: Visit, parent: T, content: Content): Promise<Content>;
}

export const ofProject: BoardsOf<ProjectRef> = {
  operations: { list: listProjectBoards, get: getProjectBoard, listCards: listProjectIssueCards },
  pathOf: (project, { id }) => below(project, `boards/${id}`),
  within: inProject,
};

export const ofGroup: BoardsOf<GroupRef> = {
  operations: { list: listGroupBoards, get: getGroupBoard, listCards: listGroupIssueCards },
  pathOf: (group, { id }) => belowGroup(group, `boards/${id}`),
  within: inGroup,
};
