import { getCommit, getCommitDiff, type OutputOf, type ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { below } from '../../parts/code-address';
import { commitTitle } from '../../parts/commit-title';
import { FileChanges } from '../../parts/diff';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { count } from '../../parts/project-list';
import { mostOfTitle } from '../../parts/shortened';
import { longestText } from '../../parts/texts';
import { Day } from '../../parts/time';

type Commit = OutputOf<typeof getCommit>;

/** A commit: its message, and the changes of its files. */
export const commitPage: ProjectPage = {
  at: '/commit/:sha',
  async show(visit, project, address) {
    const asked = { id: String(project.id), sha: address.params.sha ?? '' };
    const commit = await visit.ask(getCommit, asked, longestText);
    const changed = { ...asked, sha: commit.id, page: pageOf(address), per_page: perPage };
    const { items: files } = await visit.ask(getCommitDiff, changed);
    const title = commitTitle(commit.title);
    return inProject(visit, project, {
      title,
      heading: <Named>{title}</Named>,
      body: (
        <>
          <Message commit={commit} />
          <Facts project={project} commit={commit} />
          {files.map((file) => (
            <FileChanges key={file.new_path} project={project} revision={commit.id} file={file} />
          ))}
          <Paging address={address} shown={files.length} />
        </>
      ),
    });
  },
};

const mostOfMessage = 64 * 1024;

/** The message after the title, which is the heading. */
const Message = ({ commit: { title, message } }: { commit: Commit }) => {
  const isAfterTitle = title.length <= mostOfTitle && message.startsWith(title);
  const rest = (isAfterTitle ? message.slice(title.length) : message).trim();
  return rest === '' ? null : <pre>{rest.slice(0, mostOfMessage)}</pre>;
};

const Facts = ({ project, commit }: { project: ProjectRef; commit: Commit }) => {
  const { id, author_name, authored_date, committer_name, committed_date, parent_ids, stats, last_pipeline } = commit;
  return (
    <ul class="facts">
      <li>
        <code>{id}</code>
      </li>
      <li>
        By <Named>{author_name}</Named> on <Day at={authored_date} />
      </li>
      {committer_name !== author_name && (
        <li>
          Committed by <Named>{committer_name}</Named> on <Day at={committed_date} />
        </li>
      )}
      {parent_ids.map((parent) => (
        <li key={parent}>
          Parent{' '}
          <a href={below(project, 'commit', parent)}>
            <code>{parent.slice(0, 8)}</code>
          </a>
        </li>
      ))}
      {stats && (
        <li>
          {count(stats.additions, 'addition')}, {count(stats.deletions, 'deletion')}
        </li>
      )}
      {last_pipeline && (
        <li>
          <a href={pathOf(last_pipeline.web_url)}>Pipeline {last_pipeline.status}</a>
        </li>
      )}
      <li>
        <a href={below(project, 'tree', id)}>Files</a>
      </li>
      <li>
        <a href={below(project, `commit/${id}.patch`)}>Patch</a>
      </li>
      <li>
        <a href={below(project, `commit/${id}.diff`)}>Diff</a>
      </li>
    </ul>
  );
};
