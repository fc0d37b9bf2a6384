import {
  compareRefs,
  contentErrors,
  createMergeRequest,
  getProject,
  getProjectTemplate,
  isError,
  listBranches,
  type OutputOf,
  type ProjectRef,
} from '@moothall/contracts';
import { Named, Notice } from '@moothall/pages';
import { filled } from '../../forms/filled';
import type { Address, ProjectPage, RouteAddress } from '../../page/page';
import { pathOf } from '../../parts/address';
import { below } from '../../parts/code-address';
import { CommitList } from '../../parts/commit-list';
import { Choice, Form, Given, TextField } from '../../parts/form';
import { inProject } from '../../parts/in-project';
import { perPage } from '../../parts/paging';
import { readPlanningChoices } from '../../parts/planning-fields';
import type { Visit } from '../../visit/visits';
import { MergeRequestFields, sentMergeRequest } from './merge-request-fields';

/** Number of branches that the form suggests. */
const mostBranches = 100;

/** What is merged into what. */
interface Branches {
  source: string;
  target: string;
  /** The project of the target branch: this one, or the one that it was forked from. */
  targetProject: ProjectRef;
  /** That one; undefined for a project that is no fork, and for a visitor who does not see it. */
  upstream: ProjectRef | undefined;
}

/** A choice of branches, then a form for their merge request: `?merge_request[source_branch]=…` chooses one. */
export const newMergeRequestPage: ProjectPage = {
  at: '/merge_requests/new',
  async show(visit, project, address) {
    if (!(await visit.may(createMergeRequest, project))) return undefined;
    const branches = await branchesAt(visit, project, address);
    const commits = branches.source ? await commitsOf(visit, project, branches) : undefined;
    const body = commits
      ? await requestForm(visit, project, address, branches, commits)
      : await branchForm(visit, project, branches);
    return inProject(visit, project, { title: 'New merge request', body });
  },
  forms: {
    'new-merge-request': async (visit, project, _address, sent) => {
      const request = await visit.submit(createMergeRequest, {
        id: String(project.id),
        source_branch: sent.given('source_branch'),
        target_branch: sent.given('target_branch'),
        target_project_id: sent.given('target_project_id'),
        ...filled(sentMergeRequest(sent)),
        title: sent.text('title'),
      });
      return pathOf(request.web_url);
    },
  },
};

async function branchesAt(visit: Visit, project: ProjectRef, { query }: Address): Promise<Branches> {
  const asked = (name: string) => query.get(`merge_request[${name}]`) ?? '';
  const upstream = await findUpstream(visit, project);
  const isUpstream = upstream && asked('target_project_id') === String(upstream.id);
  const targetProject = isUpstream ? upstream : project;
  return {
    source: asked('source_branch'),
    target: asked('target_branch') || (targetProject.defaultBranch ?? ''),
    targetProject,
    upstream,
  };
}

async function findUpstream(visit: Visit, { id }: ProjectRef): Promise<ProjectRef | undefined> {
  const { forked_from_project: upstream } = await visit.ask(getProject, { id: String(id) });
  return upstream && visit.findProject(String(upstream.id));
}

type Commits = OutputOf<typeof compareRefs>['commits'];

/** The commits that would be merged; undefined if one of the branches does not exist. */
async function commitsOf(visit: Visit, project: ProjectRef, branches: Branches): Promise<Commits | undefined> {
  const { source, target, targetProject } = branches;
  try {
    const asked = { id: String(project.id), from: target, to: source, from_project_id: targetProject.id };
    return (await visit.ask(compareRefs, asked)).commits;
  } catch (error) {
    if (isError(error, contentErrors.refNotFound)) return undefined;
    throw error;
  }
}

async function branchForm(visit: Visit, project: ProjectRef, { source, target, targetProject, upstream }: Branches) {
  const { items } = await visit.ask(listBranches, { id: String(project.id), per_page: mostBranches });
  const names = items.map(({ name }) => name);
  return (
    <form>
      {source !== '' && <Notice>One of the two branches does not exist.</Notice>}
      <TextField
        name="merge_request[source_branch]"
        label="Source branch"
        value={source}
        suggestions={names}
        required
      />
      {upstream && (
        <Choice
          name="merge_request[target_project_id]"
          label="Target project"
          value={String(targetProject.id)}
          options={[project, upstream].map(({ id, fullPath }) => ({ value: String(id), label: fullPath }))}
        />
      )}
      <TextField
        name="merge_request[target_branch]"
        label="Target branch"
        value={target}
        suggestions={names}
        required
      />
      <button type="submit">Continue</button>
    </form>
  );
}

async function requestForm(
  visit: Visit,
  project: ProjectRef,
  address: RouteAddress,
  { source, target, targetProject }: Branches,
  commits: Commits,
) {
  const [choices, description] = await Promise.all([
    readPlanningChoices(visit, targetProject),
    templateAt(visit, targetProject, address),
  ]);
  const title = address.query.get('merge_request[title]') ?? (commits.length === 1 ? commits[0]?.title : source);
  return (
    <>
      <ul class="facts">
        <li>
          <Named>{source}</Named> into <Named>{target}</Named>
        </li>
        {targetProject.id !== project.id && (
          <li>
            in <Named>{targetProject.nameWithNamespace}</Named>
          </li>
        )}
        <li>
          <a href={below(project, 'merge_requests/new')}>Choose other branches</a>
        </li>
      </ul>
      <Form visit={visit} address={address} name="new-merge-request">
        <Given name="source_branch" value={source} />
        <Given name="target_branch" value={target} />
        <Given name="target_project_id" value={String(targetProject.id)} />
        <MergeRequestFields values={{ title: title ?? '', description }} choices={choices} />
        <button type="submit">Create merge request</button>
      </Form>
      <h2>Commits</h2>
      <CommitList
        project={project}
        commits={commits.slice(-perPage).toReversed()}
        none="The source branch has no commits that the target branch has not."
      />
      {commits.length > perPage && (
        <p class="dim">
          These are the last {perPage} of {commits.length} commits.
        </p>
      )}
    </>
  );
}

/** The description in the address, or that of the template of the project. */
async function templateAt(visit: Visit, project: ProjectRef, { query }: Address): Promise<string> {
  const given = query.get('merge_request[description]');
  if (given !== null) return given;
  const key = query.get('issuable_template') ?? 'Default';
  const asked = { id: String(project.id), type: 'merge_requests' as const, key };
  return (await visit.askIfSeen(getProjectTemplate, asked))?.content ?? '';
}
