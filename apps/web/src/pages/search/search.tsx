import { commonErrors, definitionOf, OperationError } from '@moothall/contracts';
import { Notice } from '@moothall/pages';
import { RefusedForm } from '../../forms/refused-form';
import { SentForm } from '../../forms/sent-form';
import type { Address, Content, SitePage } from '../../page/page';
import { forUser } from '../../parts/in-account';
import { inGroup } from '../../parts/in-group';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { SearchForm, searchOf } from '../../parts/search-form';
import type { Visit } from '../../visit/visits';
import { type Found, type Scope, type SearchTarget, scopes } from './scopes';

/** A search in the instance, in a group (`group_id`) or in a project (`project_id`). Source: docs/api/search.md#1. */
export const searchPage: SitePage = {
  at: '/search',
  show: (visit, address) =>
    forUser(visit, address, async () => {
      const target = await targetAt(visit, address);
      const open = await openScopes(visit, target);
      const scope = open.find(({ name }) => name === address.query.get('scope')) ?? open[0];
      const found = scope && (await foundAt(visit, target, scope, address));
      return inTarget(visit, target, {
        title: 'Search',
        width: 'wide',
        ...(found instanceof OperationError && { status: definitionOf(found.code).status }),
        body: (
          <>
            <SearchForm label={labels[target.kind]} address={address} />
            <nav class="parts" aria-label="Kinds of records">
              {open.map(({ name, title }) => (
                <a key={name} href={withScope(address, name)} aria-current={name === scope?.name}>
                  {title}
                </a>
              ))}
            </nav>
            {found instanceof OperationError ? (
              <Refusal error={found} />
            ) : (
              found && <Matches found={found} address={address} />
            )}
          </>
        ),
      });
    }),
};

const labels: Record<SearchTarget['kind'], string> = {
  instance: 'Search in all projects',
  group: 'Search in this group and its subgroups',
  project: 'Search in this project',
};

/** @throws common.not_found for a project or a group that the visitor does not see */
async function targetAt(visit: Visit, { query }: Address): Promise<SearchTarget> {
  const [projectId, groupId] = [query.get('project_id'), query.get('group_id')];
  if (projectId) return { kind: 'project', parent: (await visit.findProject(projectId)) ?? missing() };
  if (groupId) return { kind: 'group', parent: (await visit.findGroup(groupId)) ?? missing() };
  return { kind: 'instance' };
}

function missing(): never {
  throw commonErrors.notFound();
}

/** Those that the visitor may search in that target. */
async function openScopes(visit: Visit, target: SearchTarget): Promise<readonly Scope[]> {
  const open = await Promise.all(
    scopes.map(async ({ operations }) => {
      const operation = operations[target.kind];
      return operation !== undefined && (target.kind === 'instance' || visit.mayManage(operation, target.parent));
    }),
  );
  return scopes.filter((_, at) => open[at]);
}

/** @returns undefined without a text; the error for one that cannot be searched for, or not now */
async function foundAt(
  visit: Visit,
  target: SearchTarget,
  scope: Scope,
  address: Address,
): Promise<Found | OperationError | undefined> {
  const search = searchOf(address);
  if (search.trim() === '') return undefined;
  const asked = { search, page: pageOf(address), per_page: perPage };
  return scope.find(visit, target, asked).catch((error: unknown) => {
    if (isShown(error)) return error;
    throw error;
  });
}

/** A text or a limit is refused, or the search takes too long. */
const shownStatuses = [400, 422, 429, 503, 504];
const isShown = (error: unknown): error is OperationError =>
  error instanceof OperationError && shownStatuses.includes(definitionOf(error.code).status);

const Refusal = ({ error }: { error: OperationError }) => (
  <Notice>{new RefusedForm(new SentForm({}, {}), error).summary}</Notice>
);

const Matches = ({ found: { shown, list }, address }: { found: Found; address: Address }) => (
  <>
    {shown === 0 ? <p class="dim">Nothing matches.</p> : list}
    <Paging address={address} shown={shown} />
  </>
);

function withScope({ query }: Address, name: string): string {
  const changed = new URLSearchParams(query);
  changed.set('scope', name);
  changed.delete('page');
  return `?${changed}`;
}

function inTarget(visit: Visit, target: SearchTarget, content: Content): Content | Promise<Content> {
  if (target.kind === 'project') return inProject(visit, target.parent, content);
  return target.kind === 'group' ? inGroup(visit, target.parent, content) : content;
}
