import {
  type ContextOf,
  ciRefAccess,
  ciSource,
  mergeRequestRef,
  type ParsedOf,
  type ProjectRef,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { GitError } from '../../git/process/errors';
import { ProtectedRefs } from '../../protection/protected-ref.repository';
import { type Located, Storages } from '../../storage/storages';

type Source = ParsedOf<typeof ciSource>;

const noObject = '0'.repeat(40);

/** The head of a merge request is never protected: everyone who may push to its source branch may move it. */
const free = { may_update: true, is_protected: false };

/** Reads the source of pipelines for the ci service. */
@Controller()
export class CiSourceOperations {
  constructor(
    private readonly storages: Storages,
    private readonly protectedRefs: ProtectedRefs,
  ) {}

  @Handles(ciSource)
  async source({ project }: ContextOf<typeof ciSource>, input: Source) {
    const located = this.storages.locate(project);
    const found = await this.find(located, input);
    const commit = found?.commitId ? await located.engine.commits.get(located.path, found.commitId) : null;
    if (!found || !commit) return null;
    const rights = found.type === 'merge_request' ? free : await this.rightsTo(project, found.type, input);
    return {
      ref_type: found.type,
      ...rights,
      default_branch: await located.engine.storage.defaultBranch(located.path),
      commit: {
        id: commit.id,
        message: commit.message,
        author_name: commit.author.name,
        author_email: commit.author.email,
        committed_date: commit.committer.date,
      },
      before_sha: commit.parentIds[0] ?? noObject,
      ...(await this.textOf(located, commit.treeId, input.path, input.max_bytes)),
    };
  }

  @Handles(ciRefAccess)
  async refAccess({ project }: ContextOf<typeof ciRefAccess>, input: ParsedOf<typeof ciRefAccess>) {
    const found = await this.find(this.storages.locate(project), input);
    const { may_update } = await this.rightsTo(project, found?.type === 'tag' ? 'tag' : 'branch', input);
    return { may_update };
  }

  private async find({ engine, path }: Located, input: Pick<Source, 'ref' | 'ref_type' | 'merge_request_iid' | 'sha'>) {
    const { ref, ref_type, merge_request_iid, sha } = input;
    const pushed = sha === undefined ? null : await engine.objects.resolve(path, sha);
    if (sha !== undefined && pushed === null) return null;
    if (merge_request_iid !== undefined) {
      const head = await engine.objects.readRef(path, mergeRequestRef(merge_request_iid));
      return head && { type: 'merge_request' as const, commitId: pushed ?? head.id };
    }
    const branch = ref_type === 'tag' ? null : await engine.refs.find(path, 'heads', ref);
    if (branch) return { type: 'branch' as const, commitId: pushed ?? branch.commitId };
    const tag = ref_type === 'branch' ? null : await engine.refs.find(path, 'tags', ref);
    return tag && { type: 'tag' as const, commitId: pushed ?? tag.commitId };
  }

  private async rightsTo(
    { id, accessLevel }: ProjectRef,
    type: 'branch' | 'tag',
    { ref, is_admin }: Pick<Source, 'ref' | 'is_admin'>,
  ) {
    const protections = await this.protectedRefs.readProtections(id, { kind: type, names: [ref] });
    const actor = { accessLevel, isAdmin: is_admin };
    const mayUpdate =
      type === 'tag'
        ? protections.canCreateTag(ref, actor)
        : protections.canPush(ref, actor) || protections.canMerge(ref, actor);
    return { may_update: mayUpdate, is_protected: protections.isProtected(type, ref) };
  }

  private async textOf({ engine, path }: Located, treeId: string, file: string, maxBytes: number) {
    const none = { content: null, is_too_large: false };
    const entry = await engine.trees.find(path, treeId, file);
    if (entry?.type !== 'blob') return none;
    try {
      const blob = await engine.objects.read(path, entry.id, maxBytes);
      const text = blob?.content.toString('utf8');
      return blob && text !== undefined && Buffer.from(text).equals(blob.content) ? { ...none, content: text } : none;
    } catch (error) {
      if (error instanceof GitError && error.reason === 'object_too_large')
        return { content: null, is_too_large: true };
      throw error;
    }
  }
}
