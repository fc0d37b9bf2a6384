import {
  type ContextOf,
  countRepositories,
  createRepository,
  expectLfsLocks,
  invalidRecord,
  type ParsedOf,
  replicaErrors,
  repositoryFacts,
  repositoryLanguages,
  repositoryState,
  setDefaultBranch,
} from '@moothall/contracts';
import { Handles, shareOf } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { RepositoryCopies } from '../copies/bring-objects';
import type { GitEngine } from '../git/engine';
import { growingCache } from '../git/objects/growing-cache';
import { GitError } from '../git/process/errors';
import { DefaultProtection } from '../protection/protect-default';
import { personOf } from '../push/code-writer';
import { PushRuleSets } from '../push-rule/push-rule.repository';
import { Repositories } from '../record/repository.repository';
import { stateOf } from '../record/repository-state';
import { type Located, type RepositoryLocation, Storages } from '../storage/storages';
import { RepositoryImports } from './import-repository';
import { languageShares } from './languages';

type Create = ParsedOf<typeof createRepository>;

@Controller()
export class RepositoryOperations {
  /** By folder of the repository, and tree. */
  private readonly languageShares = growingCache<Record<string, number>>(10_000);

  constructor(
    private readonly storages: Storages,
    private readonly imports: RepositoryImports,
    private readonly copies: RepositoryCopies,
    private readonly repositories: Repositories,
    private readonly protection: DefaultProtection,
    private readonly pushRules: PushRuleSets,
  ) {}

  @Handles(createRepository)
  async create(context: ContextOf<typeof createRepository>, input: Create) {
    const { project } = context;
    const location = { id: input.project_id, storage: project.storage };
    const { id, storage } = location;
    const record = await this.repositories.add(id, storage, input.default_branch_protection);
    if (record.isReplica) throw replicaErrors.isReplica();
    await this.pushRules.begin(id, project.groupIds);
    if (input.import_url) {
      const who = shareOf(context) ?? `namespace ${project.fullPath.split('/', 1)[0]}`;
      await this.imports.begin({ projectId: location.id, storage: location.storage, url: input.import_url, who });
      return { default_branch: null, is_empty: true, readme_path: null };
    }
    const located = this.storages.locate(location);
    await this.make(located, location, input).catch((error: unknown) => {
      // An earlier attempt created it, and its answer was lost.
      if (!(error instanceof GitError && error.reason === 'repository_exists')) throw error;
    });
    if (input.readme && (await stateOf(located)).is_empty) await writeReadme(located, input.readme, input);
    const state = await stateOf(located);
    if (state.default_branch) await this.protection.protect(location.id, state.default_branch);
    return state;
  }

  private async make({ engine }: Located, location: RepositoryLocation, input: Create): Promise<void> {
    const source = input.forked_from;
    if (source) await this.copies.fork({ id: source.project_id, storage: source.storage }, location);
    else await engine.storage.create(location.id, { defaultBranch: input.default_branch });
  }

  @Handles(countRepositories)
  count(_: ContextOf<typeof countRepositories>, __: ParsedOf<typeof countRepositories>) {
    return this.repositories.count();
  }

  @Handles(expectLfsLocks)
  async expectLocks(_: ContextOf<typeof expectLfsLocks>, { project_id }: ParsedOf<typeof expectLfsLocks>) {
    await this.repositories.noteLfsLocks(project_id);
  }

  @Handles(setDefaultBranch)
  async setDefaultBranch(
    { project }: ContextOf<typeof setDefaultBranch>,
    { project_id, branch }: ParsedOf<typeof setDefaultBranch>,
  ) {
    const { engine, path } = this.storages.locate({ id: project_id, storage: project.storage });
    const isEmpty = (await stateOf({ engine, path })).is_empty;
    if (!isEmpty && !(await engine.objects.readRef(path, `refs/heads/${branch}`))) {
      throw invalidRecord({
        base: [`Could not set the default branch. Do you have a branch named '${branch}' in your repository?`],
      });
    }
    await engine.storage.setDefaultBranch(path, branch);
    return { default_branch: branch };
  }

  @Handles(repositoryState)
  async state({ project }: ContextOf<typeof repositoryState>, { project_id }: ParsedOf<typeof repositoryState>) {
    return stateOf(this.storages.locate({ id: project_id, storage: project.storage }));
  }

  @Handles(repositoryFacts)
  async facts({ project }: ContextOf<typeof repositoryFacts>, { project_id }: ParsedOf<typeof repositoryFacts>) {
    const { engine, path } = this.storages.locate({ id: project_id, storage: project.storage });
    const [{ commitCount, sizeBytes }, wikiSize, tip] = await Promise.all([
      engine.statistics.read(path),
      engine.storage.sizeBytes(engine.storage.path(project_id, 'wiki')),
      engine.objects.resolve(path),
    ]);
    return { commit_count: commitCount, repository_size: sizeBytes, wiki_size: wikiSize, commit_sha: tip };
  }

  @Handles(repositoryLanguages)
  async languages(
    { project }: ContextOf<typeof repositoryLanguages>,
    { project_id }: ParsedOf<typeof repositoryLanguages>,
  ) {
    const { engine, path } = this.storages.locate({ id: project_id, storage: project.storage });
    const commit = await engine.commits.find(path);
    return commit ? this.sharesOf(engine, path, commit.treeId) : {};
  }

  /** A tree never changes, so its languages are counted once. */
  private async sharesOf(engine: GitEngine, path: string, treeId: string): Promise<Record<string, number>> {
    const key = `${path}:${engine.objects.generation(path)}:${treeId}`;
    const known = this.languageShares.get(key);
    if (known) return known;
    const counted = await languageShares(engine, path, treeId);
    this.languageShares.set(key, counted);
    return counted;
  }
}

/** No events are published for this push: it is part of creating the project. */
async function writeReadme(
  { engine, path }: Located,
  { title, text }: NonNullable<Create['readme']>,
  { default_branch, author }: Create,
): Promise<void> {
  const content = `# ${title}\n${text ? `\n${text}\n` : ''}`;
  const person = personOf(author);
  await engine.commitWriter.write(path, {
    branch: default_branch,
    message: 'Initial commit',
    actions: [{ action: 'create', filePath: 'README.md', content }],
    author: person,
    committer: person,
  });
}
