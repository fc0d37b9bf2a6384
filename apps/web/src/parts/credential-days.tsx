import { Day } from './time';

interface Props {
  /** ISO 8601. */
  at: string | null;
}

/** When a key or token was used, as an item of a list. */
export const LastUse = ({ at }: Props) => (
  <li>
    {at ? (
      <>
        Used on <Day at={at} />
      </>
    ) : (
      'Never used'
    )}
  </li>
);

/** When a key or token expires, as an item of a list. */
export const Expiry = ({ at }: Props) =>
  at ? (
    <li>
      Expires on <Day at={at} />
    </li>
  ) : null;
