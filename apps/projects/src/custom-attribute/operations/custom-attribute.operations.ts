import {
  type ContextOf,
  deleteGroupAttribute,
  deleteProjectAttribute,
  getGroupAttribute,
  getProjectAttribute,
  listGroupAttributes,
  listProjectAttributes,
  type ParsedOf,
  setGroupAttribute,
  setProjectAttribute,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Namespaces } from '../../namespace/namespace.repository';
import type { NamespaceDocument } from '../../namespace/namespace.schema';
import { Projects } from '../../project/project.repository';
import type { ProjectDocument } from '../../project/project.schema';
import { CustomAttributes, type WithAttributes } from '../custom-attributes';

type Ref = { id: string };

/** Operations on the attributes of projects or groups. See docs/api/projects.md#6. */
abstract class AttributeOperations<T extends WithAttributes> {
  protected abstract readonly attributes: CustomAttributes<T>;
  /** @throws if there is none */
  protected abstract find(idOrPath: string): Promise<WithAttributes>;

  async list(_context: unknown, input: Ref & { page: number; per_page: number }) {
    return this.attributes.page(await this.find(input.id), input);
  }

  async get(_context: unknown, { id, key }: Ref & { key: string }) {
    return this.attributes.one(await this.find(id), key);
  }

  async set(_context: unknown, { id, key, value }: Ref & { key: string; value: string }) {
    return this.attributes.set((await this.find(id))._id, key, value);
  }

  async delete(
    _context: ContextOf<typeof deleteProjectAttribute>,
    { id, key }: ParsedOf<typeof deleteProjectAttribute>,
  ) {
    return this.attributes.remove((await this.find(id))._id, key);
  }
}

@HandlesEach({
  list: listProjectAttributes,
  get: getProjectAttribute,
  set: setProjectAttribute,
  delete: deleteProjectAttribute,
})
@Controller()
export class ProjectAttributes extends AttributeOperations<ProjectDocument> {
  protected readonly attributes;
  constructor(private readonly projects: Projects) {
    super();
    this.attributes = new CustomAttributes(projects.model);
  }

  protected async find(idOrPath: string) {
    return (await this.projects.resolve(idOrPath)).project;
  }
}

@HandlesEach({
  list: listGroupAttributes,
  get: getGroupAttribute,
  set: setGroupAttribute,
  delete: deleteGroupAttribute,
})
@Controller()
export class GroupAttributes extends AttributeOperations<NamespaceDocument> {
  protected readonly attributes;
  constructor(private readonly namespaces: Namespaces) {
    super();
    this.attributes = new CustomAttributes(namespaces.model);
  }

  protected async find(idOrPath: string) {
    return (await this.namespaces.resolveGroup(idOrPath)).group;
  }
}
