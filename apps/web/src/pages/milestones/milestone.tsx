import { type Milestone, milestoneErrors, type Project } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address, Content, ProjectPage, RouteAddress } from '../../page/page';
import { Burndown } from '../../parts/burndown';
import { inProject } from '../../parts/in-project';
import { MilestoneFacts } from '../../parts/milestone-facts';
import { numberIn } from '../../parts/number-in';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { readTexts, Text, type TextShown } from '../../parts/texts';
import { Work } from '../../parts/work';
import type { Visit } from '../../visit/visits';
import { type MilestoneOperations, ofProject } from './milestone-operations';

/** A milestone of a project. */
export const milestonePage: ProjectPage = {
  at: '/milestones/:iid',
  async show(visit, project, address) {
    const milestone = await findMilestone(visit, ofProject, project, address);
    const [description] = await readTexts(visit, project, [milestone.description ?? '']);
    const content = await showMilestone(visit, ofProject, { parent: project, milestone, description, address });
    return inProject(visit, project, content);
  },
};

/** @throws milestone.not_found */
export async function findMilestone(
  visit: Visit,
  { list }: MilestoneOperations,
  { id }: { id: number },
  address: RouteAddress,
): Promise<Milestone> {
  const { items } = await visit.ask(list, { id: String(id), iids: [numberIn(address, 'iid')] });
  const [milestone] = items;
  if (!milestone) throw milestoneErrors.notFound();
  return milestone;
}

interface Shown {
  parent: Pick<Project, 'id'>;
  milestone: Milestone;
  description: TextShown | undefined;
  address: Address;
}

/** A milestone with its burndown, and pages of its issues and merge requests. */
export async function showMilestone(
  visit: Visit,
  operations: MilestoneOperations,
  { parent, milestone, description, address }: Shown,
): Promise<Content> {
  const one = { id: String(parent.id), milestone_id: milestone.id };
  const asked = { ...one, page: pageOf(address), per_page: perPage };
  const [days, issues, requests] = await Promise.all([
    visit.askIfSeen(operations.readBurndown, one),
    visit.askIfSeen(operations.listIssues, asked),
    visit.askIfSeen(operations.listMergeRequests, asked),
  ]);
  return {
    title: milestone.title,
    heading: <Named>{milestone.title}</Named>,
    body: (
      <>
        <MilestoneFacts milestone={milestone} />
        {description && <Text {...description} />}
        {days !== undefined && <Burndown milestone={milestone} days={days} />}
        {issues && <Work title="Issues" items={issues.items} none="There are no issues to show." />}
        {requests && <Work title="Merge requests" items={requests.items} none="There are no merge requests to show." />}
        <Paging address={address} shown={Math.max(issues?.items.length ?? 0, requests?.items.length ?? 0)} />
      </>
    ),
  };
}
