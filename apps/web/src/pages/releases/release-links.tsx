import type { ReleaseLink } from '@moothall/contracts';
import { withoutTurns } from '@moothall/pages';
import type { Address } from '../../page/page';
import { Action, Choice, Form, TextField } from '../../parts/form';
import { shortened } from '../../parts/shortened';
import type { Visit } from '../../visit/visits';

const linkTypes = [
  { value: 'other', label: 'Other' },
  { value: 'package', label: 'Package' },
  { value: 'image', label: 'Image' },
  { value: 'runbook', label: 'Runbook' },
];

interface LinksProps {
  visit: Visit;
  address: Address;
  links: readonly ReleaseLink[];
}

/** The links of a release with forms that add and remove them. */
export const EditLinks = ({ visit, address, links }: LinksProps) => (
  <section aria-labelledby="links">
    <h2 id="links">Links</h2>
    {links.length === 0 && <p class="dim">There are no links.</p>}
    <ul class="list">
      {links.map(({ id, name }) => (
        <li key={id}>
          <Action
            visit={visit}
            address={address}
            name="remove-link"
            of={String(id)}
            word={`Remove ${withoutTurns(shortened(name))}`}
            look="quiet"
          />
        </li>
      ))}
    </ul>
    <Form visit={visit} address={address} name="new-link">
      <TextField name="name" label="Name of the link" required />
      <TextField name="url" label="URL" required />
      <Choice name="link_type" label="Type" options={linkTypes} />
      <button type="submit">Add link</button>
    </Form>
  </section>
);
