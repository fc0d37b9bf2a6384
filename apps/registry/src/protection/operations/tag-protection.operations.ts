import {
  type ContextOf,
  createTagProtectionRule,
  deleteTagProtectionRule,
  listTagProtectionRules,
  type OutputOf,
  onlyGiven,
  type ParsedOf,
  updateTagProtectionRule,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { requirePattern } from '../../deletion-plan/deletion-rules';
import type { ProtectionRule } from '../protection-rule.schema';
import { ProtectionRules } from '../protection-rules';

type Target = ContextOf<typeof createTagProtectionRule>;
type View = OutputOf<typeof updateTagProtectionRule>;

@Controller()
export class TagProtectionOperations {
  constructor(private readonly rules: ProtectionRules) {}

  @Handles(listTagProtectionRules)
  async list({ project }: Target, input: ParsedOf<typeof listTagProtectionRules>) {
    const page = await this.rules.page(project.id, 'tags', input);
    return { ...page, items: page.items.map(view) };
  }

  @Handles(createTagProtectionRule)
  async create({ project }: Target, input: ParsedOf<typeof createTagProtectionRule>) {
    const { tag_name_pattern: pattern, minimum_access_level_for_push: pushLevel } = input;
    requirePattern('tag_name_pattern', pattern);
    const facts = { pattern, pushLevel, deletionLevel: input.minimum_access_level_for_delete };
    return view(await this.rules.add(project.id, 'tags', facts));
  }

  @Handles(updateTagProtectionRule)
  async update({ project }: Target, input: ParsedOf<typeof updateTagProtectionRule>) {
    const { tag_name_pattern: pattern, minimum_access_level_for_push: pushLevel } = input;
    if (pattern !== undefined) requirePattern('tag_name_pattern', pattern);
    const facts = onlyGiven<ProtectionRule>({
      pattern,
      pushLevel,
      deletionLevel: input.minimum_access_level_for_delete,
    });
    return view(await this.rules.change(project.id, 'tags', input.protection_rule_id, facts));
  }

  @Handles(deleteTagProtectionRule)
  async delete({ project }: Target, input: ParsedOf<typeof deleteTagProtectionRule>): Promise<void> {
    await this.rules.remove(project.id, 'tags', input.protection_rule_id);
  }
}

/** Rules for tags have both levels. */
const view = (rule: ProtectionRule): View => ({
  id: rule._id,
  project_id: rule.projectId,
  tag_name_pattern: rule.pattern,
  minimum_access_level_for_push: rule.pushLevel ?? 'admin',
  minimum_access_level_for_delete: rule.deletionLevel ?? 'admin',
});
