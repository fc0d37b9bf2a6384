import type { GroupRef, Member, ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address, Content, GroupPage, ProjectPage } from '../../page/page';
import { Avatar } from '../../parts/avatar';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { roleOf } from '../../parts/roles';
import { SearchForm, searchOf } from '../../parts/search-form';
import { Day } from '../../parts/time';
import { UserLink } from '../../parts/user-link';
import type { Visit } from '../../visit/visits';
import { AddMember, MemberActions } from './member-forms';
import { type MembersOf, ofGroup, ofProject } from './member-operations';
import { readMemberRights } from './member-rights';
import { memberForms } from './take-member-forms';

/** The members of a project, direct and inherited ones. */
export const projectMembersPage: ProjectPage = {
  at: '/project_members',
  show: (visit, project, address) => showMembers(visit, ofProject, project, address),
  forms: memberForms(ofProject),
};

/** The members of a group, direct and inherited ones. */
export const groupMembersPage: GroupPage = {
  at: '/group_members',
  show: (visit, group, address) => showMembers(visit, ofGroup, group, address),
  forms: memberForms(ofGroup),
};

async function showMembers<T extends ProjectRef | GroupRef>(
  visit: Visit,
  of: MembersOf<T>,
  parent: T,
  address: Address,
): Promise<Content> {
  const [members, rights] = await Promise.all([
    readMembers(visit, of, parent, address),
    readMemberRights(visit, of, parent),
  ]);
  const forms = { visit, address, kind: of.kind, rights };
  return of.within(visit, parent, {
    title: 'Members',
    body: (
      <>
        <AddMember {...forms} />
        <SearchForm label="Search by name" address={address} />
        {members.length === 0 && <p class="dim">{searchOf(address) ? 'No name matches.' : 'There are no members.'}</p>}
        <ul class="list">
          {members.map(({ member, direct }) => (
            <li key={member.id}>
              <MemberFacts member={member} isDirect={direct?.access_level === member.access_level} />
              {direct && <MemberActions {...forms} member={direct} />}
            </li>
          ))}
        </ul>
        <Paging address={address} shown={members.length} />
      </>
    ),
  });
}

interface MemberShown {
  /** With the highest level, which may be that of a group above. */
  member: Member;
  /** The direct membership. */
  direct: Member | undefined;
}

async function readMembers<T extends { id: number }>(
  visit: Visit,
  { operations }: MembersOf<T>,
  parent: T,
  address: Address,
): Promise<MemberShown[]> {
  const id = String(parent.id);
  const search = searchOf(address);
  const asked = { id, page: pageOf(address), per_page: perPage, ...(search && { query: search }) };
  const { items } = await visit.ask(operations.listAll, asked);
  const user_ids = items.map((member) => member.id);
  const { items: here } = await visit.ask(operations.list, { id, user_ids, per_page: perPage });
  const direct = new Map(here.map((member) => [member.id, member]));
  return items.map((member) => ({ member, direct: direct.get(member.id) }));
}

const MemberFacts = ({ member, isDirect }: { member: Member; isDirect: boolean }) => (
  <>
    <p>
      <Avatar of={member} size={20} />
      <UserLink user={member} /> <span class="dim">@{member.username}</span>
      <span class="tag after">{roleOf(member.access_level)}</span>
      {member.member_role && (
        <span class="tag after">
          <Named>{member.member_role.name}</Named>
        </span>
      )}
      {member.state !== 'active' && <span class="tag after">{member.state}</span>}
    </p>
    <p class="dim">
      {isDirect ? 'Direct member' : 'Member of a group above'} since <Day at={member.created_at} />
      {member.expires_at && (
        <>
          , until <Day at={member.expires_at} />
        </>
      )}
    </p>
  </>
);
