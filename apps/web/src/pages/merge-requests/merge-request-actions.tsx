import {
  Access,
  approveMergeRequest,
  createMergeRequestNote,
  listMergeRequestDiscussionBeginnings,
  type MergeRequest,
  type MergeRequestApprovals,
  mergeMergeRequest,
  type Operation,
  type ProjectRef,
  reaches,
  replyToMergeRequestDiscussion,
  resolveMergeRequestDiscussion,
  unapproveMergeRequest,
  updateMergeRequest,
} from '@moothall/contracts';
import type { SentForm } from '../../forms/sent-form';
import type { RouteAddress, TakeForm } from '../../page/page';
import { below } from '../../parts/code-address';
import { discussionForms } from '../../parts/discussion-forms';
import { beginnings } from '../../parts/discussions';
import { Action, Check, Form, Given } from '../../parts/form';
import { numberIn } from '../../parts/number-in';
import { UserLink } from '../../parts/user-link';
import type { Visit } from '../../visit/visits';

/** The merge request of an address. @throws common.not_found */
export const mergeRequestAt = (project: ProjectRef, address: RouteAddress) => ({
  id: String(project.id),
  merge_request_iid: numberIn(address, 'iid'),
});

/** What the visitor may do with a merge request. */
interface Allowed {
  comments: boolean;
  resolves: boolean;
  changes: boolean;
  merges: boolean;
}

/** Source: docs/api/merge-requests.md#1, docs/api/notes.md#9. */
export async function readActions(visit: Visit, project: ProjectRef, request: MergeRequest): Promise<Allowed> {
  const comments = await visit.may(createMergeRequestNote, project);
  const resolves = comments && (reaches(project, Access.Developer) || request.author.id === visit.caller?.id);
  const merges = comments && request.state === 'opened' && request.user?.can_merge === true;
  return { comments, resolves, changes: resolves && request.state !== 'merged', merges };
}

interface ActionsProps {
  visit: Visit;
  project: ProjectRef;
  address: RouteAddress;
  request: MergeRequest;
  actions: Allowed;
  /** Undefined if the visitor may not see them. */
  approvals: MergeRequestApprovals | undefined;
}

/** Approvals, and the forms to approve, merge and close. */
export const Actions = ({
  visit,
  project,
  address,
  request,
  approvals,
  actions: { changes, comments, merges },
}: ActionsProps) => (
  <section aria-labelledby="actions">
    <h2 id="actions">Review</h2>
    {approvals && <ApprovedBy approvals={approvals} />}
    <div class="parts">
      {comments && approvals?.user_has_approved && (
        <Action visit={visit} address={address} name="unapprove" word="Revoke approval" look="quiet" />
      )}
      {comments && request.state === 'opened' && approvals?.user_can_approve && !approvals.user_has_approved && (
        <Action visit={visit} address={address} name="approve" word="Approve" look="quiet">
          <Given name="sha" value={request.sha ?? ''} />
        </Action>
      )}
      {changes && <a href={below(project, `merge_requests/${request.iid}/edit`)}>Edit</a>}
      {changes && request.state === 'opened' && (
        <Action visit={visit} address={address} name="close" word="Close merge request" look="quiet" />
      )}
      {changes && request.state === 'closed' && (
        <Action visit={visit} address={address} name="reopen" word="Reopen merge request" look="quiet" />
      )}
    </div>
    {merges && <Merge visit={visit} address={address} request={request} />}
  </section>
);

const ApprovedBy = ({ approvals: { approved_by, approvals_left } }: { approvals: MergeRequestApprovals }) => (
  <ul class="facts">
    {approved_by.length === 0 && <li>Nobody has approved it.</li>}
    {approved_by.map(({ user }) => (
      <li key={user.id}>
        Approved by <UserLink user={user} />
      </li>
    ))}
    {approvals_left > 0 && <li>Approvals needed: {approvals_left}</li>}
  </ul>
);

/** A status in which it can be merged, or will be after its pipeline. */
const Merge = ({ visit, address, request }: { visit: Visit; address: RouteAddress; request: MergeRequest }) => {
  const { detailed_merge_status: status, sha, squash, force_remove_source_branch } = request;
  const waits = status === 'ci_still_running';
  if (status !== 'mergeable' && !waits) return null;
  return (
    <Form visit={visit} address={address} name="merge">
      <Given name="sha" value={sha ?? ''} />
      {waits && <Given name="auto_merge" value="1" />}
      <Check name="squash" label="Squash all commits into one" value={squash} />
      <Check
        name="should_remove_source_branch"
        label="Delete the source branch"
        value={force_remove_source_branch === true}
      />
      <button type="submit">{waits ? 'Merge after the pipeline succeeds' : 'Merge'}</button>
    </Form>
  );
};

type Fields = Record<string, unknown>;

/** Calls an operation of the merge request, and returns to a page of it. */
const calling =
  (part: Part, operation: Operation, fieldsOf: (sent: SentForm) => Fields = () => ({})): TakeForm<ProjectRef> =>
  async (visit, project, address, sent) => {
    await visit.submit(operation, { ...mergeRequestAt(project, address), ...fieldsOf(sent) });
    return pathOfMergeRequest(project, address, part);
  };

/** A page of a merge request, below its path. */
type Part = '' | '/diffs';

export const pathOfMergeRequest = (project: ProjectRef, address: RouteAddress, part: Part = ''): string =>
  below(project, `merge_requests/${mergeRequestAt(project, address).merge_request_iid}${part}`);

/** The forms of discussions, on one of the pages. */
export const mergeRequestDiscussionForms = (part: Part): Readonly<Record<string, TakeForm<ProjectRef>>> => ({
  ...discussionForms({
    at: (project, address) => pathOfMergeRequest(project, address, part),
    count: async (visit, project, address) =>
      (
        await visit.ask(listMergeRequestDiscussionBeginnings, {
          ...mergeRequestAt(project, address),
          ...beginnings,
          per_page: 1,
        })
      ).total,
    comment: (visit, project, address, body) =>
      visit.ask(createMergeRequestNote, { ...mergeRequestAt(project, address), body }),
    reply: (visit, project, address, note) =>
      visit.ask(replyToMergeRequestDiscussion, { ...mergeRequestAt(project, address), ...note }),
  }),
  resolve: calling(part, resolveMergeRequestDiscussion, (sent) => ({
    discussion_id: sent.text('of'),
    resolved: true,
  })),
  'reopen-discussion': calling(part, resolveMergeRequestDiscussion, (sent) => ({
    discussion_id: sent.text('of'),
    resolved: false,
  })),
});

/** The forms of a merge request. Approvals and merges are for the commit that the page showed. */
export const mergeRequestForms: Readonly<Record<string, TakeForm<ProjectRef>>> = {
  ...mergeRequestDiscussionForms(''),
  close: calling('', updateMergeRequest, () => ({ state_event: 'close' })),
  reopen: calling('', updateMergeRequest, () => ({ state_event: 'reopen' })),
  approve: calling('', approveMergeRequest, (sent) => ({ sha: sent.given('sha') })),
  unapprove: calling('', unapproveMergeRequest),
  merge: calling('', mergeMergeRequest, (sent) => ({
    sha: sent.given('sha'),
    squash: sent.flag('squash') === 'true',
    should_remove_source_branch: sent.flag('should_remove_source_branch') === 'true',
    auto_merge: sent.given('auto_merge') === '1',
  })),
};
