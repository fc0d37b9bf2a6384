import {
  Access,
  type Caller,
  type ContextOf,
  callerInput,
  getInstanceTemplate,
  getLicense,
  getProjectTemplate,
  isFeatureOpen,
  isReadable,
  listInstanceTemplates,
  listLicenses,
  listProjectTemplates,
  namedNotFound,
  type ParsedOf,
  type ProjectRef,
  pageOf,
  present,
  reaches,
  resolveProject,
  templateErrors,
  templateProjects,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { allLicenses, expandLicense, findLicense } from './licenses';
import { ProjectTemplates } from './project-templates';
import { dockerfiles, ignoreFiles, pipelineFiles } from './template-files';

const kinds: Partial<Record<string, typeof pipelineFiles>> = {
  dockerfiles,
  gitignores: ignoreFiles,
  gitlab_ci_ymls: pipelineFiles,
};

const entry = (name: string) => ({ key: name, name });

@Controller()
export class TemplateOperations {
  constructor(
    private readonly own: ProjectTemplates,
    private readonly client: OperationClient,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  @Handles(listProjectTemplates)
  async list(context: ContextOf<typeof listProjectTemplates>, input: ParsedOf<typeof listProjectTemplates>) {
    const own = readsCode(context.project) ? await this.own.names(context, input.type) : [];
    for (const project of await this.groupProjects(context.project))
      own.push(...(await this.own.names({ ...context, project }, input.type, true)));
    const shared =
      input.type === 'licenses'
        ? allLicenses.map(({ key, name }) => ({ key, name }))
        : (kinds[input.type]?.names ?? []).map(entry);
    return pageOf([...own.map(entry), ...shared], input);
  }

  @Handles(getProjectTemplate)
  async get(context: ContextOf<typeof getProjectTemplate>, input: ParsedOf<typeof getProjectTemplate>) {
    const { type, key, source_template_project_id: source } = input;
    const project = source ? await this.resolve(source, context.caller) : context.project;
    const reader = { ...context, project };
    const content = readsCode(project) ? await this.own.content(reader, type, key, source !== undefined) : undefined;
    if (content !== undefined) return { name: key, content };
    for (const shared of await this.groupProjects(context.project)) {
      const found = await this.own.content({ ...context, project: shared }, type, key, true);
      if (found !== undefined) return { name: key, content: found };
    }
    if (type === 'licenses') return this.license(key, context.caller, input);
    const shared = kinds[type]?.find(key);
    if (shared === undefined) throw templateErrors.notFound();
    return { name: key, content: shared };
  }

  @Handles(listInstanceTemplates)
  async listShared(_context: ContextOf<typeof listInstanceTemplates>, input: ParsedOf<typeof listInstanceTemplates>) {
    return pageOf(present(kinds[input.type], input.type).names.map(entry), input);
  }

  @Handles(getInstanceTemplate)
  async getShared(_context: ContextOf<typeof getInstanceTemplate>, input: ParsedOf<typeof getInstanceTemplate>) {
    const content = present(kinds[input.type], input.type).find(input.key);
    if (content === undefined) throw templateErrors.notFound();
    return { name: input.key, content };
  }

  @Handles(listLicenses)
  async listLicenses(_context: ContextOf<typeof listLicenses>, input: ParsedOf<typeof listLicenses>) {
    const popular = input.popular ?? input.featured;
    return pageOf(popular ? allLicenses.filter((license) => license.popular) : [...allLicenses], input);
  }

  @Handles(getLicense)
  async getLicense({ caller }: ContextOf<typeof getLicense>, input: ParsedOf<typeof getLicense>) {
    const license = findLicense(input.key);
    if (!license) throw templateErrors.licenseNotFound();
    return this.expand(license, caller, input);
  }

  /** Template projects that the project's groups have set, nearest group first. */
  private async groupProjects({ groupIds }: ProjectRef): Promise<ProjectRef[]> {
    if (this.settings.EDITION === 'community' || groupIds.length === 0) return [];
    return this.client.call(templateProjects, { group_ids: groupIds });
  }

  private license(
    key: string,
    caller: Caller | undefined,
    input: { project?: string | undefined; fullname?: string | undefined },
  ) {
    const license = findLicense(key);
    if (!license) throw templateErrors.notFound();
    return this.expand(license, caller, input);
  }

  private expand(
    license: NonNullable<ReturnType<typeof findLicense>>,
    caller: Caller | undefined,
    { project, fullname }: { project?: string | undefined; fullname?: string | undefined },
  ) {
    return expandLicense(license, { project, fullname: fullname || caller?.name }, new Date().getFullYear());
  }

  /** @throws 404 Project Not Found */
  private async resolve(id: number, caller: Caller | undefined): Promise<ProjectRef> {
    const { project } = await this.client.call(resolveProject, { project: String(id), ...callerInput(caller) });
    if (!isReadable(project, caller)) throw namedNotFound('Project');
    return project;
  }
}

/** A project's own templates are part of its code. */
function readsCode(project: ProjectRef): boolean {
  const isMember = project.visibility !== 'private' || reaches(project, Access.Reporter, 'read_code');
  return isMember && isFeatureOpen(project, 'repository');
}
