import {
  type Caller,
  type ContextOf,
  callerInput,
  countContainerRepositories,
  getRegistryRepository,
  isReadable,
  listGroupRegistryRepositories,
  listProjectRegistryRepositories,
  type ParsedOf,
  readableProjects,
  registryErrors,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { RegistryClient } from '../../registry-client/registry-client';
import { ContainerRepositories } from '../container-repository.repository';
import { ImageProjects } from '../image-projects';
import { hasOpenImages } from '../open-images';
import { RepositoryViews } from './repository.view';

type Wanted = ParsedOf<typeof listGroupRegistryRepositories>;

const projectsPerCall = 10_000;

@Controller()
export class ReadRepositories {
  constructor(
    private readonly client: OperationClient,
    private readonly registry: RegistryClient,
    private readonly repositories: ContainerRepositories,
    private readonly projects: ImageProjects,
    private readonly views: RepositoryViews,
  ) {}

  @Handles(listProjectRegistryRepositories)
  async listOfProject(
    { project }: ContextOf<typeof listProjectRegistryRepositories>,
    input: ParsedOf<typeof listProjectRegistryRepositories>,
  ) {
    return this.page([project.id], input);
  }

  @Handles(listGroupRegistryRepositories)
  async listOfGroup({ group, caller }: ContextOf<typeof listGroupRegistryRepositories>, input: Wanted) {
    return this.page(await this.openBelow(group.id, caller), input);
  }

  @Handles(getRegistryRepository)
  async get({ caller }: ContextOf<typeof getRegistryRepository>, input: ParsedOf<typeof getRegistryRepository>) {
    this.registry.requireSetUp();
    const repository = await this.repositories.find(input.repository_id);
    const project = repository?.isShown && (await this.projects.find(String(repository.projectId), caller));
    if (!project || !isReadable(project, caller) || !hasOpenImages(project)) throw registryErrors.repositoryNotFound();
    return this.views.show(repository, input);
  }

  @Handles(countContainerRepositories)
  async count(_: ContextOf<typeof countContainerRepositories>, __: ParsedOf<typeof countContainerRepositories>) {
    return { container_repositories: await this.repositories.count() };
  }

  private async page(projectIds: number[], input: Omit<Wanted, 'id'>) {
    this.registry.requireSetUp();
    const { items, total } = await this.repositories.page(projectIds, input);
    return { items: await Promise.all(items.map((repository) => this.views.show(repository, input))), total };
  }

  private async openBelow(groupId: number, caller: Caller | undefined): Promise<number[]> {
    const open: number[] = [];
    for (let afterId = 0; ; ) {
      const asked = { ...callerInput(caller), group_id: groupId, after_id: afterId, limit: projectsPerCall };
      const some = await this.client.call(readableProjects, asked);
      open.push(...some.filter(hasOpenImages).map(({ id }) => id));
      if (some.length < projectsPerCall) return open;
      afterId = Math.max(...some.map(({ id }) => id));
    }
  }
}
