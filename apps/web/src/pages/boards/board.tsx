import type { Board, GroupRef, IssueCard, ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ParentPage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { numberIn } from '../../parts/number-in';
import { Paging, pageOf } from '../../parts/paging';
import { type Column, columnsOf } from './board-columns';
import { type BoardsOf, ofGroup, ofProject } from './board-operations';

/** Columns of one page, and issues of one column. */
const most = { columns: 8, issues: 20 };

/** A board of a project or a group, which shows issues and does not move them. */
const boardPageOf = <T extends { id: number }>({ operations, within }: BoardsOf<T>): ParentPage<T> => ({
  at: '/boards/:id',
  async show(visit, parent, address) {
    const id = String(parent.id);
    const board: Board = await visit.ask(operations.get, { id, board_id: numberIn(address, 'id') });
    const from = (pageOf(address) - 1) * most.columns;
    const columns = columnsOf(board).slice(from, from + most.columns);
    const issues = await Promise.all(
      columns.map(({ filter }) => visit.ask(operations.listCards, { id, ...filter, per_page: most.issues })),
    );
    return within(visit, parent, {
      title: board.name,
      heading: <Named>{board.name}</Named>,
      body: (
        <>
          <Scope board={board} />
          <div class="board">
            {columns.map((column, at) => (
              <ColumnOf key={column.id} column={column} issues={issues[at]?.items ?? []} total={issues[at]?.total} />
            ))}
          </div>
          <Paging address={address} shown={columns.length} full={most.columns} />
        </>
      ),
    });
  },
});

export const projectBoardPage = boardPageOf<ProjectRef>(ofProject);
export const groupBoardPage = boardPageOf<GroupRef>(ofGroup);

/** What all issues of the board have. */
const Scope = ({ board: { labels = [], milestone, assignee, weight } }: { board: Board }) =>
  labels.length === 0 && !milestone && !assignee && weight == null ? null : (
    <ul class="facts">
      {milestone && (
        <li>
          Milestone{' '}
          <a href={pathOf(milestone.web_url)}>
            <Named>{milestone.title}</Named>
          </a>
        </li>
      )}
      {assignee && (
        <li>
          Assigned to <Named>{assignee.name}</Named>
        </li>
      )}
      {labels.map(({ id, name }) => (
        <li key={id} class="tag">
          <Named>{name}</Named>
        </li>
      ))}
      {weight != null && <li>Weight {weight}</li>}
    </ul>
  );

interface ColumnProps {
  column: Column;
  issues: readonly IssueCard[];
  /** Of all issues of the column; undefined if there are too many to count. */
  total: number | undefined;
}

const ColumnOf = ({ column: { id, name }, issues, total }: ColumnProps) => (
  <section aria-labelledby={`list-${id}`}>
    <h2 id={`list-${id}`}>
      <Named>{name}</Named> {total !== undefined && <span class="dim">{total}</span>}
    </h2>
    <ul class="list">
      {issues.map((issue) => (
        <li key={issue.web_url}>
          <a href={pathOf(issue.web_url)}>
            <Named>{issue.title}</Named>
          </a>{' '}
          <span class="dim">#{issue.iid}</span>
        </li>
      ))}
    </ul>
    {issues.length === most.issues && <p class="dim">These are the first {most.issues} issues.</p>}
  </section>
);
