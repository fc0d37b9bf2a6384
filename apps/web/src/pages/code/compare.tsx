import { compareRefs, contentErrors, isError, listBranches, type OutputOf, type ProjectRef } from '@moothall/contracts';
import { Named, Notice } from '@moothall/pages';
import type { ProjectPage, RouteAddress } from '../../page/page';
import { CommitList } from '../../parts/commit-list';
import { FileChanges } from '../../parts/diff';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import type { Visit } from '../../visit/visits';

type Comparison = OutputOf<typeof compareRefs>;

interface Asked {
  from: string;
  to: string;
  straight: boolean;
}

/** What one branch has that another has not: `main...topic`, or the difference of both: `main..topic`. */
export const comparePage: ProjectPage = {
  at: '/compare{/*rest}',
  async show(visit, project, address) {
    if (!(await visit.may(listBranches, project))) return undefined;
    const asked = askedAt(address);
    const comparison = asked.from && asked.to ? await compared(visit, project, asked) : null;
    return inProject(visit, project, {
      title: comparison ? `Compare ${asked.from} with ${asked.to}` : 'Compare',
      heading: <Heading asked={comparison ? asked : undefined} />,
      body: (
        <>
          <CompareForm project={project} asked={asked} isUnknown={comparison === undefined} />
          {comparison && <Result project={project} comparison={comparison} asked={asked} address={address} />}
        </>
      ),
    });
  },
};

/** From the path, as in links, or from the form. */
function askedAt({ params, query }: RouteAddress): Asked {
  const [from, to] = /^(.+?)\.\.\.?(.+)$/.exec(params.rest ?? '')?.slice(1) ?? [];
  const straight = from !== undefined && !params.rest?.startsWith(`${from}...`);
  return { from: from ?? query.get('from') ?? '', to: to ?? query.get('to') ?? '', straight };
}

/** Undefined if one of the two does not exist. */
async function compared(visit: Visit, project: ProjectRef, asked: Asked): Promise<Comparison | undefined> {
  try {
    return await visit.ask(compareRefs, { id: String(project.id), ...asked });
  } catch (error) {
    if (isError(error, contentErrors.refNotFound)) return undefined;
    throw error;
  }
}

const Heading = ({ asked }: { asked: Asked | undefined }) =>
  asked ? (
    <>
      Compare <Named>{asked.from}</Named> with <Named>{asked.to}</Named>
    </>
  ) : (
    <>Compare</>
  );

const CompareForm = ({ project, asked, isUnknown }: { project: ProjectRef; asked: Asked; isUnknown: boolean }) => (
  <form action={`/${project.fullPath}/-/compare`}>
    {isUnknown && <Notice kind="problem">One of the two does not exist: enter a branch, a tag or a commit.</Notice>}
    <label for="from">From</label>
    <input id="from" name="from" value={asked.from || (project.defaultBranch ?? '')} required />
    <label for="to">To</label>
    <input id="to" name="to" value={asked.to} required />
    <button type="submit">Compare</button>
  </form>
);

interface ResultProps {
  project: ProjectRef;
  comparison: Comparison;
  asked: Asked;
  address: RouteAddress;
}

const Result = ({ project, comparison: { commits, diffs, compare_timeout }, asked, address }: ResultProps) => {
  const page = pageOf(address);
  const shown = diffs.slice((page - 1) * perPage, page * perPage);
  return (
    <>
      <h2>Commits</h2>
      <CommitList
        project={project}
        commits={commits.slice(-perPage).toReversed()}
        none={`${asked.to} has no commits that ${asked.from} has not.`}
      />
      {commits.length > perPage && (
        <p class="dim">
          These are the last {perPage} of {commits.length} commits.
        </p>
      )}
      {compare_timeout && <p class="dim">The comparison took too long: some changes are missing.</p>}
      {shown.map((file) => (
        <FileChanges key={file.new_path} project={project} revision={asked.to} file={file} />
      ))}
      <Paging address={address} shown={shown.length} />
    </>
  );
};
