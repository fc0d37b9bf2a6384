import { isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { emptyProfile, newUser } from './new-user';
import { Users } from './user.repository';
import { Usernames, UsernameTaken } from './usernames';

/** A value in the unique index of addresses that cannot be an address: so there is only one ghost user. */
const onlyOne = 'ghost';

/** The author of records of deleted users. Created when first needed. See docs/api/users.md#5. */
@Injectable()
export class GhostUser {
  constructor(
    private readonly users: Users,
    private readonly usernames: Usernames,
  ) {}

  async id(): Promise<number> {
    const ghost = await this.users.findGhost();
    return ghost ? ghost._id : this.make();
  }

  private async make(): Promise<number> {
    const id = await this.users.nextId();
    for (let number = 0; ; number += 1) {
      // Users or groups may have the name.
      const username = number === 0 ? 'ghost' : `ghost${number}`;
      try {
        await this.usernames.whileClaimed({ id, username }, () => this.users.add(ghostOf(id, username)));
        return id;
      } catch (error) {
        // Another process created it, perhaps with another name.
        const made = isDuplicateKey(error, 'emailKeys') || error instanceof UsernameTaken;
        const ghost = made && (await this.users.findGhost());
        if (ghost) return ghost._id;
        if (!(error instanceof UsernameTaken)) throw error;
      }
    }
  }
}

const ghostOf = (id: number, username: string) =>
  newUser({
    _id: id,
    username,
    name: 'Ghost User',
    email: 'ghost@moothall.invalid',
    emailKeys: [onlyOne],
    kind: 'ghost',
    canCreateGroup: false,
    confirmedAt: new Date(),
    profile: { ...emptyProfile, bio: 'This user stands in for people whose accounts were deleted.' },
  });
