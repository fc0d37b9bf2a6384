import { Access, type Caller, epicErrors, type GroupRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { EpicDocument } from './epic.schema';

/** Single epics of one group. */
@Injectable()
export class Epics {
  constructor(@InjectModel('Epic') readonly model: Model<EpicDocument>) {}

  /** By number. @throws epic.not_found, also for a confidential epic of others */
  async get(group: GroupRef, iid: number, caller: Caller | undefined): Promise<EpicDocument> {
    return shown(await this.model.findOne({ groupId: group.id, iid }).lean<EpicDocument>(), group, caller);
  }

  /** Without an access check. @throws epic.not_found */
  async require(id: number): Promise<EpicDocument> {
    const epic = await this.model.findById(id).lean<EpicDocument>();
    if (!epic) throw epicErrors.notFound();
    return epic;
  }

  /** By global id. @throws epic.not_found, also for a confidential epic of others */
  async getById(group: GroupRef, id: number, caller: Caller | undefined): Promise<EpicDocument> {
    return shown(await this.model.findOne({ _id: id, groupId: group.id }).lean<EpicDocument>(), group, caller);
  }
}

/** Reporters and the author may see a confidential epic. */
export const isHiddenIn = (group: GroupRef, epic: EpicDocument, caller: Caller | undefined): boolean =>
  epic.confidential && group.accessLevel < Access.Reporter && epic.authorId !== caller?.id;

function shown(epic: EpicDocument | null, group: GroupRef, caller: Caller | undefined): EpicDocument {
  if (!epic || isHiddenIn(group, epic, caller)) throw epicErrors.notFound();
  return epic;
}
