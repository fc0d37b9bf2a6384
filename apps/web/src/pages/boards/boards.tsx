import type { GroupRef, ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ParentPage } from '../../page/page';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { count } from '../../parts/project-list';
import { type BoardsOf, ofGroup, ofProject } from './board-operations';

/** The boards of a project or a group. */
const boardsPageOf = <T extends { id: number }>({ operations, pathOf, within }: BoardsOf<T>): ParentPage<T> => ({
  at: '/boards',
  async show(visit, parent, address) {
    const asked = { id: String(parent.id), page: pageOf(address), per_page: perPage };
    const { items } = await visit.ask(operations.list, asked);
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
                <span class="dim">{count(board.lists.length, 'list')}</span>
              </li>
            ))}
          </ul>
          <Paging address={address} shown={items.length} />
        </>
      ),
    });
  },
});

export const projectBoardsPage = boardsPageOf<ProjectRef>(ofProject);
export const groupBoardsPage = boardsPageOf<GroupRef>(ofGroup);
