import { type ContextOf, getGroup, type ParsedOf, present } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { showAttributes } from '../custom-attribute/custom-attributes';
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
    const found = await this.namespaces.getGroup(group.id);
    const view = await this.views.detail(found, caller, input.with_projects);
    const isShown = input.with_custom_attributes && caller?.isAdmin === true;
    return present(showAttributes([view], [found], isShown)[0], 'the view');
  }
}
