import { isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { emptyProfile, newUser } from './new-user';
import { Users } from './user.repository';

/** The author of what deleted users wrote. Made when first needed. Source: clarifications B.8. */
@Injectable()
export class GhostUser {
  constructor(private readonly users: Users) {}

  async id(): Promise<number> {
    const ghost = await this.users.findGhost();
    return ghost ? ghost._id : this.make();
  }

  private async make(): Promise<number> {
    const id = await this.users.nextId();
    try {
      await this.users.add(
        newUser({
          _id: id,
          username: 'ghost',
          name: 'Ghost User',
          email: 'ghost@moothall.invalid',
          kind: 'ghost',
          canCreateGroup: false,
          confirmedAt: new Date(),
          profile: { ...emptyProfile, bio: 'This user stands in for people whose accounts were deleted.' },
        }),
      );
      return id;
    } catch (error) {
      // Another process made it, unless a person has the name.
      const ghost = isDuplicateKey(error) && (await this.users.findGhost());
      if (!ghost) throw error;
      return ghost._id;
    }
  }
}
