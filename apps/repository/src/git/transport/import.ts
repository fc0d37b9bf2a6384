import { isBranchOrTagName } from '../objects/revision';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import type { RepositoryKind, RepositoryStorage } from '../storage/storage';
import { CODE_REFS } from './copy';
import { explainRemote, parseRemote, type RemoteAddress, type RemoteRoute, withoutCredentials } from './remote-address';
import { withinBytes } from './within-bytes';

export interface ImportOptions {
  url: string;
  kind?: RepositoryKind;
  timeoutMs?: number;
  /** Limit of the repository on disk, checked while it grows. */
  maxBytes?: number;
  signal?: AbortSignal;
}

export interface ImportRules {
  /** Besides http, https, git and ssh also local paths: for tests only. */
  allowsLocalPaths?: boolean;
  /** The proxy for other servers; without one git connects directly. */
  route?: () => Promise<RemoteRoute>;
}

export interface BundleOptions {
  /** Branch for HEAD. */
  head: string | null;
  maxBytes: number;
  timeoutMs: number;
}

const MERGE_REQUEST_REFS = '+refs/merge-requests/*:refs/merge-requests/*';

/** Copies a repository from another server. It appears complete, or not at all. */
export class RepositoryImporter {
  constructor(
    private readonly git: GitRunner,
    private readonly storage: RepositoryStorage,
    private readonly rules: ImportRules = {},
  ) {}

  /**
   * @returns the path of the new repository
   * @throws url_refused, import_failed, import_too_large, import_timed_out, cancelled, repository_exists
   */
  async import(projectId: number | string, options: ImportOptions): Promise<string> {
    const path = this.storage.path(projectId, options.kind);
    if (await this.storage.exists(path)) throw new GitError('repository_exists');
    const source = await this.checkUrl(options.url);
    const fresh = await this.storage.createUnplaced();
    try {
      await this.fetch(fresh, source, options);
      return await this.storage.place(fresh, path);
    } catch (error) {
      await this.storage.remove(fresh);
      throw error;
    }
  }

  /**
   * Fills a repository from a bundle file: branches, tags, and refs of merge requests. Other refs are ignored.
   * Idempotent.
   * @throws bundle_refused, import_too_large
   */
  async fromBundle(path: string, file: string, options: BundleOptions): Promise<void> {
    await withinBytes(path, options.maxBytes, async (signal) => {
      const run = { signal, timeoutMs: options.timeoutMs, config: { 'fetch.fsckObjects': 'true' } };
      const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--end-of-options'];
      await this.git.run(path, ['fetch', ...flags, file, ...CODE_REFS, MERGE_REQUEST_REFS], run).catch((error) => {
        const isRefused = error instanceof GitError && error.reason === 'git_failed';
        throw isRefused ? new GitError('bundle_refused', explainRemote(error.detail), error.detail) : error;
      });
    });
    if (options.head && isBranchOrTagName(options.head)) await this.storage.setDefaultBranch(path, options.head);
  }

  private async checkUrl(text: string): Promise<RemoteAddress> {
    if (this.rules.allowsLocalPaths && text.startsWith('file:')) return withoutCredentials(new URL(text));
    return withoutCredentials(parseRemote(text), await this.rules.route?.());
  }

  private async fetch(fresh: string, source: RemoteAddress, options: ImportOptions): Promise<void> {
    await withinBytes(fresh, options.maxBytes, async (tooLarge) => {
      const signals = [options.signal, tooLarge].filter((signal) => signal !== undefined);
      const run = {
        signal: AbortSignal.any(signals),
        hasHelpers: true,
        timeoutMs: options.timeoutMs ?? 3_600_000,
        env: source.env,
        config: { ...source.config, 'fetch.fsckObjects': 'true' },
      };
      try {
        const head = await this.git.text(fresh, ['ls-remote', '--symref', '--end-of-options', source.url, 'HEAD'], run);
        const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--end-of-options'];
        await this.git.run(fresh, ['fetch', ...flags, source.url, ...CODE_REFS], run);
        const branch = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(head)?.[1];
        if (branch && isBranchOrTagName(branch)) await this.storage.setDefaultBranch(fresh, branch);
      } catch (error) {
        throw explain(error);
      }
    });
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof GitError)) return error;
  if (error.reason === 'timed_out') return new GitError('import_timed_out');
  if (error.reason !== 'git_failed') return error;
  return new GitError('import_failed', explainRemote(error.detail), error.detail);
}
