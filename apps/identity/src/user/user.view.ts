import { createHash } from 'node:crypto';
import type { AdminUser, Caller, OwnUser, PublicUser, UserSummary } from '@moothall/contracts';
import { KnownSettings } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type { IdentitySettings } from '../settings/settings';
import type { User } from './user.schema';

type View<T extends z.ZodType> = z.infer<T>;

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null;

/** Users as v4 JSON. */
@Injectable()
export class UserViews {
  constructor(
    @Inject(settingsToken) private readonly settings: IdentitySettings,
    private readonly instance: KnownSettings,
  ) {}

  summary(user: User): UserSummary {
    const base = this.settings.EXTERNAL_URL.replace(/\/$/, '');
    return {
      id: user._id,
      username: user.username,
      name: user.name,
      state: user.state,
      avatar_url: user.avatar
        ? `${base}/uploads/-/system/user/avatar/${user._id}/${user.avatar}`
        : user.kind === 'human'
          ? this.gravatarOf(user.email)
          : null,
      web_url: `${base}/${user.username}`,
    };
  }

  /** The Gravatar URL for users without an avatar. */
  gravatarOf(email: string, size = 80): string | null {
    if (!this.instance.latest.gravatar_enabled) return null;
    const digest = createHash('md5').update(email.trim().toLowerCase()).digest('hex');
    return `https://www.gravatar.com/avatar/${digest}?s=${size}&d=identicon`;
  }

  public(user: User): View<typeof PublicUser> {
    const { profile } = user;
    return {
      ...this.summary(user),
      created_at: user.createdAt.toISOString(),
      bio: profile.bio,
      location: profile.location,
      public_email: profile.publicEmail,
      skype: profile.skype,
      linkedin: profile.linkedin,
      twitter: profile.twitter,
      website_url: profile.websiteUrl,
      organization: profile.organization,
      job_title: profile.jobTitle,
      work_information: [profile.jobTitle, profile.organization].filter(Boolean).join(' at ') || null,
      bot: user.kind === 'project_bot' || user.kind === 'service_account',
    };
  }

  own(user: User): View<typeof OwnUser> {
    return { ...this.personal(user), ...(user.isAdmin && { is_admin: true, note: user.note }) };
  }

  private personal(user: User): View<typeof OwnUser> {
    return {
      ...this.public(user),
      email: user.email,
      commit_email: user.email,
      last_sign_in_at: timeOf(user.lastSignInAt),
      current_sign_in_at: timeOf(user.currentSignInAt),
      confirmed_at: timeOf(user.confirmedAt),
      last_activity_on: user.lastActivityOn,
      theme_id: user.themeId,
      color_scheme_id: user.colorSchemeId,
      projects_limit: user.projectsLimit,
      identities: user.identities.map((identity) => ({
        provider: identity.provider,
        extern_uid: identity.externUid,
        saml_provider_id: identity.samlProviderId,
      })),
      can_create_group: user.canCreateGroup && !user.isExternal,
      can_create_project: user.projectsLimit > 0 && !user.isExternal,
      two_factor_enabled: user.twoFactor !== null,
      external: user.isExternal,
      private_profile: user.isPrivate,
    };
  }

  admin(user: User): View<typeof AdminUser> {
    return {
      ...this.personal(user),
      is_admin: user.isAdmin,
      note: user.note,
      unconfirmed_email: user.unconfirmedEmail,
      shared_runners_minutes_limit: user.sharedRunnersMinutesLimit,
      extra_shared_runners_minutes_limit: user.extraSharedRunnersMinutesLimit,
      current_sign_in_ip: user.currentSignInIp,
      last_sign_in_ip: user.lastSignInIp,
      sign_in_count: user.signInCount,
      ...(this.settings.EDITION === 'enterprise' && { plan: 'default', trial: false }),
    };
  }

  /** The view for a caller: administrators see everything, others the public profile. */
  for(caller: Caller | undefined, user: User, withCustomAttributes: boolean): View<typeof PublicUser> | UserSummary {
    if (caller?.isAdmin) {
      return { ...this.admin(user), ...(withCustomAttributes && { custom_attributes: user.customAttributes }) };
    }
    return user.isPrivate && caller?.id !== user._id ? this.summary(user) : this.public(user);
  }
}
