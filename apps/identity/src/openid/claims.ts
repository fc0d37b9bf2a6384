import type { AnyScope } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { User } from '../user/user.schema';
import { UserViews } from '../user/user.view';

/** Claims about a user for an application, by scope. Source: OpenID Connect Core 5.4. */
@Injectable()
export class Claims {
  constructor(private readonly views: UserViews) {}

  collect(user: User, scopes: readonly AnyScope[]): Record<string, unknown> & { sub: string } {
    return {
      sub: String(user._id),
      ...(scopes.includes('profile') && this.profile(user)),
      ...(scopes.includes('email') && { email: user.email, email_verified: user.confirmedAt !== null }),
    };
  }

  private profile(user: User): Record<string, unknown> {
    const { web_url, avatar_url } = this.views.summary(user);
    return {
      name: user.name,
      nickname: user.username,
      preferred_username: user.username,
      profile: web_url,
      ...(avatar_url && { picture: avatar_url }),
      ...(user.profile.websiteUrl && { website: user.profile.websiteUrl }),
      updated_at: Math.floor(user.updatedAt.getTime() / 1000),
    };
  }
}
