import type { Address } from '../../page/page';

/** The page after a test or a resend: it says that the receiver accepted the event. */
export const acceptedAt = (path: string): string => `${path}?accepted=1`;

/** Says that the receiver accepted the event. */
export const Accepted = ({ address: { query, refused } }: { address: Address }) =>
  query.has('accepted') && !refused ? (
    <p class="notice" role="status">
      The receiver accepted the event.
    </p>
  ) : null;
