import { type ContextOf, listProtections, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ProtectedRefs } from './protected-ref.repository';

/** Protections that replication shows beside a repository. */
@Controller()
export class ListProtections {
  constructor(private readonly refs: ProtectedRefs) {}

  @Handles(listProtections)
  async handle(_: ContextOf<typeof listProtections>, { project_id }: ParsedOf<typeof listProtections>) {
    const all = await this.refs.allOf(project_id);
    return all.map(({ _id: id, kind, name, pushLevels, mergeLevels, allowsForcePush }) => ({
      id,
      kind,
      name,
      pushLevels,
      mergeLevels,
      allowsForcePush,
    }));
  }
}
