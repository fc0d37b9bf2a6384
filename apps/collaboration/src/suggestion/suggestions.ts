import {
  isFeatureOpen,
  mostLineRanges,
  type NotePosition,
  type ProjectRef,
  readLines,
  type Suggestion,
} from '@moothall/contracts';
import { RecordIds } from '@moothall/database';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { NoteDocument, NoteSuggestion } from '../activity/note.schema';
import type { MergeRequestDocument } from '../merge-request/record/merge-request.schema';
import { MergeRequestVersions } from '../merge-request/record/merge-request-versions';
import { parseSuggestions } from './parse-suggestions';
import { isClaimed } from './suggestion.repository';

/** A range of lines of a file, both ends included. */
interface LineRange {
  revision: string;
  path: string;
  first: number;
  last: number;
}

/** Limit of the replaced and of the new text; a note stores up to twenty suggestions. */
const mostBytes = 64 * 1024;

/** Suggestions of notes on lines of merge requests. See docs/api/notes.md#13. */
@Injectable()
export class Suggestions {
  constructor(
    private readonly client: OperationClient,
    private readonly versions: MergeRequestVersions,
    private readonly ids: RecordIds,
  ) {}

  /** Parses the suggestions of a note at a position. */
  async read(
    mergeRequest: MergeRequestDocument,
    project: ProjectRef,
    body: string,
    position: NotePosition | undefined,
  ): Promise<NoteSuggestion[]> {
    const written = parseSuggestions(body);
    const { new_path: path, new_line: line, head_sha: sha } = position ?? {};
    if (written.length === 0 || !path || !line || !sha || position?.position_type !== 'text') return [];
    if (!isFeatureOpen(project, 'repository') || !(await this.isHead(mergeRequest, sha))) return [];
    const wanted = written.map(({ above, below, lines }) => ({
      range: { revision: sha, path, first: Math.max(1, line - above), last: line + below },
      lines,
    }));
    const found = await this.readRanges(
      project,
      wanted.map(({ range }) => range),
    );
    const suggestions: NoteSuggestion[] = [];
    for (const [at, { range, lines }] of wanted.entries()) {
      const fromContent = found[at];
      if (typeof fromContent !== 'string') continue;
      const toContent = lines.map((one) => one + endOf(fromContent)).join('');
      if (Buffer.byteLength(toContent) > mostBytes) continue;
      const fromLine = range.first;
      const toLine = fromLine + countLines(fromContent) - 1;
      const id = await this.ids.next('suggestions');
      suggestions.push({ id, path, sha, fromLine, toLine, fromContent, toContent });
    }
    return suggestions;
  }

  /** Only code of the merge request is read: a commenter may not be allowed to see other code. */
  private async isHead({ _id, headSha }: MergeRequestDocument, sha: string): Promise<boolean> {
    return sha === headSha || this.versions.hasHead(_id, sha);
  }

  /** Suggestions of notes, by note id. */
  async view(
    mergeRequest: MergeRequestDocument,
    project: ProjectRef,
    notes: readonly NoteDocument[],
  ): Promise<ReadonlyMap<number, Suggestion[]>> {
    const onLines = notes.filter(({ position }) => position?.position_type === 'text');
    const all = onLines.flatMap(({ suggestions = [] }) => suggestions);
    const appliable = await this.findAppliable(mergeRequest, project, all);
    return new Map(
      onLines.map(({ _id, suggestions = [] }) => [
        _id,
        suggestions.map((one) => viewSuggestion(one, appliable.has(one.id))),
      ]),
    );
  }

  private async findAppliable(
    { state, headSha, sourceProjectId }: MergeRequestDocument,
    project: ProjectRef,
    all: readonly NoteSuggestion[],
  ): Promise<ReadonlySet<number>> {
    if (state !== 'opened' || headSha === null || sourceProjectId === null) return new Set();
    const open = all.filter(
      (one) => one.appliedAt === undefined && one.fromContent !== one.toContent && !isClaimed(one),
    );
    const moved = open.filter(({ sha }) => sha !== headSha);
    const now = await this.readRanges(
      project,
      moved.map((one) => rangeOf(one, headSha)),
    );
    const outdated = new Set(moved.filter(({ fromContent }, at) => now[at] !== fromContent));
    return new Set(open.filter((one) => !outdated.has(one)).map(({ id }) => id));
  }

  private async readRanges(project: ProjectRef, ranges: readonly LineRange[]): Promise<(string | null)[]> {
    const found: (string | null)[] = [];
    for (let at = 0; at < ranges.length; at += mostLineRanges) {
      const some = ranges.slice(at, at + mostLineRanges);
      found.push(...(await this.client.call(readLines, { ranges: some, max_bytes: mostBytes }, { project })));
    }
    return found;
  }

  /** Suggestions whose lines are already in the branch: the process was interrupted before it stored that. */
  async findDone(
    project: ProjectRef,
    branch: string,
    suggestions: readonly NoteSuggestion[],
  ): Promise<ReadonlySet<number>> {
    const some = suggestions.filter(({ toContent }) => toContent !== '');
    const now = await this.readRanges(
      project,
      some.map((one) => ({
        ...rangeOf(one, `refs/heads/${branch}`),
        last: one.fromLine + countLines(one.toContent) - 1,
      })),
    );
    return new Set(some.filter(({ toContent }, at) => now[at] === toContent).map(({ id }) => id));
  }
}

const rangeOf = ({ path, fromLine, toLine }: NoteSuggestion, revision: string): LineRange => ({
  revision,
  path,
  first: fromLine,
  last: toLine,
});

/** Uses the line ending of the replaced text. */
const endOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

const countLines = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

export const viewSuggestion = (suggestion: NoteSuggestion, isAppliable: boolean): Suggestion => ({
  id: suggestion.id,
  from_line: suggestion.fromLine,
  to_line: suggestion.toLine,
  appliable: isAppliable,
  applied: suggestion.appliedAt !== undefined,
  from_content: suggestion.fromContent,
  to_content: suggestion.toContent,
});
