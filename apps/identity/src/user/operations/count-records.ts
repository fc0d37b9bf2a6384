import { type ContextOf, countIdentityRecords, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { Users } from '../user.repository';

/** Estimated counts of users and keys, from the database or an index. */
@Controller()
export class CountRecords {
  constructor(
    private readonly users: Users,
    @InjectConnection() private readonly connection: Connection,
  ) {}

  @Handles(countIdentityRecords)
  async count(_: ContextOf<typeof countIdentityRecords>, __: ParsedOf<typeof countIdentityRecords>) {
    const of = (name: string) => this.connection.collection(name).estimatedDocumentCount();
    return {
      users: await of('users'),
      active_users: await this.users.countActive(),
      ssh_keys: await of('ssh_keys'),
    };
  }
}
