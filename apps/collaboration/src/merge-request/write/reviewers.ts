import type { ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { Assignees } from '../../issuable/assignees';

/** Possible reviewers: the same users as possible assignees. */
@Injectable()
export class Reviewers {
  constructor(private readonly assignees: Assignees) {}

  /** @returns undefined if the request does not name reviewers. @throws common.invalid_record */
  async choose(project: ProjectRef, given: number[] | null | undefined): Promise<number[] | undefined> {
    return given === undefined ? undefined : this.assignees.choose(project, given ?? []);
  }
}
