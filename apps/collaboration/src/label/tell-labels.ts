import { type ContextOf, type ParsedOf, type ToldLabel, tellLabels } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ownerParts } from '../parent/owner';
import { Labels } from './label.repository';
import type { LabelDocument } from './label.schema';

/** Returns labels to another service. */
@Controller()
export class TellLabels {
  constructor(private readonly labels: Labels) {}

  @Handles(tellLabels)
  async handle(_: ContextOf<typeof tellLabels>, { ids }: ParsedOf<typeof tellLabels>): Promise<ToldLabel[]> {
    return [...(await this.labels.findByIds(ids)).values()].map(tellLabel);
  }
}

function tellLabel({ _id, owner, title, color, description, createdAt, updatedAt }: LabelDocument): ToldLabel {
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
