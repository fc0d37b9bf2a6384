import { type ContextOf, getGroup, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Namespaces } from '../namespace/namespace.repository';
import { GroupViews } from './group.view';

@Controller()
export class ReadGroup {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly views: GroupViews,
  ) {}

  @Handles(getGroup)
  async handle({ group, caller }: ContextOf<typeof getGroup>, input: ParsedOf<typeof getGroup>) {
    return this.views.detail(await this.namespaces.getGroup(group.id), caller, input.with_projects);
  }
}
