import { randomBytes } from 'node:crypto';
import {
  Access,
  attachmentLimit,
  type ContextOf,
  commonErrors,
  deleteUpload,
  forbidden,
  getUpload,
  getUploadById,
  listUploads,
  type ParsedOf,
  uploadFile,
} from '@moothall/contracts';
import { DataPort, UploadedFiles } from '@moothall/data-port';
import { Handles } from '@moothall/messaging';
import { ObjectStorage, sendObject } from '@moothall/object-storage';
import { UserDirectory, type UserRecord } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { InstanceSettings } from '../../instance/application-settings/instance-settings';
import type { UploadDocument } from '../upload.schema';
import { keyOf, StoredUploads } from './stored-uploads';

/** Types that browsers may display: images without scripts. */
const inline = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp', 'image/tiff']);

const viewUpload = (upload: UploadDocument, by: UserRecord | undefined) => ({
  id: upload._id,
  size: upload.sizeBytes,
  filename: upload.filename,
  created_at: upload.createdAt.toISOString(),
  uploaded_by: by ? { id: by.id, name: by.name, username: by.username } : null,
});

/** Files that texts of a project refer to. */
@Controller()
export class Uploads {
  constructor(
    private readonly uploads: StoredUploads,
    private readonly users: UserDirectory,
    private readonly settings: InstanceSettings,
    private readonly dataPort: DataPort,
    private readonly files: UploadedFiles,
    storage: ObjectStorage,
  ) {
    dataPort.serve<UploadDocument>('project-upload', async (upload, request, response) => {
      const isInline = inline.has(upload.contentType);
      // Other files are downloads, whatever type the uploader declared.
      const contentType = isInline ? upload.contentType : 'application/octet-stream';
      const shown = { contentType, filename: upload.filename, isInline };
      await sendObject(storage, { key: keyOf(upload), ...shown }, request, response);
    });
  }

  @Handles(uploadFile)
  async create({ project, caller }: ContextOf<typeof uploadFile>, { file }: ParsedOf<typeof uploadFile>) {
    if (project.isArchived || (project.visibility === 'private' && project.accessLevel < Access.Guest))
      throw forbidden();
    const sent = this.files.open(file, await this.settings.limit(attachmentLimit));
    const upload = {
      _id: randomBytes(16).toString('hex'),
      projectId: project.id,
      filename: sent.filename.replace(/[\\/\0\r\n"]/g, '_').slice(-200) || 'file',
      contentType: sent.contentType,
      userId: caller.id,
    };
    await this.uploads.add(upload, sent);
    const name = encodeURIComponent(upload.filename);
    const isShown = inline.has(upload.contentType);
    const alt = isShown ? upload.filename.replace(/\.[^.]*$/, '') : upload.filename;
    const url = `/uploads/${upload._id}/${name}`;
    const markdown = `${isShown ? '!' : ''}[${alt}](${url})`;
    return { id: upload._id, alt, url, full_path: `/-/project/${project.id}${url}`, markdown };
  }

  @Handles(getUpload)
  async get({ project }: ContextOf<typeof getUpload>, input: ParsedOf<typeof getUpload>) {
    const upload = await this.uploads.find(project.id, input.secret, input.filename);
    if (!upload) throw commonErrors.notFound();
    return this.dataPort.presign('project-upload', upload);
  }

  @Handles(listUploads)
  async list({ project }: ContextOf<typeof listUploads>, input: ParsedOf<typeof listUploads>) {
    const { items, total } = await this.uploads.page(project.id, input);
    const users = await this.users.records(items.map(({ userId }) => userId));
    return { items: items.map((upload) => viewUpload(upload, users.get(upload.userId))), total };
  }

  @Handles(getUploadById)
  async getById({ project }: ContextOf<typeof getUploadById>, { upload_id }: ParsedOf<typeof getUploadById>) {
    const upload = await this.uploads.find(project.id, upload_id);
    if (!upload) throw commonErrors.notFound();
    return this.dataPort.presign('project-upload', upload);
  }

  @Handles(deleteUpload)
  async delete({ project }: ContextOf<typeof deleteUpload>, input: ParsedOf<typeof deleteUpload>): Promise<void> {
    const { upload_id, secret = '', filename } = input;
    const upload = await this.uploads.find(project.id, upload_id ?? secret, filename);
    if (!upload) throw commonErrors.notFound();
    await this.uploads.remove(upload);
  }
}
