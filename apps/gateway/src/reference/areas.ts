import type { Operation } from '@moothall/contracts';

/** Areas of the reference, in order: tags by prefixes of operation names. */
const areas: Readonly<Record<string, readonly string[]>> = {
  'Projects and groups': [
    'projects.projects',
    'projects.groups',
    'projects.namespaces',
    'projects.forks',
    'projects.stars',
    'projects.topics',
    'projects.project-custom-attributes',
    'projects.group-custom-attributes',
    'projects.avatars',
    'projects.uploads',
    'projects.project-badges',
    'projects.group-badges',
    'projects.error-tracking',
    'projects.group-activity',
    'projects.project-exports',
    'projects.project-imports',
    'projects.group-exports',
    'projects.group-imports',
    'collaboration.group-activity',
  ],
  Members: [
    'projects.project-members',
    'projects.group-members',
    'projects.memberships',
    'projects.member-roles',
    'projects.billable-members',
    'projects.group-member-roles',
    'projects.notification-settings',
    'projects.project-notification-settings',
    'projects.group-notification-settings',
    'projects.project-invitations',
    'projects.group-invitations',
    'projects.project-access-requests',
    'projects.group-access-requests',
    'projects.project-shares',
    'projects.group-shares',
  ],
  Repository: [
    'repository.branches',
    'repository.commits',
    'collaboration.commit-',
    'ci.commit-statuses',
    'repository.tags',
    'repository.tree',
    'repository.files',
    'repository.blobs',
    'repository.archive',
    'repository.changelog',
    'repository.compare',
    'repository.snapshots',
    'repository.merge-base',
    'repository.contributors',
    'repository.protected-branches',
    'repository.protected-tags',
    'repository.submodules',
    'repository.project-push-rules',
    'repository.group-push-rules',
    'repository.remote-mirrors',
    'repository.wikis',
    'repository.project-templates',
    'repository.templates',
    'repository.licenses',
  ],
  Issues: [
    'collaboration.issues',
    'collaboration.issue-notes',
    'collaboration.issue-discussions',
    'collaboration.issue-awards',
    'collaboration.issue-note-awards',
    'collaboration.issue-links',
    'collaboration.issue-label-events',
    'collaboration.issue-milestone-events',
    'collaboration.issue-iteration-events',
    'collaboration.issue-state-events',
    'collaboration.issue-weight-events',
    'collaboration.issue-statistics',
  ],
  'Merge requests': [
    'collaboration.merge-requests',
    'collaboration.merge-request-notes',
    'collaboration.merge-request-discussions',
    'collaboration.merge-request-draft-notes',
    'collaboration.suggestions',
    'collaboration.merge-request-awards',
    'collaboration.merge-request-note-awards',
    'collaboration.merge-request-label-events',
    'collaboration.merge-request-milestone-events',
    'collaboration.merge-request-state-events',
    'collaboration.merge-request-approval-rules',
    'collaboration.context-commits',
    'collaboration.approval-rules',
    'collaboration.approval-settings',
  ],
  Planning: [
    'collaboration.project-boards',
    'collaboration.group-boards',
    'collaboration.epics',
    'collaboration.epic-',
    'collaboration.project-milestones',
    'collaboration.group-milestones',
    'collaboration.project-iterations',
    'collaboration.group-iterations',
    'collaboration.project-labels',
    'collaboration.group-labels',
  ],
  Markdown: ['collaboration.markdown'],
  Snippets: ['collaboration.snippets', 'collaboration.project-snippets', 'collaboration.snippet-'],
  Search: ['projects', 'identity', 'collaboration', 'repository'].flatMap((service) =>
    ['search.', 'group-search.', 'project-search.'].map((resource) => `${service}.${resource}`),
  ),
  'Pipelines and runners': ['ci.', 'projects.job-token-scopes'],
  'Container registry': ['registry.'],
  'Releases and packages': ['delivery.'],
  Security: ['security.'],
  'Hooks and integrations': ['integrations.'],
  'Users and keys': [
    'identity.users',
    'identity.user-',
    'identity.avatars',
    'identity.emails',
    'identity.email-avatars',
    'identity.follows',
    'identity.ssh-keys',
    'identity.gpg-keys',
    'identity.keys',
    'identity.custom-attributes',
  ],
  'Tokens and sign-in': [
    'identity.personal-access-tokens',
    'identity.project-access-tokens',
    'identity.group-access-tokens',
    'identity.service-accounts',
    'identity.group-service-accounts',
    'identity.service-account-tokens',
    'identity.impersonation-tokens',
    'identity.deploy-keys',
    'identity.deploy-tokens',
    'identity.project-deploy-tokens',
    'identity.group-deploy-tokens',
    'identity.applications',
    'identity.oauth',
    'identity.pages',
  ],
  Instance: [
    'identity.version',
    'identity.metadata',
    'projects.application-settings',
    'projects.appearance',
    'projects.plan-limits',
    'projects.application-statistics',
    'projects.broadcast-messages',
    'projects.features',
    'projects.instance-licenses',
    'projects.job-queues',
    'projects.set-aside-jobs',
    'projects.sidekiq-metrics',
    'projects.sidekiq-queues',
    'repository.checks',
    'repository.storage-moves',
    'repository.project-storage-moves',
    'geo.',
  ],
};

/** `collaboration.issue-notes.list` has the tag `Issue notes`. */
export function tagOf({ name }: Operation): string {
  // Projects and groups have avatars, too.
  if (name.startsWith('identity.avatars.')) return 'User avatars';
  // Git has tags and repositories, too.
  const from = name.startsWith('registry.') ? 0 : 1;
  const words = name.split('.').slice(from, -1).join(' ').replaceAll('-', ' ');
  const spelt = words.replace(/^oauth$/, 'OAuth 2.0 and OpenID Connect').replace(/^(user )?ssh /, '$1SSH ');
  return spelt.charAt(0).toUpperCase() + spelt.slice(1);
}

/** The area of an operation; the longest prefix wins. @throws for an operation without an area */
export function areaOf({ name }: Operation): string {
  const fits = Object.entries(areas).flatMap(([area, beginnings]) =>
    beginnings.filter((beginning) => name.startsWith(beginning)).map((beginning) => ({ area, beginning })),
  );
  const [best] = fits.sort((a, b) => b.beginning.length - a.beginning.length);
  if (!best) throw new Error(`${name} is in no area of the reference`);
  return best.area;
}

/** Tags by area, both in the order of the table above. */
export function tagGroups(operations: readonly Operation[]): { name: string; tags: string[] }[] {
  return Object.entries(areas).map(([area, beginnings]) => {
    const place = ({ name }: Operation) => beginnings.findIndex((beginning) => name.startsWith(beginning));
    const members = operations.filter((one) => areaOf(one) === area).sort((a, b) => place(a) - place(b));
    return { name: area, tags: [...new Set(members.map(tagOf))] };
  });
}
