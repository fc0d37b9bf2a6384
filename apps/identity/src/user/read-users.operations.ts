import { type ContextOf, getCurrentUser, getUser, type ParsedOf, type ResultOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Users } from './user.repository';
import { UserViews } from './user.view';

@Controller()
export class ReadUsers {
  constructor(
    private readonly users: Users,
    private readonly views: UserViews,
  ) {}

  @Handles(getUser)
  async get(
    { caller }: ContextOf<typeof getUser>,
    { id, with_custom_attributes }: ParsedOf<typeof getUser>,
  ): Promise<ResultOf<typeof getUser>> {
    return this.views.for(caller, await this.users.get(id), with_custom_attributes);
  }

  @Handles(getCurrentUser)
  async current({ caller }: ContextOf<typeof getCurrentUser>): Promise<ResultOf<typeof getCurrentUser>> {
    return this.views.own(await this.users.get(caller.id));
  }
}
