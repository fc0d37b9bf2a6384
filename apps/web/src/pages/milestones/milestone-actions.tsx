import { Access, type Milestone, type ProjectRef, promoteMilestone, reaches } from '@moothall/contracts';
import type { ComponentChildren } from 'preact';
import type { Address, TakeForm } from '../../page/page';
import { pathOf } from '../../parts/address';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { Action } from '../../parts/form';
import type { Visit } from '../../visit/visits';
import { findMilestone } from './find-milestone';
import { type MilestonesOf, ofProject } from './milestone-operations';

interface ActionsProps {
  visit: Visit;
  address: Address;
  milestone: Milestone;
  /** The path of the milestone. */
  path: string;
  /** More actions. */
  children?: ComponentChildren;
}

/** Forms that close, activate and delete a milestone, for those who may change it. */
export const MilestoneActions = ({ visit, address, milestone: { state }, path, children }: ActionsProps) => (
  <>
    <div class="parts">
      <a href={`${path}/edit`}>Edit</a>
      {state === 'active' ? (
        <Action visit={visit} address={address} name="close" word="Close milestone" look="quiet" />
      ) : (
        <Action visit={visit} address={address} name="activate" word="Activate milestone" look="quiet" />
      )}
    </div>
    {children}
    <ConfirmedAction
      visit={visit}
      address={address}
      name="delete"
      word="Delete milestone"
      consequence="The milestone is deleted, and removed from its issues and merge requests."
    />
  </>
);

/** How these forms are taken. */
export function milestoneForms<T extends { id: number }>({
  operations,
  pathIn,
}: MilestonesOf<T>): Readonly<Record<string, TakeForm<T>>> {
  const changing =
    (state_event: 'close' | 'activate'): TakeForm<T> =>
    async (visit, parent, address) => {
      const { id, iid } = await findMilestone(visit, operations, parent, address);
      await visit.ask(operations.update, { id: String(parent.id), milestone_id: id, state_event });
      return `${pathIn(parent)}/${iid}`;
    };
  return {
    close: changing('close'),
    activate: changing('activate'),
    delete: async (visit, parent, address) => {
      const { id } = await findMilestone(visit, operations, parent, address);
      await visit.ask(operations.remove, { id: String(parent.id), milestone_id: id });
      return pathIn(parent);
    },
  };
}

/** Whether a visitor may promote milestones of the project to its group. Source: docs/api/milestones.md#5. */
export async function mayPromote(visit: Visit, project: ProjectRef): Promise<boolean> {
  if (project.namespaceKind !== 'group' || !(await visit.may(promoteMilestone, project))) return false;
  const group = await visit.findGroup(String(project.namespaceId));
  return group !== undefined && reaches(group, Access.Developer);
}

export const Promotion = ({ visit, address }: Pick<ActionsProps, 'visit' | 'address'>) => (
  <ConfirmedAction
    visit={visit}
    address={address}
    name="promote"
    word="Promote to the group"
    consequence="The milestone becomes one of the group. Milestones with the same title in other projects of the group are merged into it."
  />
);

/** How the form of {@link Promotion} is taken. */
export const takePromotion: TakeForm<ProjectRef> = async (visit, project, address) => {
  const { id } = await findMilestone(visit, ofProject.operations, project, address);
  const { web_url } = await visit.ask(promoteMilestone, { id: String(project.id), milestone_id: id });
  return pathOf(web_url);
};
