import {
  type ContextOf,
  createGroupLabel,
  createProjectLabel,
  deleteGroupLabel,
  deleteProjectLabel,
  getGroupLabel,
  getProjectLabel,
  invalidRecord,
  type Label,
  type ParsedOf,
  Reply,
  subscribeToGroupLabel,
  subscribeToProjectLabel,
  unsubscribeFromGroupLabel,
  unsubscribeFromProjectLabel,
  updateGroupLabel,
  updateProjectLabel,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { UpdateQuery } from 'mongoose';
import { groupOwner, type OwnerKey, ownersForGroup, ownersForProject, projectOwner } from '../parent/owner';
import { refuseFull } from '../user/most-people';
import { Labels } from './label.repository';
import { type LabelDocument, mostPriorities } from './label.schema';
import { viewLabel } from './label.view';
import { parseColor } from './label-color';
import { LabelReferences } from './label-references';

type Change = Pick<ParsedOf<typeof updateProjectLabel>, 'new_name' | 'color' | 'description'>;
interface Chosen {
  label_id?: string | undefined;
  name?: string | undefined;
}

@Controller()
export class LabelOperations {
  constructor(
    private readonly labels: Labels,
    private readonly references: LabelReferences,
  ) {}

  @Handles(getProjectLabel)
  async getOfProject({ project, caller }: ContextOf<typeof getProjectLabel>, input: ParsedOf<typeof getProjectLabel>) {
    const owners = input.include_ancestor_groups ? ownersForProject(project) : [projectOwner(project.id)];
    return viewLabel(await this.labels.get(owners, input.label_id), caller?.id, project.id);
  }

  @Handles(getGroupLabel)
  async getOfGroup({ group, caller }: ContextOf<typeof getGroupLabel>, input: ParsedOf<typeof getGroupLabel>) {
    const owners = input.include_ancestor_groups ? ownersForGroup(group) : [groupOwner(group.id)];
    return viewLabel(await this.labels.get(owners, input.label_id), caller?.id);
  }

  @Handles(createProjectLabel)
  async createInProject(
    { project, caller }: ContextOf<typeof createProjectLabel>,
    { name, color, description, priority }: ParsedOf<typeof createProjectLabel>,
  ) {
    const label = await this.labels.add({
      owner: projectOwner(project.id),
      title: name.trim(),
      color: parseColor(color),
      description: description ?? null,
      priorities: priority == null ? [] : [{ projectId: project.id, priority }],
    });
    return viewLabel(label, caller.id, project.id);
  }

  @Handles(createGroupLabel)
  async createInGroup(
    { group, caller }: ContextOf<typeof createGroupLabel>,
    { name, color, description }: ParsedOf<typeof createGroupLabel>,
  ) {
    const title = name.trim();
    const label = await this.labels.add({
      owner: groupOwner(group.id),
      title,
      color: parseColor(color),
      description: description ?? null,
    });
    return viewLabel(label, caller.id);
  }

  @Handles(updateProjectLabel)
  async updateInProject(
    { project, caller }: ContextOf<typeof updateProjectLabel>,
    input: ParsedOf<typeof updateProjectLabel>,
  ) {
    // A priority of a group label belongs to the project; its other fields belong to the group.
    const isOnlyPriority = input.new_name === undefined && input.color === undefined && input.description === undefined;
    const owners = isOnlyPriority ? ownersForProject(project) : [projectOwner(project.id)];
    let label = await this.labels.get(owners, referenceIn(input));
    if (input.priority != null) refusePriority(label, project.id);
    if (!isOnlyPriority) label = await this.labels.change(label._id, changeOf(input));
    if (input.priority !== undefined) label = await this.labels.prioritize(label._id, project.id, input.priority);
    return viewLabel(label, caller.id, project.id);
  }

  @Handles(updateGroupLabel)
  async updateInGroup({ group, caller }: ContextOf<typeof updateGroupLabel>, input: ParsedOf<typeof updateGroupLabel>) {
    const label = await this.labels.get([groupOwner(group.id)], referenceIn(input));
    return viewLabel(await this.labels.change(label._id, changeOf(input)), caller.id);
  }

  @Handles(deleteProjectLabel)
  async deleteInProject({ project }: ContextOf<typeof deleteProjectLabel>, input: ParsedOf<typeof deleteProjectLabel>) {
    await this.references.remove(await this.labels.get([projectOwner(project.id)], referenceIn(input)));
  }

  @Handles(deleteGroupLabel)
  async deleteInGroup({ group }: ContextOf<typeof deleteGroupLabel>, input: ParsedOf<typeof deleteGroupLabel>) {
    await this.references.remove(await this.labels.get([groupOwner(group.id)], referenceIn(input)));
  }

  @Handles(subscribeToProjectLabel)
  async subscribeInProject(
    { project, caller }: ContextOf<typeof subscribeToProjectLabel>,
    input: ParsedOf<typeof subscribeToProjectLabel>,
  ) {
    return this.subscribe(ownersForProject(project), input.label_id, caller.id, true, project.id);
  }

  @Handles(unsubscribeFromProjectLabel)
  async unsubscribeInProject(
    { project, caller }: ContextOf<typeof unsubscribeFromProjectLabel>,
    input: ParsedOf<typeof unsubscribeFromProjectLabel>,
  ) {
    return this.subscribe(ownersForProject(project), input.label_id, caller.id, false, project.id);
  }

  @Handles(subscribeToGroupLabel)
  async subscribeInGroup(
    { group, caller }: ContextOf<typeof subscribeToGroupLabel>,
    input: ParsedOf<typeof subscribeToGroupLabel>,
  ) {
    return this.subscribe(ownersForGroup(group), input.label_id, caller.id, true);
  }

  @Handles(unsubscribeFromGroupLabel)
  async unsubscribeInGroup(
    { group, caller }: ContextOf<typeof unsubscribeFromGroupLabel>,
    input: ParsedOf<typeof unsubscribeFromGroupLabel>,
  ) {
    return this.subscribe(ownersForGroup(group), input.label_id, caller.id, false);
  }

  private async subscribe(
    owners: OwnerKey[],
    reference: string,
    callerId: number,
    wanted: boolean,
    projectId?: number,
  ): Promise<Reply<Label>> {
    const label = await this.labels.get(owners, reference);
    if (label.subscriberIds.includes(callerId) === wanted) {
      return new Reply(viewLabel(label, callerId, projectId), { status: 304 });
    }
    if (wanted) refuseFull(label.subscriberIds);
    const change = wanted ? { $addToSet: { subscriberIds: callerId } } : { $pull: { subscriberIds: callerId } };
    return new Reply(viewLabel(await this.labels.change(label._id, change), callerId, projectId));
  }
}

/** The path names the label; older clients use the parameter `name`. */
const referenceIn = ({ label_id, name }: Chosen): string => label_id ?? name ?? '';

/** @throws common.invalid_record if too many other projects have a priority for it */
function refusePriority({ priorities }: LabelDocument, projectId: number): void {
  if (priorities.length < mostPriorities || priorities.some((one) => one.projectId === projectId)) return;
  throw invalidRecord({ base: ['has too many priorities'] });
}

const changeOf = ({ new_name, color, description }: Change): UpdateQuery<LabelDocument> => ({
  $set: {
    ...(new_name !== undefined && { title: new_name.trim() }),
    ...(color !== undefined && { color: parseColor(color) }),
    ...(description !== undefined && { description }),
  },
});
