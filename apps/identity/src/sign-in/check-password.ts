import { Injectable } from '@nestjs/common';
import { isPassword } from '../password/password';
import { refusalOf } from '../user/caller';
import { Users } from '../user/user.repository';
import type { User } from '../user/user.schema';
import { SignInLimit } from './sign-in-limit';

/** Whether a password must be changed before anything else. */
export const isPasswordDue = ({ passwordExpiresAt }: User): boolean =>
  passwordExpiresAt !== null && passwordExpiresAt.getTime() <= Date.now();

/** The only place that checks passwords. Neither answer nor time reveals whether an account exists. */
@Injectable()
export class CheckPassword {
  constructor(
    private readonly users: Users,
    private readonly limit: SignInLimit,
  ) {}

  /**
   * @param login user name or email address
   * @returns null for a wrong password or an unknown user
   * @throws common.too_many_requests
   */
  async holder(login: string, password: string, ip: string): Promise<User | null> {
    const user = await this.users.findBySignIn(login);
    // Attempts count for the account, whichever of its names is used.
    const takeBack = await this.limit.attempt(user ? `user ${user._id}` : login, ip);
    if (!(await isPassword(user?.passwordHash, password))) return null;
    await takeBack();
    if (user && refusalOf(user)) await this.users.publishRefusal(user);
    return user;
  }
}
