import {
  applySuggestion,
  applySuggestions,
  type Caller,
  type ContextOf,
  forbidden,
  isFeatureOpen,
  isPassing,
  isReadable,
  type ParsedOf,
  type ProjectRef,
  present,
  replaceLines,
  type Suggestion,
  suggestionErrors,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import type { NoteSuggestion } from '../activity/note.schema';
import { MergeSettingsReader } from '../merge-request/mergeability/merge-settings';
import { SourceRights } from '../merge-request/mergeability/source-rights';
import { MergeRequests } from '../merge-request/record/merge-request.repository';
import type { MergeRequestDocument } from '../merge-request/record/merge-request.schema';
import { readsCode } from '../parent/reads-code';
import { requireWritable } from '../parent/require-writable';
import { renderMessage } from '../suggestion/commit-message';
import { type SuggestionRecord, SuggestionRecords } from '../suggestion/suggestion.repository';
import { Suggestions, viewSuggestion } from '../suggestion/suggestions';
import { ActingUser } from '../user/acting-user';

type Message = ParsedOf<typeof applySuggestion>['commit_message'];

const noProject = 2 ** 31 - 1;
const outdated = "Can't apply as these lines were changed in a more recent version.";

/** Commits suggestions to the source branch of their merge request. See docs/api/notes.md#13. */
@Controller()
export class ApplySuggestions {
  constructor(
    private readonly records: SuggestionRecords,
    private readonly suggestions: Suggestions,
    private readonly mergeRequests: MergeRequests,
    private readonly acting: ActingUser,
    private readonly rights: SourceRights,
    private readonly settings: MergeSettingsReader,
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
  ) {}

  @Handles(applySuggestion)
  async one({ caller }: ContextOf<typeof applySuggestion>, input: ParsedOf<typeof applySuggestion>) {
    const [applied] = await this.apply(caller, [input.id], input.commit_message);
    if (!applied) throw suggestionErrors.notFound();
    return applied;
  }

  @Handles(applySuggestions)
  async all({ caller }: ContextOf<typeof applySuggestions>, input: ParsedOf<typeof applySuggestions>) {
    const ids = [...new Set(input.ids)];
    const applied = await this.apply(caller, ids, input.commit_message);
    if (applied.length < ids.length) throw suggestionErrors.someNotFound();
    return applied;
  }

  /** @returns fewer than requested, with nothing applied, if one of them is not visible to the caller */
  private async apply(caller: Caller, ids: number[], message: Message): Promise<Suggestion[]> {
    const found = await this.records.list(ids);
    const ofIds = [...new Set(found.map(({ note }) => note.noteableId))];
    const mergeRequests = await this.mergeRequests.list(ofIds);
    const targets = await this.findTargets(mergeRequests, caller);
    if (found.length < ids.length || mergeRequests.length < ofIds.length || !targets) return [];
    const mergeRequest = requireOneBranch(mergeRequests);
    const target = present(targets.get(mergeRequest.projectId), 'the target');
    for (const project of targets.values()) requireWritable(project);
    const source = await this.rights.findSource(mergeRequest, caller);
    if (!source && mergeRequest.sourceProjectId !== null) throw forbidden();
    for (const one of mergeRequests) requireOpen(one);
    if (!source) throw suggestionErrors.notApplicable("Can't apply as the source branch was deleted.");
    requireFresh(found.map(({ suggestion }) => suggestion));
    const toSay = await this.messageOf(found, { mergeRequest, target, caller, message });
    const commit = (some: NoteSuggestion[]) => this.commit(some, mergeRequest.sourceBranch, toSay, source, caller);
    const findDone = (some: NoteSuggestion[]) => this.suggestions.findDone(source, mergeRequest.sourceBranch, some);
    await this.inTurn(found, findDone, commit);
    return found.map(({ suggestion }) => viewSuggestion({ ...suggestion, appliedAt: new Date() }, false));
  }

  /** The projects of the suggestions; undefined if the caller may not see one of the merge requests. */
  private async findTargets(
    mergeRequests: MergeRequestDocument[],
    caller: Caller,
  ): Promise<Map<number, ProjectRef> | undefined> {
    const targets = new Map<number, ProjectRef>();
    const ids = mergeRequests.map(({ projectId }) => projectId);
    // Missing ones are requested too, so that the response time does not reveal which exist.
    for (const id of ids.length > 0 ? new Set(ids) : [noProject]) {
      const project = await this.acting.findProject(caller, id);
      if (!project || !isReadable(project, caller) || !readsCode(project)) return undefined;
      if (!isFeatureOpen(project, 'merge_requests')) return undefined;
      targets.set(id, project);
    }
    return targets;
  }

  /** Of two concurrent requests one commits it. For an interrupted request only the result is stored. */
  private async inTurn(
    found: SuggestionRecord[],
    findDone: (some: NoteSuggestion[]) => Promise<ReadonlySet<number>>,
    commit: (some: NoteSuggestion[]) => Promise<void>,
  ): Promise<void> {
    const all = found.map(({ suggestion }) => suggestion);
    const claimed: number[] = [];
    try {
      for (const { id } of all) {
        if (!(await this.records.claim(id))) throw suggestionErrors.notApplicable();
        claimed.push(id);
      }
      const done = await findDone(all.filter(({ applyingSince }) => applyingSince !== undefined));
      const open = all.filter(({ id }) => !done.has(id));
      if (open.length > 0) await commit(open);
      await this.records.settle(claimed);
    } catch (error) {
      // If it is unknown whether the commit exists, a later attempt checks first.
      if (!isPassing(error)) await this.records.release(claimed);
      throw error;
    }
  }

  private async commit(
    some: NoteSuggestion[],
    branch: string,
    message: string,
    source: ProjectRef,
    caller: Caller,
  ): Promise<void> {
    const replacements = some.map(({ path, fromLine, toLine, fromContent, toContent }) => ({
      ...{ path, first: fromLine, last: toLine, before: fromContent, after: toContent },
    }));
    const made = await this.client.call(replaceLines, { branch, message, replacements }, { project: source, caller });
    if (!made) throw suggestionErrors.notApplicable(outdated);
  }

  private async messageOf(
    found: SuggestionRecord[],
    {
      mergeRequest,
      target,
      caller,
      message,
    }: { mergeRequest: MergeRequestDocument; target: ProjectRef; caller: Caller; message: Message },
  ): Promise<string> {
    if (message?.trim()) return message;
    const paths = [...new Set(found.map(({ suggestion }) => suggestion.path))];
    const authors = found.map(({ note }) => note.authorId).filter((id) => id !== caller.id);
    const users = await this.users.records(new Set(authors));
    const { suggestion_commit_message: template } = await this.settings.read(target, caller);
    return renderMessage(template, {
      branch_name: mergeRequest.sourceBranch,
      files_count: paths.length,
      file_paths: paths.join(', '),
      project_name: target.name,
      project_path: target.path,
      suggestions_count: found.length,
      user_full_name: caller.name,
      username: caller.username,
      // Users without a public email address are not named, because a commit cannot be changed.
      co_authored_by: [...users.values()]
        .flatMap(({ name, public_email }) => (public_email ? `Co-authored-by: ${name} <${public_email}>` : []))
        .join('\n'),
    });
  }
}

function requireOneBranch(mergeRequests: MergeRequestDocument[]): MergeRequestDocument {
  const [first, ...others] = mergeRequests;
  if (!first) throw suggestionErrors.someNotFound();
  const isElsewhere = ({ sourceProjectId, sourceBranch }: MergeRequestDocument) =>
    sourceProjectId !== first.sourceProjectId || sourceBranch !== first.sourceBranch;
  if (others.some(isElsewhere)) throw suggestionErrors.notApplicable('Suggestions must all be on the same branch.');
  return first;
}

function requireOpen({ state }: MergeRequestDocument): void {
  if (state === 'opened') return;
  throw suggestionErrors.notApplicable(
    state === 'merged'
      ? 'This merge request was merged. To apply this suggestion, edit this file directly.'
      : 'This merge request is closed. To apply this suggestion, edit this file directly.',
  );
}

function requireFresh(suggestions: NoteSuggestion[]): void {
  if (suggestions.some(({ appliedAt }) => appliedAt !== undefined)) throw suggestionErrors.notApplicable();
  if (suggestions.some(({ fromContent, toContent }) => fromContent === toContent))
    throw suggestionErrors.notApplicable('This suggestion already matches its content.');
  const inOrder = [...suggestions].sort((a, b) => a.fromLine - b.fromLine);
  const doesOverlap = inOrder.some((one, at) =>
    inOrder.slice(at + 1).some(({ path, fromLine }) => path === one.path && fromLine <= one.toLine),
  );
  if (doesOverlap)
    throw suggestionErrors.notApplicable('Suggestions are not applicable as their lines cannot overlap.');
}
