import type { getUser, OutputOf } from '@moothall/contracts';

/** What is unusual about a user: the state, and rights. */
export const UserTags = ({ user }: { user: OutputOf<typeof getUser> }) => {
  const tags = [
    user.state !== 'active' && user.state.replaceAll('_', ' '),
    'is_admin' in user && user.is_admin && 'administrator',
    'external' in user && user.external && 'external',
    'bot' in user && user.bot && 'bot',
  ].filter((tag) => typeof tag === 'string');
  return (
    <>
      {tags.map((tag) => (
        <span key={tag} class="tag after">
          {tag}
        </span>
      ))}
    </>
  );
};
