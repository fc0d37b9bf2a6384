import { Named, withoutTurns } from '@moothall/pages';
import type { ComponentChildren } from 'preact';
import type { Address } from '../page/page';
import type { Visit } from '../visit/visits';
import { CollapsedForm } from './collapsed-form';
import { ConfirmedAction } from './confirmed-action';
import { Expiry, LastUse } from './credential-days';
import { DayField } from './form';
import { shortened } from './shortened';
import { Day } from './time';

/** An access token of a user or a project. */
export interface ShownToken {
  id: number;
  name: string;
  description: string | null;
  scopes: readonly string[];
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

interface FormsProps {
  visit: Visit;
  address: Address;
  token: ShownToken;
}

interface Props extends FormsProps {
  /** Whether the visitor may rotate and revoke it. */
  mayChange?: boolean;
  /** More facts, as items of a list. */
  children?: ComponentChildren;
}

/** An access token, with the forms `rotate` and `revoke`. */
export const TokenRecord = ({ mayChange = true, children, ...props }: Props) => {
  const { name, description, scopes, created_at, expires_at, last_used_at } = props.token;
  return (
    <section class="record">
      <h3>
        <Named>{name}</Named>
      </h3>
      {description && (
        <p>
          <Named>{shortened(description)}</Named>
        </p>
      )}
      <ul class="facts">
        {children}
        <li>
          <code>{scopes.join(' ')}</code>
        </li>
        <li>
          Created on <Day at={created_at} />
        </li>
        <LastUse at={last_used_at} />
        <Expiry at={expires_at} />
      </ul>
      {mayChange && <TokenForms {...props} />}
    </section>
  );
};

const TokenForms = ({ visit, address, token: { id, name } }: FormsProps) => {
  const [of, shown] = [String(id), withoutTurns(shortened(name))];
  return (
    <>
      <CollapsedForm
        visit={visit}
        address={address}
        name="rotate"
        of={of}
        word="Rotate…"
        consequence="The token stops working at once, and you get a new one."
      >
        <DayField name="expires_at" label="Expires on" hint="Without a day, the new token expires in a week." />
        <button type="submit">Rotate {shown}</button>
      </CollapsedForm>
      <ConfirmedAction
        visit={visit}
        address={address}
        name="revoke"
        of={of}
        word={`Revoke ${shown}`}
        consequence="Programs that use the token stop working at once."
      />
    </>
  );
};
