import type { Badge } from '@moothall/contracts';
import { Named, withoutTurns } from '@moothall/pages';
import type { Address } from '../../page/page';
import { ownImage } from '../../parts/address';
import { CollapsedForm } from '../../parts/collapsed-form';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { type FieldFacts, FieldList, valuesOf } from '../../parts/field-list';
import { Was } from '../../parts/form';
import { shortened } from '../../parts/shortened';
import type { Visit } from '../../visit/visits';

/** The fields of a badge. */
export const badgeFields: readonly FieldFacts[] = [
  { name: 'name', label: 'Name' },
  { name: 'link_url', label: 'Link', hint: 'The address that the badge leads to.', required: true },
  { name: 'image_url', label: 'Image', hint: 'The address of the image.', required: true },
];

interface FormsProps {
  visit: Visit;
  address: Address;
  badge: Badge;
}

interface RecordProps extends FormsProps {
  /** Address of the project or the group. */
  webUrl: string;
  /** Whether it belongs to the project or the group of the page, not to a group above. */
  isOwn: boolean;
}

/** A badge, with its forms if it is one of the page's own. */
export const BadgeRecord = ({ webUrl, isOwn, ...props }: RecordProps) => {
  const { badge } = props;
  return (
    <section class="record">
      <h2>
        <Named>{nameOf(badge)}</Named>
        {!isOwn && <span class="tag after">of a group</span>}
      </h2>
      <p>
        Link: <BadgeLink to={badge.rendered_link_url} />
      </p>
      <p>
        Image: <BadgeImage webUrl={webUrl} badge={badge} />
      </p>
      {isOwn && <ChangeBadge {...props} />}
    </section>
  );
};

const nameOf = ({ name, id }: Badge): string => name || `Badge ${id}`;

/** Whether the address has no placeholders: a group has no values for them. */
const isWhole = (url: string): boolean => !url.includes('%{');

const BadgeLink = ({ to }: { to: string }) =>
  isWhole(to) ? (
    <a href={to} rel="nofollow noreferrer noopener">
      <Named>{to}</Named>
    </a>
  ) : (
    <Named>{to}</Named>
  );

/** The image if this server has it, otherwise its address. */
const BadgeImage = ({ webUrl, badge }: Pick<RecordProps, 'webUrl' | 'badge'>) => {
  const { rendered_image_url: url } = badge;
  const source = isWhole(url) ? ownImage(url, webUrl) : undefined;
  return source === undefined ? <Named>{url}</Named> : <img src={source} alt={withoutTurns(nameOf(badge))} />;
};

const ChangeBadge = ({ visit, address, badge }: FormsProps) => {
  const [of, shown] = [String(badge.id), withoutTurns(shortened(nameOf(badge)))];
  const values = valuesOf(badgeFields, badge);
  return (
    <>
      <CollapsedForm visit={visit} address={address} name="badge" of={of} word="Change">
        <Was values={values} />
        <FieldList fields={badgeFields} values={values} />
        <button type="submit">Save {shown}</button>
      </CollapsedForm>
      <ConfirmedAction
        visit={visit}
        address={address}
        name="delete"
        of={of}
        word={`Delete ${shown}`}
        consequence="The badge is deleted."
      />
    </>
  );
};
