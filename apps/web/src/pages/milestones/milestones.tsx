import type { Milestone } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address, Content, ProjectPage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { inProject } from '../../parts/in-project';
import { MilestoneFacts } from '../../parts/milestone-facts';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { SearchForm, searchOf } from '../../parts/search-form';
import { States, stateOf } from '../../parts/states';
import { longestText } from '../../parts/texts';
import type { Visit } from '../../visit/visits';
import { type MilestonesOf, ofProject } from './milestone-operations';

const states = ['active', 'closed', 'all'] as const;

/** The milestones of a project and of the groups above it. */
export const milestonesPage: ProjectPage = {
  at: '/milestones',
  async show(visit, project, address) {
    return inProject(visit, project, await listMilestones(visit, ofProject, project, address));
  },
};

/** The milestones of a project or a group, and a search in them. */
export async function listMilestones<T extends { id: number }>(
  visit: Visit,
  { operations, pathIn }: MilestonesOf<T>,
  parent: T,
  address: Address,
): Promise<Content> {
  const search = searchOf(address);
  const asked = {
    id: String(parent.id),
    state: stateOf(address, states),
    include_parent_milestones: true,
    page: pageOf(address),
    per_page: perPage,
    ...(search && { search }),
  };
  const [{ items }, creates] = await Promise.all([
    visit.ask(operations.list, asked, longestText),
    visit.may(operations.create, parent),
  ]);
  return {
    title: 'Milestones',
    body: (
      <>
        {creates && (
          <p>
            <a href={`${pathIn(parent)}/new`}>New milestone</a>
          </p>
        )}
        <SearchForm label="Search in title and description" address={address} />
        <States address={address} states={states} />
        <MilestoneList milestones={items} />
        <Paging address={address} shown={items.length} />
      </>
    ),
  };
}

const MilestoneList = ({ milestones }: { milestones: readonly Milestone[] }) =>
  milestones.length === 0 ? (
    <p class="dim">No milestone matches.</p>
  ) : (
    <ul class="list">
      {milestones.map((milestone) => (
        <li key={milestone.id}>
          <p>
            <a href={pathOf(milestone.web_url)}>
              <Named>{milestone.title}</Named>
            </a>
          </p>
          <MilestoneFacts milestone={milestone} />
        </li>
      ))}
    </ul>
  );
