import {
  type ContextOf,
  createSecureFile,
  deleteSecureFile,
  downloadSecureFile,
  forbidden,
  getSecureFile,
  listSecureFiles,
  type ParsedOf,
  secureFileLimit,
  type SecureFile as View,
} from '@moothall/contracts';
import { UploadedFiles } from '@moothall/data-port';
import { Handles, OperationClient, removeIfDeleted } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { SecureFiles } from '../secure-file.repository';
import type { SecureFile } from '../secure-file.schema';
import { ServeSecureFiles } from '../serve-secure-files';

/** Secure files of a project for its CI jobs. See docs/api/packages.md#5. */
@Controller()
export class SecureFileOperations {
  constructor(
    private readonly files: SecureFiles,
    private readonly served: ServeSecureFiles,
    private readonly uploads: UploadedFiles,
    private readonly client: OperationClient,
  ) {}

  @Handles(listSecureFiles)
  async list({ project }: ContextOf<typeof listSecureFiles>, input: ParsedOf<typeof listSecureFiles>) {
    const page = await this.files.page(project.id, input);
    return { ...page, items: page.items.map(view) };
  }

  @Handles(getSecureFile)
  async get({ project }: ContextOf<typeof getSecureFile>, { secure_file_id }: ParsedOf<typeof getSecureFile>) {
    return view(await this.files.get(project.id, secure_file_id));
  }

  @Handles(downloadSecureFile)
  async download(
    { project }: ContextOf<typeof downloadSecureFile>,
    { secure_file_id }: ParsedOf<typeof downloadSecureFile>,
  ) {
    return this.served.address(await this.files.get(project.id, secure_file_id));
  }

  @Handles(createSecureFile)
  async create({ project }: ContextOf<typeof createSecureFile>, { name, file }: ParsedOf<typeof createSecureFile>) {
    if (project.isArchived) throw forbidden();
    const made = await this.files.add({ projectId: project.id, name }, this.uploads.open(file, secureFileLimit));
    await removeIfDeleted(this.client, project.id, () => this.files.removeOfProject(project.id));
    return view(made);
  }

  @Handles(deleteSecureFile)
  async remove(
    { project }: ContextOf<typeof deleteSecureFile>,
    { secure_file_id }: ParsedOf<typeof deleteSecureFile>,
  ): Promise<void> {
    if (project.isArchived) throw forbidden();
    await this.files.removeOne(project.id, secure_file_id);
  }
}

const view = ({ _id, name, sha256, createdAt, metadata }: SecureFile): View => ({
  id: _id,
  name,
  checksum: sha256,
  checksum_algorithm: 'sha256',
  created_at: createdAt.toISOString(),
  expires_at: metadata?.expires_at ?? null,
  metadata,
  file_extension: /[^.]\.([^.]+)$/.exec(name)?.[1] ?? null,
});
