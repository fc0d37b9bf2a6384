import {
  addOwnEmail,
  addUserEmail,
  type ContextOf,
  deleteOwnEmail,
  deleteUserEmail,
  emailErrors,
  getOwnEmail,
  invalidRecord,
  listOwnEmails,
  listUserEmails,
  type ParsedOf,
  pageOf,
  type ResultOf,
} from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { wantedConfirmation } from '../mail/account-mails';
import { EmailPresent, EmailsFull, Users } from '../user/user.repository';
import { mostEmails, type SecondaryEmail, type User } from '../user/user.schema';
import { isEmail } from '../user/user-rules';

type Paging = { page: number; per_page: number };

@Controller()
export class EmailOperations {
  constructor(private readonly users: Users) {}

  @Handles(listOwnEmails)
  async listOwn(
    { caller }: ContextOf<typeof listOwnEmails>,
    input: ParsedOf<typeof listOwnEmails>,
  ): Promise<ResultOf<typeof listOwnEmails>> {
    return this.list(caller.id, input);
  }

  @Handles(listUserEmails)
  async listOf(
    _context: ContextOf<typeof listUserEmails>,
    input: ParsedOf<typeof listUserEmails>,
  ): Promise<ResultOf<typeof listUserEmails>> {
    return this.list(input.id, input);
  }

  @Handles(getOwnEmail)
  async get(
    { caller }: ContextOf<typeof getOwnEmail>,
    { email_id }: ParsedOf<typeof getOwnEmail>,
  ): Promise<ResultOf<typeof getOwnEmail>> {
    return viewEmail(emailOf(await this.users.get(caller.id), email_id));
  }

  @Handles(addOwnEmail)
  async addOwn(
    { caller }: ContextOf<typeof addOwnEmail>,
    { email }: ParsedOf<typeof addOwnEmail>,
  ): Promise<ResultOf<typeof addOwnEmail>> {
    return this.add(await this.users.get(caller.id), email, false);
  }

  @Handles(addUserEmail)
  async addFor(
    _context: ContextOf<typeof addUserEmail>,
    { id, email, skip_confirmation }: ParsedOf<typeof addUserEmail>,
  ): Promise<ResultOf<typeof addUserEmail>> {
    return this.add(await this.users.get(id), email, skip_confirmation);
  }

  @Handles(deleteOwnEmail)
  async deleteOwn({ caller }: ContextOf<typeof deleteOwnEmail>, input: ParsedOf<typeof deleteOwnEmail>): Promise<void> {
    await this.users.removeEmail(caller.id, emailOf(await this.users.get(caller.id), input.email_id));
  }

  @Handles(deleteUserEmail)
  async deleteOf(
    _context: ContextOf<typeof deleteUserEmail>,
    { id, email_id }: ParsedOf<typeof deleteUserEmail>,
  ): Promise<void> {
    await this.users.removeEmail(id, emailOf(await this.users.get(id), email_id));
  }

  private async list(userId: number, input: Paging) {
    const { items, total } = pageOf((await this.users.get(userId)).secondaryEmails, input);
    return { items: items.map(viewEmail), total };
  }

  private async add(user: User, email: string, isConfirmed: boolean) {
    if (!isEmail(email)) throw invalidRecord({ email: ['is invalid'] });
    try {
      const mails = isConfirmed ? [] : [wantedConfirmation(user._id, email)];
      return viewEmail(await this.users.addEmail(user._id, email, isConfirmed ? new Date() : null, ...mails));
    } catch (error) {
      if (error instanceof EmailsFull) throw invalidRecord({ email: [`are too many (maximum is ${mostEmails})`] });
      const isTaken = error instanceof EmailPresent || isDuplicateKey(error, 'emailKeys');
      throw isTaken ? invalidRecord({ email: ['has already been taken'] }) : error;
    }
  }
}

function emailOf(user: User, id: number): SecondaryEmail {
  const email = user.secondaryEmails.find((candidate) => candidate.id === id);
  if (!email) throw emailErrors.notFound();
  return email;
}

const viewEmail = ({ id, email, confirmedAt }: SecondaryEmail) => ({
  id,
  email,
  confirmed_at: confirmedAt?.toISOString() ?? null,
});
