import {
  Access,
  type InputOf,
  listAllGroupMembers,
  listAllProjectMembers,
  listGroupMembers,
  listProjectMembers,
  type Member,
  type Page,
} from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address, GroupPage, ProjectPage } from '../page/page';
import { Avatar } from '../parts/avatar';
import { inGroup } from '../parts/in-group';
import { inProject } from '../parts/in-project';
import { Paging, pageOf, perPage } from '../parts/paging';
import { SearchForm, searchOf } from '../parts/search-form';
import { Day } from '../parts/time';
import { UserLink } from '../parts/user-link';

/** The members of a project, direct and inherited ones. */
export const projectMembersPage: ProjectPage = {
  at: '/project_members',
  async show(visit, project, address) {
    const id = String(project.id);
    const members = await readMembers(address, {
      all: (asked) => visit.ask(listAllProjectMembers, { id, ...asked }),
      direct: (asked) => visit.ask(listProjectMembers, { id, ...asked }),
    });
    return inProject(visit, project, { title: 'Members', body: <Members address={address} members={members} /> });
  },
};

/** The members of a group, direct and inherited ones. */
export const groupMembersPage: GroupPage = {
  at: '/group_members',
  async show(visit, group, address) {
    const id = String(group.id);
    const members = await readMembers(address, {
      all: (asked) => visit.ask(listAllGroupMembers, { id, ...asked }),
      direct: (asked) => visit.ask(listGroupMembers, { id, ...asked }),
    });
    return inGroup(visit, group, { title: 'Members', body: <Members address={address} members={members} /> });
  },
};

type List = (asked: Omit<InputOf<typeof listProjectMembers>, 'id'>) => Promise<Page<Member>>;

interface MemberShown {
  member: Member;
  isDirect: boolean;
}

/** Each member with the highest level, which may be that of a group above. */
async function readMembers(address: Address, { all, direct }: { all: List; direct: List }): Promise<MemberShown[]> {
  const search = searchOf(address);
  const { items } = await all({ page: pageOf(address), per_page: perPage, ...(search && { query: search }) });
  const { items: here } = await direct({ user_ids: items.map(({ id }) => id), per_page: perPage });
  const levels = new Map(here.map(({ id, access_level }) => [id, access_level]));
  return items.map((member) => ({ member, isDirect: levels.get(member.id) === member.access_level }));
}

const Members = ({ address, members }: { address: Address; members: readonly MemberShown[] }) => {
  const search = searchOf(address);
  return (
    <>
      <SearchForm label="Search by name" address={address} />
      {members.length === 0 && <p class="dim">{search ? 'No name matches.' : 'There are no members.'}</p>}
      <ul class="list">
        {members.map(({ member, isDirect }) => (
          <li key={member.id}>
            <MemberItem member={member} isDirect={isDirect} />
          </li>
        ))}
      </ul>
      <Paging address={address} shown={members.length} />
    </>
  );
};

/** `Developer`. */
const roleOf = (accessLevel: number): string =>
  Object.entries(Access).find(([, level]) => level === accessLevel)?.[0] ?? `Level ${accessLevel}`;

const MemberItem = ({ member, isDirect }: MemberShown) => (
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
