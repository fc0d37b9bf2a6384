import {
  getMergeRequest,
  getMergeRequestApprovals,
  listMergeRequestCommits,
  listMergeRequestDiffs,
  listMergeRequestDiscussionBeginnings,
  listMergeRequestPipelines,
  type MergeRequest,
  type ProjectRef,
} from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ComponentChildren } from 'preact';
import type { ProjectPage, RouteAddress } from '../../page/page';
import { pathOf } from '../../parts/address';
import { below } from '../../parts/code-address';
import { CommitList } from '../../parts/commit-list';
import { FileChanges } from '../../parts/diff';
import { beginnings, Discussions, readDiscussions } from '../../parts/discussions';
import { inProject } from '../../parts/in-project';
import { IssuableFacts } from '../../parts/issuable';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { PipelineList } from '../../parts/pipeline-list';
import { longestText, Text } from '../../parts/texts';
import type { Visit } from '../../visit/visits';
import { Actions, mergeRequestAt, mergeRequestForms, readActions } from './merge-request-actions';
import { readReview, reviewForms } from './review';

interface Asked {
  id: string;
  merge_request_iid: number;
  page: number;
  per_page: number;
}

/** @param reading the request for the merge request, which is still under way */
type ReadPart = (
  visit: Visit,
  project: ProjectRef,
  given: { reading: Promise<MergeRequest>; asked: Asked; address: RouteAddress },
) => Promise<ComponentChildren>;

/** A page of a merge request: its facts, and one of its parts. */
const partPage = (at: string, readPart: ReadPart, forms: ProjectPage['forms'] = {}): ProjectPage => ({
  at: `/merge_requests/:iid${at}`,
  forms,
  async show(visit, project, address) {
    const one = mergeRequestAt(project, address);
    const asked = { ...one, page: pageOf(address), per_page: perPage };
    const reading = visit.ask(getMergeRequest, one, longestText);
    const [request, part] = await Promise.all([reading, readPart(visit, project, { reading, asked, address })]);
    const { iid } = request;
    return inProject(visit, project, {
      title: `${request.title} (!${iid})`,
      heading: (
        <>
          <Named>{request.title}</Named> <span class="dim">!{iid}</span>
        </>
      ),
      body: (
        <>
          <IssuableFacts project={project} page="merge_requests" item={request} />
          <Branches project={project} request={request} />
          <Parts project={project} iid={iid} />
          {part}
        </>
      ),
    });
  },
});

const readDiscussion: ReadPart = async (visit, project, { reading, asked, address }) => {
  const [request, discussions, approvals] = await Promise.all([
    reading,
    visit.askIfSeen(listMergeRequestDiscussionBeginnings, { ...asked, ...beginnings }),
    visit.askIfSeen(getMergeRequestApprovals, asked),
  ]);
  const actions = await readActions(visit, project, request);
  const { description } = request;
  const given = { description, discussions: discussions?.items };
  const discussed = await readDiscussions(visit, project, given, address, actions);
  return (
    <>
      {discussed.description && <Text {...discussed.description} />}
      <Actions {...{ visit, project, address, request, actions, approvals }} />
      <Discussions {...discussed} />
    </>
  );
};

export const mergeRequestPage = partPage('', readDiscussion, mergeRequestForms);

export const mergeRequestCommitsPage = partPage('/commits', async (visit, project, { asked, address }) => {
  const { items } = await visit.ask(listMergeRequestCommits, asked, longestText);
  return (
    <>
      <h2>Commits</h2>
      <CommitList project={project} commits={items} none="There are no further commits." />
      <Paging address={address} shown={items.length} />
    </>
  );
});

export const mergeRequestPipelinesPage = partPage('/pipelines', async (visit, project, { asked, address }) => {
  const { items } = await visit.ask(listMergeRequestPipelines, asked);
  return (
    <>
      <h2>Pipelines</h2>
      <PipelineList project={project} pipelines={items} none="There are no further pipelines." />
      <Paging address={address} shown={items.length} />
    </>
  );
});

const readChanges: ReadPart = async (visit, project, { reading, asked, address }) => {
  const [request, { items }] = await Promise.all([reading, visit.ask(listMergeRequestDiffs, asked)]);
  const { reviewOf, isWhole } = await readReview(visit, project, request, items, address);
  return (
    <>
      <p>
        <a href={below(project, `merge_requests/${request.iid}.patch`)}>Patch</a>{' '}
        <a href={below(project, `merge_requests/${request.iid}.diff`)}>Diff</a>
      </p>
      {items.length === 0 && <p class="dim">There are no further changes.</p>}
      {items.map((file, number) => (
        <FileChanges
          key={file.new_path}
          project={project}
          revision={request.sha ?? ''}
          file={file}
          review={reviewOf(file, number)}
        />
      ))}
      {!isWhole && <p class="dim">Some later discussions of these files are not shown.</p>}
      <Paging address={address} shown={items.length} />
    </>
  );
};

export const mergeRequestChangesPage = partPage('/diffs', readChanges, reviewForms);

const Branches = ({ project, request }: { project: ProjectRef; request: MergeRequest }) => {
  const {
    source_branch,
    target_branch,
    draft,
    state,
    detailed_merge_status: status,
    reviewers,
    head_pipeline,
  } = request;
  return (
    <ul class="facts">
      {draft && <li class="tag">draft</li>}
      <li>
        <Named>{source_branch}</Named> into{' '}
        <a href={below(project, 'tree', target_branch)}>
          <Named>{target_branch}</Named>
        </a>
      </li>
      {reviewers.map(({ id, name }) => (
        <li key={id}>
          Review by <Named>{name}</Named>
        </li>
      ))}
      {state === 'opened' && <li>Merge status: {status.replaceAll('_', ' ')}</li>}
      {head_pipeline && (
        <li>
          <a href={pathOf(head_pipeline.web_url)}>Pipeline {head_pipeline.status}</a>
        </li>
      )}
    </ul>
  );
};

const Parts = ({ project, iid }: { project: ProjectRef; iid: number }) => (
  <nav class="parts" aria-label="Merge request">
    <a href={below(project, `merge_requests/${iid}`)}>Discussion</a>
    <a href={below(project, `merge_requests/${iid}/commits`)}>Commits</a>
    <a href={below(project, `merge_requests/${iid}/pipelines`)}>Pipelines</a>
    <a href={below(project, `merge_requests/${iid}/diffs`)}>Changes</a>
  </nav>
);
