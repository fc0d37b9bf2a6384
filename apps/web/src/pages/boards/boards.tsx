import { Named } from '@moothall/pages';
import type { Address, Content, GroupPage, ProjectPage } from '../../page/page';
import { Paging, pageOf, perPage } from '../../parts/paging';
import type { Visit } from '../../visit/visits';
import { type BoardsOf, ofGroup, ofProject } from './board-operations';

export const projectBoardsPage: ProjectPage = {
  at: '/boards',
  show: (visit, project, address) => listBoards(visit, ofProject, project, address),
};

export const groupBoardsPage: GroupPage = {
  at: '/boards',
  show: (visit, group, address) => listBoards(visit, ofGroup, group, address),
};

async function listBoards<T extends { id: number }>(
  visit: Visit,
  { operations, pathOf, within }: BoardsOf<T>,
  parent: T,
  address: Address,
): Promise<Content> {
  const { items } = await visit.ask(operations.list, {
    ...{ id: String(parent.id), page: pageOf(address), per_page: perPage },
  });
  return within(visit, parent, {
    title: 'Boards',
    body: (
      <>
        {items.length === 0 && <p class="dim">There are no boards.</p>}
        <ul class="list">
          {items.map((board) => (
            <li key={board.id}>
              <a href={pathOf(parent, board)}>
                <Named>{board.name}</Named>
              </a>{' '}
              <span class="dim">{board.lists.length === 1 ? '1 list' : `${board.lists.length} lists`}</span>
            </li>
          ))}
        </ul>
        <Paging address={address} shown={items.length} />
      </>
    ),
  });
}
