import {
  type ContextOf,
  exportPushRules,
  importPushRules,
  isError,
  type ParsedOf,
  pushRuleErrors,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { givenOf } from './given-push-rule';
import { type PushRuleOwner, PushRuleSets } from './push-rule.repository';
import { viewPushRule } from './push-rule.view';

/** Push rules in archives of projects. See docs/api/projects.md#9. */
@Controller()
export class ArchivedPushRules {
  constructor(private readonly rules: PushRuleSets) {}

  @Handles(exportPushRules)
  async export({ project }: ContextOf<typeof exportPushRules>, _: ParsedOf<typeof exportPushRules>) {
    const rule = await this.rules.find(ownerOf(project.id));
    if (!rule) return [];
    const { id, created_at, project_id, ...fields } = viewPushRule(rule);
    return [fields];
  }

  @Handles(importPushRules)
  async import({ project }: ContextOf<typeof importPushRules>, input: ParsedOf<typeof importPushRules>) {
    await this.rules.add(ownerOf(project.id), givenOf(input)).catch((error: unknown) => {
      if (!isError(error, pushRuleErrors.exists)) throw error;
    });
  }
}

const ownerOf = (parentId: number): PushRuleOwner => ({ kind: 'project', parentId });
