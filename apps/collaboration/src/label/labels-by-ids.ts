import { type ContextOf, labelsByIds, type ParsedOf, type PayloadLabel } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ownerParts } from '../parent/owner';
import { Labels } from './label.repository';
import type { LabelDocument } from './label.schema';

/** Answers other services with labels. */
@Controller()
export class LabelsByIds {
  constructor(private readonly labels: Labels) {}

  @Handles(labelsByIds)
  async handle(_: ContextOf<typeof labelsByIds>, { ids }: ParsedOf<typeof labelsByIds>): Promise<PayloadLabel[]> {
    return [...(await this.labels.findByIds(ids)).values()].map(viewPayloadLabel);
  }
}

function viewPayloadLabel({
  _id,
  owner,
  title,
  color,
  description,
  createdAt,
  updatedAt,
}: LabelDocument): PayloadLabel {
  const { kind, id } = ownerParts(owner);
  return {
    id: _id,
    title,
    color,
    description,
    type: kind === 'project' ? 'ProjectLabel' : 'GroupLabel',
    project_id: kind === 'project' ? id : null,
    group_id: kind === 'group' ? id : null,
    template: false,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
