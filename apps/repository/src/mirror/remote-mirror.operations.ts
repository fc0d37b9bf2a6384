import {
  type ContextOf,
  commonErrors,
  createRemoteMirror,
  deleteRemoteMirror,
  getMirrorPublicKey,
  getRemoteMirror,
  listRemoteMirrors,
  mirrorErrors,
  type ParsedOf,
  syncRemoteMirror,
  updateRemoteMirror,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { newSshKeyPair, SecretBox } from '@moothall/secrets';
import { Controller } from '@nestjs/common';
import { GitError } from '../git/process/errors';
import { parseRemote } from '../git/transport/remote-address';
import { GitOutbound } from '../outbound/git-outbound';
import { knownHostsOf } from './host-keys';
import { MirrorPushes } from './mirror-pushes';
import { RemoteMirrors } from './remote-mirror.repository';
import type { RemoteMirror } from './remote-mirror.schema';
import { maskedUrl, viewMirror } from './remote-mirror.view';

const maxMirrors = 20;

@Controller()
export class RemoteMirrorOperations {
  constructor(
    private readonly mirrors: RemoteMirrors,
    private readonly pushes: MirrorPushes,
    private readonly outbound: GitOutbound,
    private readonly box: SecretBox,
  ) {}

  @Handles(listRemoteMirrors)
  async list({ project }: ContextOf<typeof listRemoteMirrors>, input: ParsedOf<typeof listRemoteMirrors>) {
    const { items, total } = await this.mirrors.page(project.id, input);
    return { items: items.map(viewMirror), total };
  }

  @Handles(getRemoteMirror)
  async get({ project }: ContextOf<typeof getRemoteMirror>, { mirror_id }: ParsedOf<typeof getRemoteMirror>) {
    return viewMirror(await this.mirrors.get(project.id, mirror_id));
  }

  @Handles(createRemoteMirror)
  async create({ project }: ContextOf<typeof createRemoteMirror>, input: ParsedOf<typeof createRemoteMirror>) {
    const url = parse(input.url);
    if (!(await this.outbound.isPermitted(url)))
      throw mirrorErrors.urlBlocked({ url: ['is blocked: Requests to the local network are not allowed'] });
    if ((await this.mirrors.count(project.id)) >= maxMirrors) throw mirrorErrors.tooMany();
    const now = new Date();
    const mirror = await this.mirrors.add({
      projectId: project.id,
      storage: project.storage,
      sealedUrl: this.box.seal(url.href),
      shownUrl: maskedUrl(url),
      sshKey: url.protocol === 'ssh:' ? this.makeKey() : null,
      knownHosts: knownHostsOf(url, input.host_keys ?? []),
      isEnabled: input.enabled ?? false,
      onlyProtectedBranches: input.only_protected_branches ?? false,
      keepsDivergentRefs: input.keep_divergent_refs ?? false,
      // Stored with the mirror: a retry after a failed second write would create another mirror.
      ...(input.enabled && { wantedAt: now, dueAt: now, status: 'scheduled' }),
    });
    await this.pushes.begin(mirror);
    return viewMirror(mirror);
  }

  @Handles(updateRemoteMirror)
  async update({ project }: ContextOf<typeof updateRemoteMirror>, input: ParsedOf<typeof updateRemoteMirror>) {
    const mirror = await this.mirrors.get(project.id, input.mirror_id);
    const { enabled, only_protected_branches, keep_divergent_refs } = input;
    const isSwitchedOn = enabled === true && !mirror.isEnabled;
    const changes: Partial<RemoteMirror> = {
      ...(enabled !== undefined && { isEnabled: enabled }),
      ...(enabled === false && { dueAt: null, wantedAt: null }),
      ...(only_protected_branches !== undefined && { onlyProtectedBranches: only_protected_branches }),
      ...(keep_divergent_refs !== undefined && { keepsDivergentRefs: keep_divergent_refs }),
      ...(input.host_keys && { knownHosts: knownHostsOf(new URL(this.box.open(mirror.sealedUrl)), input.host_keys) }),
    };
    const changed = isSwitchedOn
      ? await this.pushes.want(mirror, project.storage, { changes })
      : await this.mirrors.change(mirror._id, changes);
    return viewMirror(changed);
  }

  @Handles(deleteRemoteMirror)
  async remove({ project }: ContextOf<typeof deleteRemoteMirror>, { mirror_id }: ParsedOf<typeof deleteRemoteMirror>) {
    await this.mirrors.remove((await this.mirrors.get(project.id, mirror_id))._id);
  }

  @Handles(syncRemoteMirror)
  async sync({ project }: ContextOf<typeof syncRemoteMirror>, { mirror_id }: ParsedOf<typeof syncRemoteMirror>) {
    const mirror = await this.mirrors.get(project.id, mirror_id);
    if (!mirror.isEnabled) throw commonErrors.badRequest('400 Bad request - Mirror is not enabled');
    await this.pushes.want(mirror, project.storage, { isUrgent: true });
  }

  @Handles(getMirrorPublicKey)
  async publicKey({ project }: ContextOf<typeof getMirrorPublicKey>, input: ParsedOf<typeof getMirrorPublicKey>) {
    const { sshKey } = await this.mirrors.get(project.id, input.mirror_id);
    if (!sshKey) throw commonErrors.notFound();
    return { public_key: sshKey.publicKey };
  }

  private makeKey() {
    const pair = newSshKeyPair('ed25519', 'mirror');
    return { publicKey: pair.public, sealedPrivateKey: this.box.seal(pair.private) };
  }
}

/** @throws mirror.url_blocked */
function parse(text: string): URL {
  try {
    return parseRemote(text);
  } catch (error) {
    throw error instanceof GitError ? mirrorErrors.urlBlocked() : error;
  }
}
