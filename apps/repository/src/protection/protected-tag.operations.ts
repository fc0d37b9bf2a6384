import {
  type ContextOf,
  commonErrors,
  getProtectedTag,
  listProtectedTags,
  type ParsedOf,
  protectionErrors,
  protectTags,
  unprotectTags,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ProtectedRefs } from './protected-ref.repository';
import { viewProtectedTag } from './protected-ref.view';

@Controller()
export class ProtectedTagOperations {
  constructor(private readonly refs: ProtectedRefs) {}

  @Handles(listProtectedTags)
  async list({ project }: ContextOf<typeof listProtectedTags>, input: ParsedOf<typeof listProtectedTags>) {
    const { items, total } = await this.refs.page(project.id, 'tag', input);
    return { items: items.map(viewProtectedTag), total };
  }

  @Handles(getProtectedTag)
  async get({ project }: ContextOf<typeof getProtectedTag>, { name }: ParsedOf<typeof getProtectedTag>) {
    return viewProtectedTag(await this.refs.get(project.id, 'tag', name));
  }

  @Handles(protectTags)
  async create({ project }: ContextOf<typeof protectTags>, input: ParsedOf<typeof protectTags>) {
    const levels = input.allowed_to_create?.map(({ access_level }) => access_level) ?? [input.create_access_level];
    const added = await this.refs.add({
      projectId: project.id,
      kind: 'tag',
      name: input.name,
      pushLevels: levels,
      mergeLevels: [],
      unprotectLevels: [],
      allowsForcePush: false,
      needsCodeOwner: false,
    });
    if (!added) throw protectionErrors.tagTaken(`Protected tag '${input.name}' already exists`);
    return viewProtectedTag(added);
  }

  @Handles(unprotectTags)
  async remove({ project }: ContextOf<typeof unprotectTags>, { name }: ParsedOf<typeof unprotectTags>) {
    if (!(await this.refs.remove(project.id, 'tag', name))) throw commonErrors.notFound();
  }
}
