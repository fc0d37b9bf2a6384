import { Named } from '@moothall/pages';
import { shortened } from './shortened';

/** The first line of the message of a commit. */
export const commitTitle = (title: string): string => shortened(title) || 'Commit without a message';

export const CommitTitle = ({ title }: { title: string }) => <Named>{commitTitle(title)}</Named>;
