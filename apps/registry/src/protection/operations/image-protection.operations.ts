import {
  type ContextOf,
  createImageProtectionRule,
  deleteImageProtectionRule,
  listImageProtectionRules,
  type OutputOf,
  onlyGiven,
  type ParsedOf,
  type ProjectRef,
  registryProtectionErrors,
  updateImageProtectionRule,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ContainerRepositories } from '../../repository/container-repository.repository';
import type { ProtectionRule } from '../protection-rule.schema';
import { ProtectionRules } from '../protection-rules';

type Target = ContextOf<typeof createImageProtectionRule>;

@Controller()
export class ImageProtectionOperations {
  constructor(
    private readonly rules: ProtectionRules,
    private readonly repositories: ContainerRepositories,
  ) {}

  @Handles(listImageProtectionRules)
  async list({ project }: Target, input: ParsedOf<typeof listImageProtectionRules>) {
    const page = await this.rules.page(project.id, 'images', input);
    return { ...page, items: page.items.map(view) };
  }

  @Handles(createImageProtectionRule)
  async create({ project }: Target, input: ParsedOf<typeof createImageProtectionRule>) {
    const pattern = input.repository_path_pattern;
    await this.requireOwn(project, pattern);
    const pushLevel = input.minimum_access_level_for_push || null;
    const deletionLevel = input.minimum_access_level_for_delete || null;
    return view(await this.rules.add(project.id, 'images', { pattern, pushLevel, deletionLevel }));
  }

  @Handles(updateImageProtectionRule)
  async update({ project }: Target, input: ParsedOf<typeof updateImageProtectionRule>) {
    const { repository_path_pattern: pattern, minimum_access_level_for_push: pushLevel } = input;
    const deletionLevel = input.minimum_access_level_for_delete;
    if (pattern !== undefined) await this.requireOwn(project, pattern);
    const facts = onlyGiven<ProtectionRule>({
      pattern,
      pushLevel: pushLevel === '' ? null : pushLevel,
      deletionLevel: deletionLevel === '' ? null : deletionLevel,
    });
    return view(await this.rules.change(project.id, 'images', input.protection_rule_id, facts));
  }

  @Handles(deleteImageProtectionRule)
  async delete({ project }: Target, input: ParsedOf<typeof deleteImageProtectionRule>): Promise<void> {
    await this.rules.remove(project.id, 'images', input.protection_rule_id);
  }

  /** Images keep their names when their project is moved. @throws registry_protection.path_elsewhere */
  private async requireOwn({ id, fullPath }: ProjectRef, pattern: string): Promise<void> {
    if (pattern.startsWith(fullPath.toLowerCase())) return;
    const [start = ''] = pattern.split('*');
    if (start === '' || !(await this.repositories.hasNamedFrom(id, start)))
      throw registryProtectionErrors.pathElsewhere();
  }
}

const view = (rule: ProtectionRule): OutputOf<typeof updateImageProtectionRule> => ({
  id: rule._id,
  project_id: rule.projectId,
  repository_path_pattern: rule.pattern,
  minimum_access_level_for_push: rule.pushLevel,
  minimum_access_level_for_delete: rule.deletionLevel,
});
