import type { ExportedCommit, ExportedSnippet } from '@moothall/contracts';
import { present } from '@moothall/contracts';
import { collectionOf, insertEach, isDuplicateKey, RecordIds } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type { Award } from '../activity/awardable';
import { NotedCommits } from '../commit/noted-commit.repository';
import type { NotedCommitDocument } from '../commit/noted-commit.schema';
import { Snippets } from '../snippet/snippet.repository';
import type { SnippetDocument } from '../snippet/snippet.schema';

type Snippet = z.infer<typeof ExportedSnippet>;
type Commit = z.infer<typeof ExportedCommit>;

/** Imports snippets and commits with notes into a project. Their notes are imported later. */
@Injectable()
export class TakeSnippets {
  constructor(
    private readonly snippets: Snippets,
    private readonly commits: NotedCommits,
    private readonly ids: RecordIds,
  ) {}

  /** @param awardsOf converts archived awards to their stored form */
  async takeSnippets(
    projectId: number,
    snippets: Snippet[],
    awardsOf: (awards: Snippet['awards']) => Promise<Award[]>,
  ): Promise<number> {
    if (snippets.length === 0) return 0;
    const documents = await Promise.all(
      snippets.map(async (snippet) => newSnippet(snippet, projectId, await awardsOf(snippet.awards))),
    );
    const failures = await insertEach(collectionOf(this.snippets.model), documents);
    for (const failure of failures.values()) if (!isDuplicateKey(failure, '_id')) throw failure;
    return documents.length - failures.size;
  }

  async takeCommits(projectId: number, commits: Commit[]): Promise<number> {
    if (commits.length === 0) return 0;
    const ids = await this.ids.take('noted_commits', commits.length);
    const documents = commits.map((commit, at) => newCommit(commit, projectId, present(ids[at], 'the id of a commit')));
    const failures = await insertEach(collectionOf(this.commits.model), documents);
    for (const failure of failures.values()) if (!isDuplicateKey(failure, 'sha')) throw failure;
    return documents.length - failures.size;
  }

  /** The ids that belong to the project. */
  async snippetsAmong(projectId: number, ids: number[]): Promise<Set<number>> {
    if (ids.length === 0) return new Set();
    const found = await this.snippets.model
      .find({ projectId, _id: { $in: ids } }, { _id: 1 })
      .lean<{ _id: number }[]>();
    return new Set(found.map(({ _id }) => _id));
  }

  /** Ids of commit records. */
  async commitIds(projectId: number, shas: string[]): Promise<Map<string, number>> {
    if (shas.length === 0) return new Map();
    const found = await this.commits.model
      .find({ projectId, sha: { $in: shas } }, { sha: 1 })
      .lean<Pick<NotedCommitDocument, '_id' | 'sha'>[]>();
    return new Map(found.map(({ _id, sha }) => [sha, _id]));
  }
}

/** In their complete stored form: they are inserted without Mongoose and its defaults. */
const newSnippet = (snippet: Snippet, projectId: number, awards: Award[]): SnippetDocument => ({
  _id: snippet.id,
  revision: 0,
  projectId,
  authorId: snippet.author_id,
  title: snippet.title,
  description: snippet.description,
  visibility: snippet.visibility,
  files: snippet.files,
  userAgent: null,
  userNotesCount: snippet.user_notes_count,
  awards,
  createdAt: new Date(snippet.created_at),
  updatedAt: new Date(snippet.updated_at),
});

const newCommit = (commit: Commit, projectId: number, _id: number): NotedCommitDocument => ({
  _id,
  projectId,
  sha: commit.sha,
  title: commit.title,
  authorId: 0,
  userNotesCount: commit.user_notes_count,
  awards: [],
  createdAt: new Date(commit.created_at),
  updatedAt: new Date(commit.updated_at),
});
