import {
  Access,
  type Caller,
  type ContextOf,
  deletePackage,
  deletePackageFile,
  forbidden,
  getPackage,
  listGroupPackages,
  listPackageFiles,
  listProjectPackages,
  type ParsedOf,
  type ProjectRef,
  packageSizes,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { ProjectsBelow } from '../../project/projects-below';
import { Packages } from '../package.repository';
import { viewFile, viewPackage } from '../package.view';
import { PackageFiles } from '../package-file.repository';
import { PackageProtectionRules } from '../package-protection-rules';
import { RemovePackages } from '../remove-packages';

/** Reads and deletes packages of all kinds. */
@Controller()
export class PackageOperations {
  private readonly externalUrl: string;

  constructor(
    private readonly packages: Packages,
    private readonly files: PackageFiles,
    private readonly protection: PackageProtectionRules,
    private readonly removal: RemovePackages,
    private readonly below: ProjectsBelow,
    @Inject(settingsToken) settings: ServiceSettings,
  ) {
    this.externalUrl = settings.EXTERNAL_URL.replace(/\/$/, '');
  }

  @Handles(listProjectPackages)
  async list({ project }: ContextOf<typeof listProjectPackages>, input: ParsedOf<typeof listProjectPackages>) {
    const page = await this.packages.page([project.id], input);
    return { ...page, items: page.items.map((one) => viewPackage(one, project, this.externalUrl)) };
  }

  @Handles(listGroupPackages)
  async ofGroup({ group, caller }: ContextOf<typeof listGroupPackages>, input: ParsedOf<typeof listGroupPackages>) {
    const { exclude_subgroups, ...wanted } = input;
    const page = await this.packages.page(await this.openBelow(group.id, caller, exclude_subgroups), wanted);
    const projects = await this.below.refs([...new Set(page.items.map(({ projectId }) => projectId))], caller);
    // A package whose project was just deleted is left out.
    const items = page.items.flatMap((one) => {
      const project = projects.get(one.projectId);
      if (!project) return [];
      const view = viewPackage(one, project, this.externalUrl);
      return [{ ...view, project_id: project.id, project_path: project.fullPath }];
    });
    return { ...page, items };
  }

  @Handles(getPackage)
  async get({ project }: ContextOf<typeof getPackage>, { package_id }: ParsedOf<typeof getPackage>) {
    const view = viewPackage(await this.packages.get(project.id, package_id), project, this.externalUrl);
    return { ...view, pipelines: [], versions: [] };
  }

  @Handles(deletePackage)
  async remove({ project, caller }: ContextOf<typeof deletePackage>, { package_id }: ParsedOf<typeof deletePackage>) {
    if (project.isArchived) throw forbidden();
    const { name } = await this.packages.get(project.id, package_id);
    await this.protection.requireDeletion(project, caller, name);
    await this.removal.remove(project.id, package_id);
  }

  @Handles(listPackageFiles)
  async listFiles({ project }: ContextOf<typeof listPackageFiles>, input: ParsedOf<typeof listPackageFiles>) {
    const { _id } = await this.packages.get(project.id, input.package_id);
    const page = await this.files.page(_id, input);
    return { ...page, items: page.items.map((file) => viewFile(file, _id)) };
  }

  @Handles(deletePackageFile)
  async removeFile(
    { project, caller }: ContextOf<typeof deletePackageFile>,
    input: ParsedOf<typeof deletePackageFile>,
  ) {
    if (project.isArchived) throw forbidden();
    const { _id, name } = await this.packages.get(project.id, input.package_id);
    await this.protection.requireDeletion(project, caller, name);
    await this.files.removeOne(_id, input.package_file_id);
  }

  @Handles(packageSizes)
  async sizes(_: ContextOf<typeof packageSizes>, { project_ids }: ParsedOf<typeof packageSizes>) {
    const sizes = await this.files.sizes(project_ids);
    return [...sizes].map(([project_id, size_bytes]) => ({ project_id, size_bytes }));
  }

  private async openBelow(groupId: number, caller: Caller | undefined, onlyOwn: boolean): Promise<number[]> {
    const open = await this.below.ids(groupId, caller, readsPackages);
    if (!onlyOwn) return open;
    const projects = await this.below.refs(open, caller);
    return open.filter((id) => projects.get(id)?.groupIds[0] === groupId);
  }
}

const readsPackages = ({ visibility, accessLevel }: Pick<ProjectRef, 'visibility' | 'accessLevel'>): boolean =>
  visibility !== 'private' || accessLevel >= Access.Reporter;
