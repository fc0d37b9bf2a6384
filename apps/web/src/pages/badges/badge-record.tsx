import type { Badge, Project } from '@moothall/contracts';
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

interface RecordProps {
  visit: Visit;
  address: Address;
  project: Project;
  badge: Badge;
}

/** A badge; with forms unless it belongs to a group. */
export const BadgeRecord = ({ project, ...props }: RecordProps) => {
  const { badge } = props;
  const isOwn = badge.kind === 'project';
  return (
    <section class="record">
      <h2>
        <Named>{nameOf(badge)}</Named>
        {!isOwn && <span class="tag after">of a group</span>}
      </h2>
      <p>
        Link:{' '}
        <a href={badge.rendered_link_url} rel="nofollow noreferrer noopener">
          <Named>{badge.rendered_link_url}</Named>
        </a>
      </p>
      <p>
        Image: <BadgeImage project={project} badge={badge} />
      </p>
      {isOwn && <ChangeBadge {...props} />}
    </section>
  );
};

const nameOf = ({ name, id }: Badge): string => name || `Badge ${id}`;

/** The image if this server has it, otherwise its address. */
const BadgeImage = ({ project, badge }: Pick<RecordProps, 'project' | 'badge'>) => {
  const source = ownImage(badge.rendered_image_url, project.web_url);
  return source === undefined ? (
    <Named>{badge.rendered_image_url}</Named>
  ) : (
    <img src={source} alt={withoutTurns(nameOf(badge))} />
  );
};

const ChangeBadge = ({ visit, address, badge }: Omit<RecordProps, 'project'>) => {
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
