import { Notice } from '@moothall/pages';
import type { Address } from '../../page/page';

/** The page after a test or a resend: it says that the receiver accepted the event. */
export const acceptedAt = (path: string): string => `${path}?accepted=1`;

/** Says that the receiver accepted the event. */
export const Accepted = ({ address: { query, refused } }: { address: Address }) =>
  query.has('accepted') && !refused ? <Notice kind="success">The receiver accepted the event.</Notice> : null;

/** The same of a system hook, whose test succeeds whatever the receiver responds. */
export const deliveredAt = (path: string): string => `${path}?delivered=1`;

/** Says that an event was sent. */
export const Delivered = ({ address: { query, refused } }: { address: Address }) =>
  query.has('delivered') && !refused ? (
    <Notice kind="success">The event was sent. The delivery shows the response.</Notice>
  ) : null;
