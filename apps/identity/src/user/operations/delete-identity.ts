import { type ContextOf, deleteUserIdentity, namedNotFound, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Users } from '../user.repository';

@Controller()
export class DeleteIdentity {
  constructor(private readonly users: Users) {}

  @Handles(deleteUserIdentity)
  async handle(
    _context: ContextOf<typeof deleteUserIdentity>,
    { id, provider }: ParsedOf<typeof deleteUserIdentity>,
  ): Promise<void> {
    await this.users.changeFrom(id, ['identities'], (user) => {
      const identities = user.identities.filter((identity) => identity.provider !== provider);
      if (identities.length === user.identities.length) throw namedNotFound('Identity');
      return { identities };
    });
  }
}
