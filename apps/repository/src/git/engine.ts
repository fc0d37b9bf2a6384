import { join } from 'node:path';
import { CommitWalk } from './history/commit-walk';
import { Reachability } from './history/reachability';
import { CommitReader } from './objects/commit-reader';
import { ObjectReader, type ObjectReaderOptions } from './objects/object-reader';
import { TreeReader } from './objects/tree';
import { GitQueue } from './process/git-queue';
import { GitRunner } from './process/run-git';
import { ArchiveWriter } from './read/archive';
import { BlameReader } from './read/blame';
import { ChangedFilesReader } from './read/changed-files';
import { CodeSearch } from './read/code-search';
import { CommitStatsReader } from './read/commit-stats';
import { CompareReader } from './read/compare';
import { ContributorReader } from './read/contributors';
import { DiffReader } from './read/diff';
import { FileReader } from './read/files';
import { IncomingReader } from './read/incoming';
import { LogReader } from './read/log';
import { MergeBaseReader } from './read/merge-base';
import { PatchWriter } from './read/patch';
import { SmallBlobReader } from './read/small-blobs';
import { StatisticsReader } from './read/statistics';
import { BranchStore } from './refs/branches';
import { type RefJournal, RefStore } from './refs/refs';
import { TagStore } from './refs/tags';
import { RepositoryMaintenance } from './storage/maintenance';
import { RepositoryStorage } from './storage/storage';
import { RepositoryCopier } from './transport/copy';
import { type ImportRules, RepositoryImporter } from './transport/import';
import { MirrorPusher } from './transport/push-mirror';
import { RemoteCommands } from './transport/remote-commands';
import { ReplicaSync } from './transport/replica';
import { RepositoryTar } from './transport/repository-tar';
import { GitTransport } from './transport/transport';
import { BranchAdvancer } from './write/advance-branch';
import { MergeWriter } from './write/merge';
import { CommitWriter } from './write/write-commit';

export interface GitEngineOptions {
  /** Name of the storage, as projects refer to it. */
  storageName: string;
  /** Folder of the bare repositories. */
  storageRoot: string;
  /** Short-lived processes of concurrent reads and writes. */
  processes?: GitQueue;
  /** Concurrent processes whose speed depends on the caller: clones, pushes, archives, large blobs, imports. */
  transfers?: GitQueue;
  /** If false, what git acknowledges may be lost in a crash of the machine. Default true. */
  fsync?: boolean;
  reader?: ObjectReaderOptions;
  imports?: ImportRules;
  journal?: RefJournal;
}

/** All operations on the repositories of one storage. One instance per process. */
export class GitEngine {
  readonly storage: RepositoryStorage;
  readonly objects: ObjectReader;
  readonly trees: TreeReader;
  readonly commits: CommitReader;
  readonly commitStats: CommitStatsReader;
  readonly changedFiles: ChangedFilesReader;
  readonly incoming: IncomingReader;
  readonly smallBlobs: SmallBlobReader;
  readonly reachability: Reachability;
  readonly log: LogReader;
  readonly files: FileReader;
  readonly blames: BlameReader;
  readonly codeSearch: CodeSearch;
  readonly diffs: DiffReader;
  readonly mergeBases: MergeBaseReader;
  readonly compares: CompareReader;
  readonly contributors: ContributorReader;
  readonly archives: ArchiveWriter;
  readonly patches: PatchWriter;
  readonly refs: RefStore;
  readonly branches: BranchStore;
  readonly tags: TagStore;
  readonly commitWriter: CommitWriter;
  readonly merges: MergeWriter;
  readonly copies: RepositoryCopier;
  readonly tars: RepositoryTar;
  readonly imports: RepositoryImporter;
  readonly mirrors: MirrorPusher;
  readonly remoteCommands: RemoteCommands;
  readonly replicas: ReplicaSync;
  readonly transport: GitTransport;
  readonly statistics: StatisticsReader;
  readonly maintenance: RepositoryMaintenance;

  private readonly runners: GitRunner[];

  constructor(options: GitEngineOptions) {
    const { fsync } = options;
    const git = new GitRunner(options.processes, { fsync });
    // Separate from the others, so that slow clients do not block reads.
    const transfers = new GitRunner(options.transfers, { fsync });
    this.runners = [git, transfers];
    this.storage = new RepositoryStorage(options.storageName, options.storageRoot, git);
    this.objects = new ObjectReader(transfers, options.reader);
    this.trees = new TreeReader(this.objects);
    this.commits = new CommitReader(this.objects);
    this.commitStats = new CommitStatsReader(git, this.objects);
    this.changedFiles = new ChangedFilesReader(git, this.objects, this.commits);
    this.incoming = new IncomingReader(git);
    this.smallBlobs = new SmallBlobReader(git, this.incoming, this.objects, this.commits, this.trees);
    this.reachability = new Reachability(git, this.objects, this.commits);
    this.log = new LogReader(git, this.objects, this.commits, new CommitWalk(this.commits));
    this.files = new FileReader(this.objects, this.commits, this.trees, this.log);
    this.blames = new BlameReader(git, this.commits, this.files);
    this.codeSearch = new CodeSearch(git, this.objects);
    this.diffs = new DiffReader(git, this.objects, this.commits);
    this.mergeBases = new MergeBaseReader(git, this.objects);
    this.compares = new CompareReader(this.objects, this.log, this.diffs, this.mergeBases);
    this.contributors = new ContributorReader(this.objects, this.log, this.commits, this.commitStats);
    this.archives = new ArchiveWriter(transfers, this.objects, this.commits, this.trees);
    this.patches = new PatchWriter(transfers, this.commits);
    this.refs = new RefStore(git, this.objects, options.journal);
    this.branches = new BranchStore(this.refs, this.objects, this.reachability, this.storage);
    this.tags = new TagStore(git, this.refs, this.objects);
    const advancer = new BranchAdvancer(this.objects, this.refs);
    this.commitWriter = new CommitWriter(git, this.objects, this.commits, this.log, advancer);
    this.merges = new MergeWriter(git, this.commits, advancer);
    this.copies = new RepositoryCopier(transfers, this.storage, this.objects);
    this.tars = new RepositoryTar(transfers, this.storage);
    this.imports = new RepositoryImporter(transfers, this.storage, options.imports);
    this.mirrors = new MirrorPusher(transfers);
    this.remoteCommands = new RemoteCommands(transfers);
    this.replicas = new ReplicaSync(transfers, this.storage, this.objects);
    this.transport = new GitTransport(transfers, join(options.storageRoot, '+hooks'));
    this.maintenance = new RepositoryMaintenance(this.objects);
    this.statistics = new StatisticsReader(this.storage, this.objects, this.log);
  }

  /** Cleans up after a crash and prepares for requests. */
  async start(): Promise<void> {
    await this.storage.removeLeftovers();
    await this.transport.prepare();
  }

  /**
   * Waits for open streams of a repository (transfers, archives, diffs), up to a time limit.
   * @returns whether all of them have ended
   */
  async settled(repository: string, patienceMs: number): Promise<boolean> {
    const settled = await Promise.all(this.runners.map((runner) => runner.settled(repository, patienceMs)));
    return settled.every(Boolean);
  }

  /** Deletes a repository and its cache entries. */
  async remove(repository: string): Promise<void> {
    await this.storage.remove(repository);
    this.objects.drop(repository);
  }

  /** Ends all long-lived processes. */
  close(): void {
    this.objects.close();
  }
}
