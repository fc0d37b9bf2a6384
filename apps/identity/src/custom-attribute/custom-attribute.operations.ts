import {
  type ContextOf,
  commonErrors,
  deleteUserAttribute,
  getUserAttribute,
  listUserAttributes,
  type ParsedOf,
  pageOf,
  type ResultOf,
  setUserAttribute,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Users } from '../user/user.repository';

@Controller()
export class CustomAttributes {
  constructor(private readonly users: Users) {}

  @Handles(listUserAttributes)
  async list(
    _context: ContextOf<typeof listUserAttributes>,
    input: ParsedOf<typeof listUserAttributes>,
  ): Promise<ResultOf<typeof listUserAttributes>> {
    const { customAttributes } = await this.users.get(input.id);
    return pageOf(customAttributes, input);
  }

  @Handles(getUserAttribute)
  async get(
    _context: ContextOf<typeof getUserAttribute>,
    { id, key }: ParsedOf<typeof getUserAttribute>,
  ): Promise<ResultOf<typeof getUserAttribute>> {
    const { customAttributes } = await this.users.get(id);
    const attribute = customAttributes.find((candidate) => candidate.key === key);
    if (!attribute) throw commonErrors.notFound();
    return attribute;
  }

  @Handles(setUserAttribute)
  async set(
    _context: ContextOf<typeof setUserAttribute>,
    { id, key, value }: ParsedOf<typeof setUserAttribute>,
  ): Promise<ResultOf<typeof setUserAttribute>> {
    await this.users.get(id);
    await this.users.setAttribute(id, key, value);
    return { key, value };
  }

  @Handles(deleteUserAttribute)
  async delete(
    _context: ContextOf<typeof deleteUserAttribute>,
    { id, key }: ParsedOf<typeof deleteUserAttribute>,
  ): Promise<void> {
    await this.users.get(id);
    if (!(await this.users.removeAttribute(id, key))) throw commonErrors.notFound();
  }
}
