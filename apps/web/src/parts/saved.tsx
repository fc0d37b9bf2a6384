import { Notice } from '@moothall/pages';
import type { Address } from '../page/page';

/** The same page after its form was taken: it says that the changes are saved. */
export const savedAt = (path: string): string => `${path}?saved=1`;

/** Says that a form was taken, on a page that shows the same as before. */
export const Saved = ({ address: { query, refused } }: { address: Address }) =>
  query.has('saved') && !refused ? <Notice kind="success">The changes are saved.</Notice> : null;
