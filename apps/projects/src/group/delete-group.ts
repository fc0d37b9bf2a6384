import { type ContextOf, deleteGroup, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { EndGroup } from './end-group';

@Controller()
export class DeleteGroup {
  constructor(private readonly groups: EndGroup) {}

  @Handles(deleteGroup)
  async handle({ group }: ContextOf<typeof deleteGroup>, _: ParsedOf<typeof deleteGroup>) {
    await this.groups.end({ _id: group.id, fullPath: group.fullPath });
    return { message: '202 Accepted' };
  }
}
