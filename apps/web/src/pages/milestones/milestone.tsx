import type { Milestone, ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ComponentChildren } from 'preact';
import type { Address, Content, ProjectPage } from '../../page/page';
import { Burndown } from '../../parts/burndown';
import { MilestoneFacts } from '../../parts/milestone-facts';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { longestText, readTexts, Text, type TextShown } from '../../parts/texts';
import { Work } from '../../parts/work';
import type { Visit } from '../../visit/visits';
import { findMilestone } from './find-milestone';
import { MilestoneActions, mayPromote, milestoneForms, Promotion, takePromotion } from './milestone-actions';
import { type MilestoneOperations, ofProject } from './milestone-operations';

const { operations, pathIn, within } = ofProject;

/** A milestone of a project. */
export const milestonePage: ProjectPage = {
  at: '/milestones/:iid',
  async show(visit, project, address) {
    const milestone = await findMilestone(visit, operations, project, address, longestText);
    const [[description], changes, promotes] = await Promise.all([
      readTexts(visit, project, [milestone.description ?? '']),
      visit.may(operations.update, project),
      mayPromote(visit, project),
    ]);
    const path = `${pathIn(project)}/${milestone.iid}`;
    const actions = changes && (
      <MilestoneActions visit={visit} address={address} milestone={milestone} path={path}>
        {promotes && <Promotion visit={visit} address={address} />}
      </MilestoneActions>
    );
    return within(
      visit,
      project,
      await showMilestone(visit, operations, { parent: project, milestone, description, actions, address }),
    );
  },
  forms: { ...milestoneForms(ofProject), promote: takePromotion },
};

interface Shown {
  parent: Pick<ProjectRef, 'id'>;
  milestone: Milestone;
  description: TextShown | undefined;
  /** Forms that change it. */
  actions: ComponentChildren;
  address: Address;
}

/** A milestone with its burndown, and pages of its issues and merge requests. */
export async function showMilestone(
  visit: Visit,
  operations: MilestoneOperations,
  { parent, milestone, description, actions, address }: Shown,
): Promise<Content> {
  const one = { id: String(parent.id), milestone_id: milestone.id };
  const asked = { ...one, page: pageOf(address), per_page: perPage };
  const [days, issues, requests] = await Promise.all([
    visit.askIfSeen(operations.readBurndown, one),
    visit.askIfSeen(operations.listIssues, asked, longestText),
    visit.askIfSeen(operations.listMergeRequests, asked, longestText),
  ]);
  return {
    title: milestone.title,
    heading: <Named>{milestone.title}</Named>,
    body: (
      <>
        <MilestoneFacts milestone={milestone} />
        {actions}
        {description && <Text {...description} />}
        {days !== undefined && <Burndown milestone={milestone} days={days} />}
        {issues && <Work title="Issues" items={issues.items} none="There are no issues to show." />}
        {requests && <Work title="Merge requests" items={requests.items} none="There are no merge requests to show." />}
        <Paging address={address} shown={Math.max(issues?.items.length ?? 0, requests?.items.length ?? 0)} />
      </>
    ),
  };
}
