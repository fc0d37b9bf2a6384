import { listTodos, markAllTodosDone, markTodoDone, type Todo, type TodoAction } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { SitePage } from '../page/page';
import { pathOf } from '../parts/address';
import { ConfirmedAction } from '../parts/confirmed-action';
import { Action } from '../parts/form';
import { forUser } from '../parts/in-account';
import { Paging, pageOf, perPage } from '../parts/paging';
import { shortened } from '../parts/shortened';
import { States, stateOf } from '../parts/states';
import { longestText } from '../parts/texts';
import { Day } from '../parts/time';

const path = '/dashboard/todos';
const states = ['pending', 'done'] as const;

/** The to-dos of the signed-in user. */
export const todosPage: SitePage = {
  at: path,
  show: (visit, address) =>
    forUser(visit, address, async () => {
      const state = stateOf(address, states);
      const { items } = await visit.ask(listTodos, { state, page: pageOf(address), per_page: perPage }, longestText);
      const isPending = state === 'pending';
      return {
        title: 'To do',
        width: 'wide',
        body: (
          <>
            <States address={address} states={states} />
            {items.length === 0 && <p class="dim">{isPending ? 'Nothing is to do.' : 'Nothing is done yet.'}</p>}
            <ul class="list">
              {items.map((todo) => (
                <li key={todo.id}>
                  <TodoItem todo={todo} />
                  {isPending && (
                    <Action
                      visit={visit}
                      address={address}
                      name="done"
                      of={String(todo.id)}
                      word="Mark as done"
                      look="quiet"
                    />
                  )}
                </li>
              ))}
            </ul>
            <Paging address={address} shown={items.length} />
            {isPending && items.length > 1 && (
              <ConfirmedAction
                visit={visit}
                address={address}
                name="all-done"
                word="Mark all as done"
                consequence="All to-dos are marked as done, also those on other pages."
              />
            )}
          </>
        ),
      };
    }),
  forms: {
    done: async (visit, _address, sent) => {
      await visit.submit(markTodoDone, { id: sent.text('of') });
      return path;
    },
    'all-done': async (visit) => {
      await visit.ask(markAllTodosDone, {});
      return path;
    },
  },
};

const reasons: Record<TodoAction, string> = {
  assigned: 'assigned to you',
  mentioned: 'mentions you',
  directly_addressed: 'addresses you',
  build_failed: 'pipeline failed',
  marked: 'marked by you',
  approval_required: 'needs your approval',
  review_requested: 'needs your review',
  unmergeable: 'cannot be merged',
  merge_train_removed: 'removed from the merge train',
};

const TodoItem = ({ todo: { target, target_url, body, action_name, author, created_at } }: { todo: Todo }) => (
  <>
    <p>
      <a href={pathOf(target_url)}>
        <Named>{shortened(body)}</Named>
      </a>
      <span class="tag after">{reasons[action_name]}</span>
    </p>
    <p class="dim">
      {target.references.full} by <Named>{author.name}</Named> on <Day at={created_at} />
    </p>
  </>
);
