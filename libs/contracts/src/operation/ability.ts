import { Access, type AccessLevel } from './access';

interface AbilityFacts {
  /** What it allows, for the reference. */
  means: string;
  /** The level that includes it in projects and in groups; absent if it has no meaning there. */
  project?: AccessLevel;
  group?: AccessLevel;
  /** An ability that it requires. */
  needs?: string;
}

const { Developer, Maintainer, Owner, Reporter } = Access;

/**
 * What a member role may add to a level. Operations name an ability as `ability` of their access rule, as an
 * alternative to the level. See docs/api/members.md#6.
 */
const facts = {
  read_code: { means: 'Read the code of a private project, and fetch it by git', project: Reporter },
  admin_merge_request: {
    means: 'Read merge requests of a private project, and approve them',
    project: Developer,
    needs: 'read_code',
  },
  read_vulnerability: { means: 'See vulnerabilities', project: Developer, group: Developer },
  admin_vulnerability: {
    means: 'Change the state of vulnerabilities',
    project: Developer,
    needs: 'read_vulnerability',
  },
  read_runners: { means: 'See runners of a project', project: Maintainer },
  admin_runners: {
    means: 'Register, change and delete runners of a project',
    project: Maintainer,
    needs: 'read_runners',
  },
  admin_cicd_variables: { means: 'See and change variables of pipelines', project: Maintainer, group: Owner },
  admin_protected_environments: {
    means: 'See and change protected environments',
    project: Maintainer,
    group: Maintainer,
  },
  admin_protected_branch: { means: 'See and change protected branches', project: Maintainer },
  manage_protected_tags: { means: 'See and change protected tags', project: Maintainer },
  admin_push_rules: { means: 'See and change push rules', project: Maintainer, group: Owner },
  admin_web_hook: { means: 'See and change webhooks', project: Maintainer, group: Owner },
  admin_integrations: { means: 'See and change integrations', project: Maintainer },
  manage_merge_request_settings: {
    means: 'Change approval rules, approval settings and external status checks',
    project: Maintainer,
  },
  manage_deploy_tokens: { means: 'See, create and revoke deploy tokens', project: Maintainer, group: Maintainer },
  manage_project_access_tokens: {
    means: "See access tokens of a project, and manage those up to the holder's own level",
    project: Maintainer,
  },
  manage_group_access_tokens: {
    means: "See access tokens of a group, and manage those up to the holder's own level",
    group: Owner,
  },
  admin_group_member: {
    means: "Add, change and remove members of a group, up to the holder's own level",
    group: Owner,
  },
  archive_project: { means: 'Archive a project, and take it out of the archive', project: Owner },
  remove_project: { means: 'Delete a project', project: Owner },
  remove_group: { means: 'Delete a group', group: Owner },
} as const satisfies Record<string, AbilityFacts>;

export type Ability = keyof typeof facts;
export const abilities: Readonly<Record<Ability, AbilityFacts>> = facts;
export const abilityNames = Object.keys(facts) as [Ability, ...Ability[]];

/** A project or group with the caller's level. */
interface Held {
  accessLevel: AccessLevel;
  abilities?: Ability[] | undefined;
}

/** Whether a user has a level, or the alternative ability. */
export const reaches = (target: Held, level: number, ability?: Ability): boolean =>
  target.accessLevel >= level || (ability !== undefined && (target.abilities ?? []).includes(ability));
