import { findPath, getBlame, type OutputOf, type ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { below, nameOf } from '../../parts/code-address';
import { CodeBlock } from '../../parts/code-block';
import { CommitTitle } from '../../parts/commit-title';
import { inProject } from '../../parts/in-project';
import { Line } from '../../parts/lines';
import { Paging, pageOf } from '../../parts/paging';
import { PathFacts } from '../../parts/path-facts';
import { shortened } from '../../parts/shortened';
import { Day } from '../../parts/time';

type Range = OutputOf<typeof getBlame>[number];

const linesPerPage = 500;
/** Longer lines are cut, and longer messages, of which only the first line is shown. */
const mostOfLine = 1000;

/** Who changed each line of a file last. */
export const blamePage: ProjectPage = {
  at: '/blame/*rest',
  async show(visit, project, address) {
    const id = String(project.id);
    const { ref, path, commit_id, type } = await visit.ask(findPath, { id, ref_and_path: address.params.rest ?? '' });
    if (type !== 'blob') return undefined;
    const before = (pageOf(address) - 1) * linesPerPage;
    const range = { start: before + 1, end: before + linesPerPage };
    const ranges = await visit.ask(getBlame, { id, file_path: path, ref: commit_id, range }, mostOfLine + 1);
    const shown = ranges.reduce((sum, { lines }) => sum + lines.length, 0);
    return inProject(visit, project, {
      title: `Blame of ${path}`,
      heading: (
        <>
          Blame of <Named>{path}</Named>
        </>
      ),
      body: (
        <>
          <PathFacts shownRef={ref} links={{ File: below(project, 'blob', ref, path) }} />
          <CodeBlock label={nameOf(path)}>
            <Ranges project={project} ranges={ranges} before={before} />
          </CodeBlock>
          <Paging address={address} shown={shown} full={linesPerPage} />
        </>
      ),
    });
  },
};

interface RangesProps {
  project: ProjectRef;
  ranges: readonly Range[];
  /** How many lines precede them in the file. */
  before: number;
}

const Ranges = ({ project, ranges, before }: RangesProps) => {
  let next = before + 1;
  const numbered = ranges.map(({ commit, lines }) => ({
    commit,
    lines: lines.map((line) => ({ line, number: next++ })),
  }));
  return (
    <>
      {numbered.map(({ commit, lines }) => (
        <>
          <span class="hunk">
            <a href={below(project, 'commit', commit.id)}>{commit.id.slice(0, 8)}</a>
            <Named>{commit.author_name}</Named>, <Day at={commit.authored_date} />:{' '}
            <CommitTitle title={commit.message.split('\n', 1)[0] ?? ''} />
            {'\n'}
          </span>
          {lines.map(({ line, number }) => (
            <Line key={number} number={number} line={shortened(line, mostOfLine)} />
          ))}
        </>
      ))}
    </>
  );
};
