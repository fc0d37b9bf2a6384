import { Counters, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { ContainerRepository } from './container-repository.schema';

/** Queries on repositories of images. */
@Injectable()
export class ContainerRepositories {
  constructor(
    @InjectModel('ContainerRepository') private readonly repositories: Model<ContainerRepository>,
    private readonly counters: Counters,
  ) {}

  findByPath(path: string): Promise<ContainerRepository | null> {
    return this.repositories.findOne({ path }).lean<ContainerRepository>();
  }

  /** Gives a name to a project, unless another one has it. @returns the record of whoever has it */
  async claim(path: string, projectId: number): Promise<ContainerRepository> {
    const known = await this.findByPath(path);
    if (known) return known;
    const id = await this.counters.next('container_repositories');
    try {
      const created = await this.repositories.create({ _id: id, projectId, path });
      return created.toObject() as ContainerRepository;
    } catch (error) {
      // Another push was first.
      const first = isDuplicateKey(error, 'path') ? await this.findByPath(path) : null;
      if (!first) throw error;
      return first;
    }
  }
}
