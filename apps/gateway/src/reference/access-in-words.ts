import { Access, type AccessRule, type Operation, type ProjectRule } from '@moothall/contracts';

const roles = new Map<number, string>(Object.entries(Access).map(([name, level]) => [level, name]));

/** Who may call an operation, what a token for it needs, and rate limits. Markdown, one line each. */
export function accessInWords(operation: Operation): string[] {
  const { access, tier, limit } = operation;
  return [
    `**Who:** ${who(access)}${orAbility(access)}`,
    ...(access.on === 'anyone' ? [] : [`**Token scopes:** ${scopesOf(operation)}.`]),
    ...(tier ? ['**Edition:** enterprise; the community edition answers as if it were not there.'] : []),
    ...(limit ? [`**Limit:** ${limit.about.toLowerCase()} in ${limit.seconds} seconds, by \`${limit.setting}\`.`] : []),
  ];
}

function who(access: AccessRule): string {
  if (access.on === 'anyone') return access.readsOwnToken ? 'callers with the required token.' : 'everybody.';
  if (access.on === 'signed-in') return 'signed-in users.';
  if (access.on === 'administrator') return 'administrators.';
  if (access.on === 'internal') return 'services of the server.';
  const strangers = access.anonymous ? ', also without a credential where it is public' : '';
  if (access.level === Access.None) return `readers of the ${access.on}${strangers}${inPrivate(access)}.`;
  return `${roles.get(access.level)} or more in the ${access.on}.`;
}

const orAbility = (access: AccessRule): string =>
  'ability' in access && access.ability ? ` A member role with \`${access.ability}\` does as well.` : '';

const inPrivate = (access: AccessRule): string => {
  const { levelInPrivate = Access.None } = access as Partial<ProjectRule>;
  return levelInPrivate === Access.None ? '' : `; ${roles.get(levelInPrivate)} or more in a private one`;
};

function scopesOf({ routes, scopes = [], needsItsScopes }: Operation): string {
  const isRead = routes.every(({ method }) => method === 'GET');
  const common = needsItsScopes ? [] : ['api', ...(isRead ? ['read_api'] : [])];
  return [...new Set([...common, ...scopes])].map((scope) => `\`${scope}\``).join(' or ');
}
