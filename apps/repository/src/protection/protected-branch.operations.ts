import {
  Access,
  branchProtection,
  type ContextOf,
  commonErrors,
  forbidden,
  getProtectedBranch,
  listProtectedBranches,
  onlyGiven,
  type ParsedOf,
  type ProjectRef,
  protectBranches,
  protectionErrors,
  unprotectBranches,
  updateProtectedBranch,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ProtectedRefs } from './protected-ref.repository';
import { viewProtectedBranch } from './protected-ref.view';
import { actorOf, reaches } from './protections';

type Grants = { access_level: number }[] | undefined;

@Controller()
export class ProtectedBranchOperations {
  constructor(private readonly refs: ProtectedRefs) {}

  @Handles(listProtectedBranches)
  async list({ project }: ContextOf<typeof listProtectedBranches>, input: ParsedOf<typeof listProtectedBranches>) {
    const { items, total } = await this.refs.page(project.id, 'branch', input);
    return { items: items.map(viewProtectedBranch), total };
  }

  @Handles(getProtectedBranch)
  async get({ project }: ContextOf<typeof getProtectedBranch>, { name }: ParsedOf<typeof getProtectedBranch>) {
    return viewProtectedBranch(await this.refs.get(project.id, 'branch', name));
  }

  @Handles(protectBranches)
  async create({ project }: ContextOf<typeof protectBranches>, input: ParsedOf<typeof protectBranches>) {
    const added = await this.refs.add({
      projectId: project.id,
      kind: 'branch',
      name: input.name,
      pushLevels: levelsOf(input.allowed_to_push) ?? [input.push_access_level],
      mergeLevels: levelsOf(input.allowed_to_merge) ?? [input.merge_access_level],
      unprotectLevels: levelsOf(input.allowed_to_unprotect) ?? [input.unprotect_access_level],
      allowsForcePush: input.allow_force_push,
      needsCodeOwner: input.code_owner_approval_required,
    });
    if (!added) throw protectionErrors.branchTaken(`Protected branch '${input.name}' already exists`);
    return viewProtectedBranch(added);
  }

  @Handles(updateProtectedBranch)
  async update({ project }: ContextOf<typeof updateProtectedBranch>, input: ParsedOf<typeof updateProtectedBranch>) {
    const given = onlyGiven({
      pushLevels: levelsOf(input.allowed_to_push),
      mergeLevels: levelsOf(input.allowed_to_merge),
      unprotectLevels: levelsOf(input.allowed_to_unprotect),
      allowsForcePush: input.allow_force_push,
      needsCodeOwner: input.code_owner_approval_required,
    });
    return viewProtectedBranch(await this.refs.change(project.id, input.name, given));
  }

  @Handles(unprotectBranches)
  async remove({ project, caller }: ContextOf<typeof unprotectBranches>, { name }: ParsedOf<typeof unprotectBranches>) {
    const { unprotectLevels } = await this.refs.get(project.id, 'branch', name);
    const actor = { ...actorOf(project, caller), accessLevel: levelOf(project) };
    if (!actor.isAdmin && !unprotectLevels.some((level) => reaches(actor, level))) throw forbidden();
    if (!(await this.refs.remove(project.id, 'branch', name))) throw commonErrors.notFound();
  }

  @Handles(branchProtection)
  async check(
    { project, caller }: ContextOf<typeof branchProtection>,
    { branches }: ParsedOf<typeof branchProtection>,
  ) {
    const protections = await this.refs.readProtections(project.id, { kind: 'branch', names: branches });
    const actor = actorOf(project, caller);
    return branches.map((name) => ({
      name,
      protected: protections.isProtected('branch', name),
      can_push: protections.canPush(name, actor),
      can_merge: protections.canMerge(name, actor),
    }));
  }
}

/** A role with the ability to manage protected branches has the rights of maintainers here. */
const levelOf = ({ accessLevel, abilities = [] }: ProjectRef): number =>
  abilities.includes('admin_protected_branch') ? Math.max(accessLevel, Access.Maintainer) : accessLevel;

/** An empty list counts as absent: without any level nobody could remove the protection. */
const levelsOf = (grants: Grants): number[] | undefined =>
  grants?.length ? [...new Set(grants.map(({ access_level }) => access_level))] : undefined;
