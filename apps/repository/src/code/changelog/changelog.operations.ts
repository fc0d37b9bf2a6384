import {
  addChangelog,
  type ContextOf,
  contentErrors,
  getChangelog,
  type ParsedOf,
  type ProjectRef,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller, UseInterceptors } from '@nestjs/common';
import { CodeWriter, requireWritable } from '../../push/code-writer';
import { FairReads } from '../../storage/fair-reads';
import { type Located, Storages } from '../../storage/storages';
import { addSection, entriesOf, renderSection } from './changelog';
import { type ChangelogConfig, failed, formatDay, largestConfig, readConfig } from './changelog-config';
import { compareVersions, readVersion, type Version } from './version';

type Asked = ParsedOf<typeof getChangelog>;

/** Limit of commits; more than a release has. */
const mostCommits = 15_000;
const largestChangelog = 5 << 20;

/** Changelog sections, generated from a trailer in commit messages. See docs/api/repository.md#13. */
@Controller()
@UseInterceptors(FairReads)
export class ChangelogOperations {
  constructor(
    private readonly storages: Storages,
    private readonly writer: CodeWriter,
  ) {}

  @Handles(getChangelog)
  async get({ project }: ContextOf<typeof getChangelog>, input: ParsedOf<typeof getChangelog>) {
    return { notes: await this.make(project, versionOf(input), input, input.to) };
  }

  @Handles(addChangelog)
  async add(context: ContextOf<typeof addChangelog>, input: ParsedOf<typeof addChangelog>): Promise<void> {
    const { project } = context;
    requireWritable(project);
    const located = this.storages.locate(project);
    const branch = input.branch ?? (await located.engine.storage.defaultBranch(located.path));
    if (!branch) throw contentErrors.commitNotFound();
    const version = versionOf(input);
    const section = await this.make(project, version, input, input.to ?? `refs/heads/${branch}`);
    const before = await readText(located, `refs/heads/${branch}`, input.file, largestChangelog);
    await this.writer.commit(context, {
      branch,
      message: input.message ?? `Add changelog for version ${version.text}`,
      actions: [
        {
          action: before ? 'update' : 'create',
          filePath: input.file,
          content: addSection(before?.text ?? '', version, section),
          // A concurrent commit to the file is not overwritten.
          lastCommitId: before?.lastCommitId,
        },
      ],
    });
  }

  private async make(project: ProjectRef, version: Version, input: Asked, to: string | undefined): Promise<string> {
    const located = this.storages.locate(project);
    const { engine, path } = located;
    const last = await engine.commits.find(path, to);
    if (!last) throw contentErrors.commitNotFound();
    const file = await readText(located, input.config_file_ref, input.config_file, largestConfig);
    const config = readConfig(file?.text);
    const not = await this.startOf(located, version, config, input.from);
    const commits = await engine.log.list(path, { from: last.id, not: [not], order: 'topo', limit: mostCommits + 1 });
    if (commits.length > mostCommits) throw failed(`there are more than ${mostCommits} commits`);
    return renderSection({
      ...{ version: version.text, date: formatDay(input.date ? new Date(input.date) : new Date(), config.dateFormat) },
      ...{ entries: entriesOf(commits, input.trailer), project: project.fullPath, categories: config.categories },
    });
  }

  /** The commit after which the section begins: as requested, or that of the previous release. */
  private async startOf(
    { engine, path }: Located,
    version: Version,
    config: ChangelogConfig,
    from: string | undefined,
  ): Promise<string> {
    if (from !== undefined) {
      const commit = await engine.commits.find(path, from);
      if (!commit) throw contentErrors.commitNotFound();
      return commit.id;
    }
    const released = (await engine.refs.list(path, 'tags')).flatMap(({ name, commitId }) => {
      const found = readVersion(config.versionOf(name) ?? '');
      // Pre-releases are not releases.
      if (!found || found.before !== undefined || !commitId) return [];
      return compareVersions(found, version) < 0 ? [{ found, commitId }] : [];
    });
    const [previous] = released.sort((a, b) => compareVersions(b.found, a.found));
    if (!previous)
      throw failed('The commit start range is unspecified, and no previous tag could be found to use instead');
    return previous.commitId;
  }
}

const versionOf = ({ version }: Asked): Version => {
  const read = readVersion(version);
  if (!read) throw failed('the version is none');
  return read;
};

/** A text file; undefined if it does not exist or the repository is empty. */
async function readText({ engine, path }: Located, ref: string | undefined, file: string, maxBytes: number) {
  const commit = await engine.commits.find(path, ref);
  const entry = commit && (await engine.trees.find(path, commit.treeId, file));
  if (!commit || entry?.type !== 'blob') return undefined;
  const blob = await engine.objects.read(path, entry.id, maxBytes);
  if (!blob) return undefined;
  return {
    text: blob.content.toString(),
    lastCommitId: (await engine.log.lastCommitOf(path, commit.id, file)) ?? commit.id,
  };
}
