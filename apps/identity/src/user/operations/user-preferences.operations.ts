import {
  type ContextOf,
  getOwnPreferences,
  type ParsedOf,
  type ResultOf,
  updateOwnPreferences,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { preferencesFrom, viewPreferences } from '../preferences';
import { Users } from '../user.repository';

@Controller()
export class UserPreferences {
  constructor(private readonly users: Users) {}

  @Handles(getOwnPreferences)
  async get({ caller }: ContextOf<typeof getOwnPreferences>): Promise<ResultOf<typeof getOwnPreferences>> {
    return viewPreferences(await this.users.get(caller.id));
  }

  @Handles(updateOwnPreferences)
  async update(
    { caller }: ContextOf<typeof updateOwnPreferences>,
    input: ParsedOf<typeof updateOwnPreferences>,
  ): Promise<ResultOf<typeof updateOwnPreferences>> {
    return viewPreferences(await this.users.setPreferences(caller.id, preferencesFrom(input)));
  }
}
