import { type ContextOf, exportProtections, importProtections, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ProtectedRefs } from './protected-ref.repository';

/** Protected branches and tags in archives of projects. */
@Controller()
export class ArchivedProtections {
  constructor(private readonly refs: ProtectedRefs) {}

  @Handles(exportProtections)
  async export({ project }: ContextOf<typeof exportProtections>, _: ParsedOf<typeof exportProtections>) {
    const all = await this.refs.allOf(project.id);
    return all.map(({ kind, name, ...rules }) => ({
      kind,
      name,
      push_levels: rules.pushLevels,
      merge_levels: rules.mergeLevels,
      unprotect_levels: rules.unprotectLevels,
      allows_force_push: rules.allowsForcePush,
      needs_code_owner: rules.needsCodeOwner,
    }));
  }

  /** The default branch was protected when the repository was created; the archive replaces that. */
  @Handles(importProtections)
  async import({ project }: ContextOf<typeof importProtections>, input: ParsedOf<typeof importProtections>) {
    const wanted = new Set(input.protections.map(({ kind, name }) => `${kind} ${name}`));
    for (const { kind, name } of await this.refs.allOf(project.id)) {
      if (!wanted.has(`${kind} ${name}`)) await this.refs.remove(project.id, kind, name);
    }
    for (const { kind, name, ...rules } of input.protections) {
      await this.refs.put({
        projectId: project.id,
        kind,
        name,
        pushLevels: rules.push_levels,
        mergeLevels: rules.merge_levels,
        unprotectLevels: rules.unprotect_levels,
        allowsForcePush: rules.allows_force_push,
        needsCodeOwner: rules.needs_code_owner,
      });
    }
  }
}
