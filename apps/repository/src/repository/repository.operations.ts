import {
  type ContextOf,
  createRepository,
  type EventData,
  type EventRecord,
  invalidRecord,
  type ParsedOf,
  projectDeleted,
  repositoryFacts,
  repositoryLanguages,
  setDefaultBranch,
} from '@moothall/contracts';
import { Handles, OnEvent } from '@moothall/messaging';
import { Controller, Injectable } from '@nestjs/common';
import { GitError } from '../git/errors';
import { Storages } from '../storage/storages';
import { RepositoryImports } from './import-repository';
import { languageShares } from './languages';
import { stateOf } from './push-events';

type Create = ParsedOf<typeof createRepository>;

@Controller()
export class RepositoryOperations {
  constructor(
    private readonly storages: Storages,
    private readonly imports: RepositoryImports,
  ) {}

  @Handles(createRepository)
  async create({ project }: ContextOf<typeof createRepository>, input: Create) {
    const located = this.storages.locate({ id: input.project_id, storage: project!.storage });
    if (input.import_url) {
      await this.imports.begin({ projectId: input.project_id, storage: project!.storage, url: input.import_url });
      return { default_branch: null, is_empty: true, readme_path: null };
    }
    await this.createEmpty(located, input).catch((error: unknown) => {
      // Made by an earlier try whose answer was lost.
      if (!(error instanceof GitError && error.reason === 'repository_exists')) throw error;
    });
    const state = await stateOf(located);
    if (input.readme && state.is_empty) {
      await located.engine.commitWriter.write(located.path, {
        branch: input.default_branch,
        message: 'Initial commit',
        actions: [{ action: 'create', filePath: 'README.md', content: readmeText(input.readme) }],
        author: input.author,
        committer: input.author,
      });
    }
    return stateOf(located);
  }

  private async createEmpty({ engine }: ReturnType<Storages['locate']>, input: Create): Promise<void> {
    await engine.storage.create(input.project_id, { defaultBranch: input.default_branch });
  }

  @Handles(setDefaultBranch)
  async setDefaultBranch(
    { project }: ContextOf<typeof setDefaultBranch>,
    { project_id, branch }: ParsedOf<typeof setDefaultBranch>,
  ) {
    const { engine, path } = this.storages.locate({ id: project_id, storage: project!.storage });
    const isEmpty = (await stateOf({ engine, path })).is_empty;
    if (!isEmpty && !(await engine.objects.readRef(path, `refs/heads/${branch}`))) {
      throw invalidRecord({
        base: [`Could not set the default branch. Do you have a branch named '${branch}' in your repository?`],
      });
    }
    await engine.storage.setDefaultBranch(path, branch);
    return { default_branch: branch };
  }

  @Handles(repositoryFacts)
  async facts({ project }: ContextOf<typeof repositoryFacts>, { project_id }: ParsedOf<typeof repositoryFacts>) {
    const { engine, path } = this.storages.locate({ id: project_id, storage: project!.storage });
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
    const { engine, path } = this.storages.locate({ id: project_id, storage: project!.storage });
    const commit = await engine.commits.find(path);
    return commit ? languageShares(engine, path, commit.treeId) : {};
  }
}

const readmeText = ({ title, text }: { title: string; text: string }): string =>
  `# ${title}\n${text ? `\n${text}\n` : ''}`;

/** A deleted project's repositories go with it. */
@Injectable()
export class DeletedProjects {
  constructor(private readonly storages: Storages) {}

  @OnEvent(projectDeleted)
  async removeRepositories({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    // Replicas with other storages see the event under their own name.
    if (!this.storages.names.includes(data.storage)) return;
    const engine = this.storages.engine(data.storage);
    await engine.remove(engine.storage.path(data.project_id));
    await engine.remove(engine.storage.path(data.project_id, 'wiki'));
  }
}
