import {
  createGroupPushRule,
  createProjectPushRule,
  deleteGroupPushRule,
  deleteProjectPushRule,
  type GroupRef,
  getGroupPushRule,
  getProjectPushRule,
  type ParsedOf,
  type ProjectRef,
  present,
  pushRuleErrors,
  updateGroupPushRule,
  updateProjectPushRule,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { givenOf } from './given-push-rule';
import { type PushRuleOwner, PushRuleSets } from './push-rule.repository';
import { viewPushRule } from './push-rule.view';

interface Place {
  project?: ProjectRef | undefined;
  group?: GroupRef | undefined;
}

type Input = ParsedOf<typeof createProjectPushRule>;

/** The rules of a project, or those with which projects of a group begin. See docs/api/repository.md#14. */
abstract class PushRuleOperations {
  constructor(protected readonly rules: PushRuleSets) {}

  abstract get(place: Place): Promise<ReturnType<typeof viewPushRule> | null>;

  async create(place: Place, input: Input) {
    return viewPushRule(await this.rules.add(ownerOf(place), givenOf(input)));
  }

  async update(place: Place, input: Input) {
    return viewPushRule(await this.rules.change(ownerOf(place), givenOf(input)));
  }

  async delete(place: Place): Promise<void> {
    if (!(await this.rules.remove(ownerOf(place)))) throw pushRuleErrors.notFound();
  }
}

@HandlesEach({
  get: getProjectPushRule,
  create: createProjectPushRule,
  update: updateProjectPushRule,
  delete: deleteProjectPushRule,
})
@Controller()
export class ProjectPushRuleOperations extends PushRuleOperations {
  constructor(rules: PushRuleSets) {
    super(rules);
  }

  async get(place: Place) {
    const rule = await this.rules.find(ownerOf(place));
    return rule && viewPushRule(rule);
  }
}

@HandlesEach({
  get: getGroupPushRule,
  create: createGroupPushRule,
  update: updateGroupPushRule,
  delete: deleteGroupPushRule,
})
@Controller()
export class GroupPushRuleOperations extends PushRuleOperations {
  constructor(rules: PushRuleSets) {
    super(rules);
  }

  async get(place: Place) {
    return viewPushRule(await this.rules.get(ownerOf(place)));
  }
}

function ownerOf({ project, group }: Place): PushRuleOwner {
  if (project) return { kind: 'project', parentId: project.id };
  return { kind: 'group', parentId: present(group, 'a project or group').id };
}
