import { type ContextOf, deleteGroup, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { EndGroup } from './end-group';

@Controller()
export class DeleteGroup {
  constructor(private readonly groups: EndGroup) {}

  @Handles(deleteGroup)
  async handle({ group, caller }: ContextOf<typeof deleteGroup>, _: ParsedOf<typeof deleteGroup>) {
    const { id: _id, fullPath, name, ancestorIds } = group;
    await this.groups.end({ _id, fullPath, name, ancestorIds }, caller.id);
    return { message: '202 Accepted' };
  }
}
