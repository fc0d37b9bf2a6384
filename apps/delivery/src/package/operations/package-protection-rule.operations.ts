import {
  type ContextOf,
  createPackageProtectionRule,
  deletePackageProtectionRule,
  listPackageProtectionRules,
  type OutputOf,
  onlyGiven,
  type ParsedOf,
  updatePackageProtectionRule,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { PackageProtectionRule } from '../package-protection-rule.schema';
import { PackageProtectionRules } from '../package-protection-rules';

type Target = ContextOf<typeof createPackageProtectionRule>;

@Controller()
export class PackageProtectionRuleOperations {
  constructor(private readonly rules: PackageProtectionRules) {}

  @Handles(listPackageProtectionRules)
  async list({ project }: Target, input: ParsedOf<typeof listPackageProtectionRules>) {
    const page = await this.rules.page(project.id, input);
    return { ...page, items: page.items.map(view) };
  }

  @Handles(createPackageProtectionRule)
  async create({ project }: Target, input: ParsedOf<typeof createPackageProtectionRule>) {
    const facts = {
      pattern: input.package_name_pattern,
      pushLevel: input.minimum_access_level_for_push || null,
      deletionLevel: input.minimum_access_level_for_delete || null,
    };
    return view(await this.rules.add(project.id, facts));
  }

  @Handles(updatePackageProtectionRule)
  async update({ project }: Target, input: ParsedOf<typeof updatePackageProtectionRule>) {
    const { package_protection_rule_id: id, minimum_access_level_for_push, minimum_access_level_for_delete } = input;
    const facts = onlyGiven<Partial<PackageProtectionRule>>({
      pattern: input.package_name_pattern,
      pushLevel: minimum_access_level_for_push === '' ? null : minimum_access_level_for_push,
      deletionLevel: minimum_access_level_for_delete === '' ? null : minimum_access_level_for_delete,
    });
    if (Object.keys(facts).length === 0) return view(await this.rules.get(project.id, id));
    return view(await this.rules.change(project.id, id, facts));
  }

  @Handles(deletePackageProtectionRule)
  async delete({ project }: Target, input: ParsedOf<typeof deletePackageProtectionRule>): Promise<void> {
    await this.rules.remove(project.id, input.package_protection_rule_id);
  }
}

const view = (rule: PackageProtectionRule): OutputOf<typeof updatePackageProtectionRule> => ({
  id: rule._id,
  project_id: rule.projectId,
  package_name_pattern: rule.pattern,
  package_type: 'generic',
  minimum_access_level_for_push: rule.pushLevel,
  minimum_access_level_for_delete: rule.deletionLevel,
});
