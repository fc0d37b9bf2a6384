import { createHash } from 'node:crypto';
import {
  callerInput,
  downloadLfsObject,
  listLfsObjects,
  type OutputOf,
  type ProjectRef,
  projectRefs,
} from '@moothall/contracts';
import { fetchBytes } from '@moothall/data-port';
import { OperationClient } from '@moothall/messaging';
import { OutboundPolicies } from '@moothall/outbound';
import { Injectable } from '@nestjs/common';
import {
  endpointOf,
  type LfsAction,
  type LfsAnswer,
  type LfsRemote,
  postJson,
  withEach,
  writeObject,
} from '../lfs/lfs-remote';

type LfsObject = OutputOf<typeof listLfsObjects>[number];

/** Sends LFS objects to a mirror, before the commits that point to them. See docs/api/lfs.md#4. */
@Injectable()
export class MirrorLfsObjects {
  constructor(
    private readonly client: OperationClient,
    private readonly policies: OutboundPolicies,
  ) {}

  /**
   * @param repository URL of the mirror
   * @param known the last return value; while the project has no other objects, no request is made
   * @param endpoint the batch endpoint; for http and https git-lfs has a default
   * @returns a digest of all current objects
   * @throws Error with a message for users
   */
  async send(
    projectId: number,
    repository: URL,
    known: string,
    signal: AbortSignal,
    endpoint: () => Promise<LfsAction> = async () => endpointOf(repository),
  ): Promise<string> {
    const [project] = await this.client.call(projectRefs, { ids: [projectId], ...callerInput(undefined) });
    if (!project?.lfsEnabled) return known;
    const digest = await this.digestOf(project);
    if (digest === known) return known;
    const policy = await this.policies.ofServices();
    const remote = { repository, policy, signal, endpoint };
    for await (const objects of this.pages(project))
      await withEach(objects, 'upload', remote, (object, answer) => this.sendObject(object, answer, project, remote));
    return digest;
  }

  /** Empty for a project without objects. */
  private async digestOf(project: ProjectRef): Promise<string> {
    const hash = createHash('sha256');
    let isEmpty = true;
    for await (const objects of this.pages(project)) {
      for (const { oid } of objects) hash.update(oid);
      isEmpty &&= objects.length === 0;
    }
    return isEmpty ? '' : hash.digest('hex');
  }

  private async *pages(project: ProjectRef): AsyncGenerator<LfsObject[]> {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const objects: LfsObject[] = await this.client.call(listLfsObjects, { after }, { project });
      yield objects;
      after = objects.at(-1)?.oid;
    }
  }

  /** The other server does not request objects that it has. */
  private async sendObject(
    { oid, size }: LfsObject,
    answer: LfsAnswer | undefined,
    project: ProjectRef,
    remote: LfsRemote,
  ): Promise<void> {
    if (answer?.error) throw new Error(`${oid}: ${answer.error.message}`);
    const { upload, verify } = answer?.actions ?? {};
    if (!upload) return;
    const stream = await fetchBytes(await this.client.call(downloadLfsObject, { oid }, { project }));
    // Its project was just deleted.
    if (!stream) throw new Error(`${oid} no longer exists`);
    await writeObject(upload, remote, { stream, sizeBytes: size });
    if (verify) await postJson(verify, { oid, size }, remote);
  }
}
