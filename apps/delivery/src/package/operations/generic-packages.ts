import {
  type ContextOf,
  commonErrors,
  downloadGenericPackage,
  forbidden,
  type ParsedOf,
  packageErrors,
  packageFileLimit,
  uploadGenericPackage,
} from '@moothall/contracts';
import { UploadedFiles } from '@moothall/data-port';
import { Handles, KnownPlanLimits, OperationClient, removeIfDeleted } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { Packages } from '../package.repository';
import { viewFile } from '../package.view';
import { PackageFiles } from '../package-file.repository';
import { PackageProtectionRules } from '../package-protection-rules';
import { ServePackageFiles } from '../serve-package-files';

type Upload = ParsedOf<typeof uploadGenericPackage>;

/** Uploads and downloads of generic packages. */
@Controller()
export class GenericPackages {
  constructor(
    private readonly packages: Packages,
    private readonly files: PackageFiles,
    private readonly protection: PackageProtectionRules,
    private readonly served: ServePackageFiles,
    private readonly uploads: UploadedFiles,
    private readonly client: OperationClient,
    private readonly limits: KnownPlanLimits,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  /**
   * The bytes are stored first, then the package, then its file: an interrupted upload leaves no package, a crash after
   * that perhaps one without files, and a package that is removed meanwhile takes its file with it.
   */
  @Handles(uploadGenericPackage)
  async upload(
    { project, caller }: ContextOf<typeof uploadGenericPackage>,
    input: ParsedOf<typeof uploadGenericPackage>,
  ) {
    if (project.isArchived) throw forbidden();
    const { package_name: name, package_version: version, file_name } = input;
    await this.protection.requirePush(project, caller, name);
    const bytes = await this.limits.most(packageFileLimit.bytes.plan);
    const sent = this.uploads.open(input.file, { ...packageFileLimit, bytes });
    const file = await this.files.receive({ projectId: project.id, name: file_name }, sent);
    try {
      const creatorId = caller.credential === 'deploy_token' ? null : caller.id;
      const own = await this.packages.findOrMake({ projectId: project.id, name, version }, creatorId, input.status);
      await this.files.assign(file, own._id);
      if (!(await this.packages.isThere(own._id))) throw commonErrors.unavailable();
      await this.files.place(file);
      await removeIfDeleted(this.client, project.id, () => this.forgetProject(project.id));
      if (input.select !== 'package_file') return { message: '201 Created' as const };
      const { pipelines: _, ...view } = viewFile(file, own._id);
      return {
        ...view,
        updated_at: view.created_at,
        file_store: 1 as const,
        file: { url: this.urlOf(project.id, input) },
      };
    } catch (error) {
      await this.files.giveUp(file);
      throw error;
    }
  }

  @Handles(downloadGenericPackage)
  async download(
    { project }: ContextOf<typeof downloadGenericPackage>,
    { package_name: name, package_version: version, file_name }: ParsedOf<typeof downloadGenericPackage>,
  ) {
    const own = await this.packages.find({ projectId: project.id, name, version });
    if (!own) throw packageErrors.fileNotFound();
    return this.served.address(await this.files.newest(own._id, file_name));
  }

  /** Removes the packages of a deleted project. */
  private async forgetProject(id: number): Promise<void> {
    await this.packages.forgetProject(id);
    await this.files.removeOfProject(id);
  }

  private urlOf(projectId: number, { package_name, package_version, file_name }: Upload): string {
    const place = `${this.settings.EXTERNAL_URL.replace(/\/$/, '')}/api/v4/projects/${projectId}/packages/generic`;
    return `${place}/${package_name}/${package_version}/${file_name}`;
  }
}
