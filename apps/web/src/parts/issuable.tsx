import type { Issue, MergeRequest, ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address } from '../page/page';
import { pathOf } from './address';
import { below } from './code-address';
import { Paging, pageOf, perPage } from './paging';
import { SearchForm, searchOf } from './search-form';
import { States, stateOf } from './states';
import { Day } from './time';
import { UserLink } from './user-link';

/** What issues and merge requests share. */
type Issuable = Pick<
  Issue | MergeRequest,
  | 'id'
  | 'title'
  | 'references'
  | 'web_url'
  | 'author'
  | 'created_at'
  | 'labels'
  | 'user_notes_count'
  | 'assignees'
  | 'milestone'
> & { state: string };

/** Parameters of a list, as in the addresses of links. */
export function filtersOf<S extends string>(address: Address, states: readonly [S, ...S[]]) {
  const { query } = address;
  const labels = [...query.getAll('label_name'), ...query.getAll('label_name[]')];
  const search = searchOf(address);
  const [author, assignee, milestone] = ['author_username', 'assignee_username', 'milestone_title'].map((name) =>
    query.get(name),
  );
  return {
    state: stateOf(address, states),
    page: pageOf(address),
    per_page: perPage,
    ...(search && { search }),
    ...(labels.length > 0 && { labels }),
    ...(author && { author_username: author }),
    ...(assignee && { assignee_username: [assignee] }),
    ...(milestone && { milestone }),
  };
}

interface ListProps {
  address: Address;
  items: readonly Issuable[];
  states: readonly [string, ...string[]];
  none: string;
  /** In a list of several projects the full one, which names the project. */
  reference?: 'short' | 'full';
}

/** Issues or merge requests, a search in them, and a choice of their state. */
export const IssuableList = ({ address, items, states, none, reference = 'short' }: ListProps) => (
  <>
    <SearchForm label="Search in title and description" address={address} />
    <States address={address} states={states} />
    {items.length === 0 ? (
      <p class="dim">{none}</p>
    ) : (
      <ul class="list">
        {items.map((item) => (
          <li key={item.id}>
            <IssuableItem item={item} reference={reference} />
          </li>
        ))}
      </ul>
    )}
    <Paging address={address} shown={items.length} />
  </>
);

const IssuableItem = ({ item, reference }: { item: Issuable; reference: 'short' | 'full' }) => (
  <>
    <p>
      <a href={pathOf(item.web_url)}>
        <Named>{item.title}</Named>
      </a>
      {item.state !== 'opened' && <span class="tag after">{item.state}</span>}
      {item.labels.map((label) => (
        <span key={nameOf(label)} class="tag after">
          <Named>{nameOf(label)}</Named>
        </span>
      ))}
    </p>
    <p class="dim">
      {item.references[reference]} by <Named>{item.author.name}</Named> on <Day at={item.created_at} />,{' '}
      {item.user_notes_count === 1 ? '1 note' : `${item.user_notes_count} notes`}
    </p>
  </>
);

const nameOf = (label: string | { name: string }): string => (typeof label === 'string' ? label : label.name);

/** State, people, labels and milestone of one issue or merge request. */
export const IssuableFacts = ({ project, page, item }: { project: ProjectRef; page: string; item: Issuable }) => (
  <ul class="facts">
    <li class="tag">{item.state}</li>
    <li>
      By <UserLink user={item.author} /> on <Day at={item.created_at} />
    </li>
    {item.assignees.map((user) => (
      <li key={user.id}>
        Assigned to <UserLink user={user} />
      </li>
    ))}
    {item.labels.map((label) => (
      <li key={nameOf(label)} class="tag">
        <a href={`${below(project, page)}?label_name=${encodeURIComponent(nameOf(label))}`}>
          <Named>{nameOf(label)}</Named>
        </a>
      </li>
    ))}
    {item.milestone && (
      <li>
        Milestone{' '}
        <a href={pathOf(item.milestone.web_url)}>
          <Named>{item.milestone.title}</Named>
        </a>
      </li>
    )}
  </ul>
);
