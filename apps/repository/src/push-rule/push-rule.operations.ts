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

interface Parent {
  project?: ProjectRef | undefined;
  group?: GroupRef | undefined;
}

type Input = ParsedOf<typeof createProjectPushRule>;

/** The rules of a project, or those that new projects of a group inherit. See docs/api/repository.md#14. */
abstract class PushRuleOperations {
  constructor(protected readonly rules: PushRuleSets) {}

  abstract get(parent: Parent): Promise<ReturnType<typeof viewPushRule> | null>;

  async create(parent: Parent, input: Input) {
    return viewPushRule(await this.rules.add(ownerOf(parent), givenOf(input)));
  }

  async update(parent: Parent, input: Input) {
    return viewPushRule(await this.rules.change(ownerOf(parent), givenOf(input)));
  }

  async delete(parent: Parent): Promise<void> {
    if (!(await this.rules.remove(ownerOf(parent)))) throw pushRuleErrors.notFound();
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

  async get(parent: Parent) {
    const rule = await this.rules.find(ownerOf(parent));
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

  async get(parent: Parent) {
    return viewPushRule(await this.rules.get(ownerOf(parent)));
  }
}

function ownerOf({ project, group }: Parent): PushRuleOwner {
  if (project) return { kind: 'project', parentId: project.id };
  return { kind: 'group', parentId: present(group, 'a project or group').id };
}
