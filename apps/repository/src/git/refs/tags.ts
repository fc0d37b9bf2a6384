import { parseTag, type Signature } from '../objects/commit';
import type { ObjectReader } from '../objects/object-reader';
import { formatSignature, type Person } from '../objects/person';
import { isBranchOrTagName } from '../objects/revision';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import { matches, type Ref, type RefStore } from './refs';

/** A tag; `targetId` is the tag object's id if it is annotated, else the commit's. */
export interface Tag extends Ref {
  /** Null for tags that are not annotated. */
  message: string | null;
  tagger: Signature | null;
}

/** Tags of a repository. @see docs/api/repository.md#7 */
export class TagStore {
  constructor(
    private readonly git: GitRunner,
    private readonly refs: RefStore,
    private readonly objects: ObjectReader,
  ) {}

  /** All tags by name, optionally those that match `search` ({@link matches}). */
  async list(repository: string, search?: string): Promise<Tag[]> {
    const refs = await this.refs.list(repository, 'tags');
    const wanted = search ? refs.filter(({ name }) => matches(name, search)) : refs;
    return Promise.all(wanted.map((ref) => this.describe(repository, ref)));
  }

  /** @throws tag_not_found */
  async get(repository: string, name: string): Promise<Tag> {
    const ref = await this.refs.find(repository, 'tags', name);
    if (!ref) throw new GitError('tag_not_found');
    return this.describe(repository, ref);
  }

  /**
   * @param annotation creates an annotated tag; without it a lightweight one
   * @throws tag_name_invalid, tag_exists, revision_unknown, ref_conflict
   */
  async create(
    repository: string,
    name: string,
    from: string,
    annotation?: { message: string; tagger: Person },
  ): Promise<Tag> {
    if (!isBranchOrTagName(name)) throw new GitError('tag_name_invalid');
    const refName = `refs/tags/${name}`;
    if (await this.objects.readRef(repository, refName)) throw new GitError('tag_exists', name);
    const commit = await this.objects.resolve(repository, from);
    if (!commit) throw new GitError('revision_unknown', from);
    const target = annotation ? await this.writeTag(repository, name, commit, annotation) : commit;
    await this.refs.create(repository, refName, target, new GitError('tag_exists', name));
    return this.get(repository, name);
  }

  /** @throws tag_not_found */
  async remove(repository: string, name: string): Promise<Ref> {
    const tag = await this.get(repository, name);
    await this.refs.update(repository, [{ refName: `refs/tags/${name}`, before: tag.targetId, after: null }]);
    return tag;
  }

  private async writeTag(
    repository: string,
    name: string,
    commit: string,
    annotation: { message: string; tagger: Person },
  ): Promise<string> {
    const head = [`object ${commit}`, 'type commit', `tag ${name}`, `tagger ${formatSignature(annotation.tagger)}`];
    const input = `${head.join('\n')}\n\n${annotation.message.trimEnd()}\n`;
    return (await this.git.text(repository, ['hash-object', '-t', 'tag', '-w', '--stdin'], { input })).trim();
  }

  private async describe(repository: string, ref: Ref): Promise<Tag> {
    if (ref.targetType !== 'tag') return { ...ref, message: null, tagger: null };
    const object = await this.objects.require(repository, ref.targetId);
    const { message, tagger } = parseTag(object.content);
    return { ...ref, message: message.trimEnd(), tagger };
  }
}
