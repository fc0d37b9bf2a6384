import {
  type ContextOf,
  getCurrentUser,
  getUser,
  highestRole,
  type ParsedOf,
  type ResultOf,
  userErrors,
} from '@moothall/contracts';
import { Handles, KnownSettings, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Users } from '../user.repository';
import { UserViews } from '../user.view';

@Controller()
export class ReadUsers {
  constructor(
    private readonly users: Users,
    private readonly views: UserViews,
    private readonly operations: OperationClient,
    private readonly instance: KnownSettings,
  ) {}

  @Handles(getUser)
  async get(
    { caller }: ContextOf<typeof getUser>,
    { id, with_custom_attributes }: ParsedOf<typeof getUser>,
  ): Promise<ResultOf<typeof getUser>> {
    const user = await this.users.get(id);
    if (!caller && (await this.instance.read()).restricted_visibility_levels.includes('public')) {
      throw userErrors.notFound();
    }
    const view = this.views.for(caller, user, with_custom_attributes);
    if (!caller?.isAdmin) return view;
    const { access_level } = await this.operations.call(highestRole, { user_id: user._id });
    return { ...view, highest_role: access_level };
  }

  @Handles(getCurrentUser)
  async current({ caller }: ContextOf<typeof getCurrentUser>): Promise<ResultOf<typeof getCurrentUser>> {
    return this.views.own(await this.users.get(caller.id));
  }
}
