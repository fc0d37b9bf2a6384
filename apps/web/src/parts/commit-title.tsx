import { Named } from '@moothall/pages';

/** Longer titles are cut. */
export const mostOfTitle = 200;

/** The first line of the message of a commit. */
export const commitTitle = (title: string): string =>
  title.length > mostOfTitle ? `${title.slice(0, mostOfTitle)}…` : title || 'Commit without a message';

export const CommitTitle = ({ title }: { title: string }) => <Named>{commitTitle(title)}</Named>;
