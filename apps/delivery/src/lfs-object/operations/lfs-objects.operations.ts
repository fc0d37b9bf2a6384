import {
  type ContextOf,
  copyLfsObjects,
  downloadLfsObject,
  findLfsObjects,
  forbidden,
  lfsErrors,
  lfsObjectSizes,
  listLfsObjects,
  missingLfsObjects,
  type OutputOf,
  type ParsedOf,
  uploadLfsObject,
  verifyLfsObject,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { LfsContents } from '../lfs-content.repository';
import { LfsObjects } from '../lfs-object.repository';
import { ReceiveLfsObjects } from '../receive-lfs-objects';
import { ServeLfsObjects } from '../serve-lfs-objects';

type State = OutputOf<typeof findLfsObjects>[number]['state'];

/** Objects of Git LFS; the gateway calls these operations for git-lfs. See docs/api/lfs.md#2. */
@Controller()
export class LfsObjectOperations {
  constructor(
    private readonly objects: LfsObjects,
    private readonly contents: LfsContents,
    private readonly receiving: ReceiveLfsObjects,
    private readonly served: ServeLfsObjects,
  ) {}

  @Handles(findLfsObjects)
  async find({ project }: ContextOf<typeof findLfsObjects>, input: ParsedOf<typeof findLfsObjects>) {
    const { objects: asked, to_upload, most_bytes } = input;
    const known = await this.objects.among(
      project.id,
      asked.map(({ oid }) => oid),
    );
    const ids = [...known.values()].map(({ contentId }) => contentId);
    // A client that skips the upload relies on it, so the content must stay.
    const there = to_upload ? await this.contents.holdAll(ids) : await this.contents.there(ids);
    let room = to_upload ? await this.receiving.room(project.id) : 0;
    return asked.map(({ oid, size }) => {
      const found = known.get(oid);
      const answer = (state: State) => ({ oid, size, state });
      if (found && there.has(found.contentId))
        return found.sizeBytes === size ? answer('there') : answer('of_other_size');
      if (!to_upload) return answer('missing');
      if (size > most_bytes) return answer('too_large');
      if (size > room) return answer('project_full');
      room -= size;
      return answer('missing');
    });
  }

  @Handles(missingLfsObjects)
  async missing(_: ContextOf<typeof missingLfsObjects>, { project_id, oids }: ParsedOf<typeof missingLfsObjects>) {
    const known = await this.objects.among(project_id, oids);
    const there = await this.contents.there([...known.values()].map(({ contentId }) => contentId));
    return oids.filter((oid) => !there.has(known.get(oid)?.contentId ?? 0));
  }

  @Handles(uploadLfsObject)
  async upload({ project }: ContextOf<typeof uploadLfsObject>, input: ParsedOf<typeof uploadLfsObject>) {
    if (project.isArchived) throw forbidden();
    const { oid, size: sizeBytes, most_bytes } = input;
    if (sizeBytes > most_bytes) throw lfsErrors.tooLarge();
    return this.receiving.address({ projectId: project.id, oid, sizeBytes });
  }

  @Handles(downloadLfsObject)
  async download({ project }: ContextOf<typeof downloadLfsObject>, { oid }: ParsedOf<typeof downloadLfsObject>) {
    const object = await this.objects.find(project.id, oid);
    const content = object && (await this.contents.find(object.contentId));
    if (!content) throw lfsErrors.objectNotFound();
    return this.served.address(content);
  }

  @Handles(verifyLfsObject)
  async verify({ project }: ContextOf<typeof verifyLfsObject>, { oid, size }: ParsedOf<typeof verifyLfsObject>) {
    const object = await this.objects.find(project.id, oid);
    if (!object) throw lfsErrors.objectNotFound();
    if (object.sizeBytes !== size) throw lfsErrors.wrongContent();
  }

  @Handles(copyLfsObjects)
  async copy(_: ContextOf<typeof copyLfsObjects>, { project_id, from_project_id }: ParsedOf<typeof copyLfsObjects>) {
    for await (const some of this.objects.ofProject(from_project_id)) {
      await this.objects.giveAll(project_id, some);
      const held = await this.contents.holdAll(some.map(({ contentId }) => contentId));
      const gone = some.filter(({ contentId }) => !held.has(contentId));
      if (gone.length > 0)
        await this.objects.take(
          project_id,
          gone.map(({ oid }) => oid),
        );
    }
  }

  @Handles(listLfsObjects)
  async list({ project }: ContextOf<typeof listLfsObjects>, { after, limit }: ParsedOf<typeof listLfsObjects>) {
    const some = await this.objects.someOf(project.id, after, limit);
    return some.map(({ oid, sizeBytes }) => ({ oid, size: sizeBytes }));
  }

  @Handles(lfsObjectSizes)
  async sizes(_: ContextOf<typeof lfsObjectSizes>, { project_ids }: ParsedOf<typeof lfsObjectSizes>) {
    const sizes = await this.objects.sizes(project_ids);
    return [...sizes].map(([project_id, size_bytes]) => ({ project_id, size_bytes }));
  }
}
