import type { Member } from '@moothall/contracts';
import type { Address } from '../../page/page';
import { CollapsedForm } from '../../parts/collapsed-form';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { TextField, Was } from '../../parts/form';
import type { Visit } from '../../visit/visits';
import { MemberFields, memberValues } from './member-fields';
import type { MemberRights } from './member-rights';

interface FormsProps {
  visit: Visit;
  address: Address;
  kind: 'project' | 'group';
  rights: MemberRights;
}

/** A form that adds a member. */
export const AddMember = ({ visit, address, kind, rights: { grants } }: FormsProps) =>
  grants.length === 0 ? null : (
    <CollapsedForm visit={visit} address={address} name="add-member" word="Add a member">
      <TextField name="username" label="Username" required />
      <MemberFields grants={grants} />
      <button type="submit">Add to the {kind}</button>
    </CollapsedForm>
  );

/** Forms for a direct member. */
export const MemberActions = ({ member, ...props }: FormsProps & { member: Member }) => {
  const { mayChange, mayLeave } = props.rights;
  return (
    <>
      {mayChange(member) && <Change {...props} member={member} />}
      {mayLeave(member) ? <Leave {...props} /> : mayChange(member) && <Remove {...props} member={member} />}
    </>
  );
};

const Change = ({ visit, address, rights: { grants }, member }: FormsProps & { member: Member }) => {
  const values = memberValues(member);
  return (
    <CollapsedForm visit={visit} address={address} name="change-member" of={String(member.id)} word="Change">
      <Was values={values} />
      <MemberFields values={values} grants={grants} />
      <button type="submit">Save</button>
    </CollapsedForm>
  );
};

const Remove = ({ visit, address, kind, member: { id, username } }: FormsProps & { member: Member }) => (
  <ConfirmedAction
    visit={visit}
    address={address}
    name="remove-member"
    of={String(id)}
    word={`Remove ${username}`}
    consequence={
      kind === 'group'
        ? 'The user is removed from the group, and from all projects and groups in it.'
        : 'The user is removed from the project.'
    }
  />
);

const Leave = ({ visit, address, kind }: FormsProps) => (
  <ConfirmedAction
    visit={visit}
    address={address}
    name="leave"
    word={`Leave the ${kind}`}
    consequence={`You are no longer a member of the ${kind}.`}
  />
);
