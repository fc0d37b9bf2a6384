import { commonErrors, customAttributeErrors, pageOf } from '@moothall/contracts';
import { hasRoom } from '@moothall/database';
import type { Model, QueryFilter } from 'mongoose';

export interface CustomAttribute {
  key: string;
  value: string;
}

/** A record with custom attributes, which only administrators set. */
export interface WithAttributes {
  _id: number;
  customAttributes?: CustomAttribute[];
}

/** Limit for one record. */
export const mostAttributes = 100;
/** Attributes are invisible to other readers, so `updated_at` does not change. */
const quietly = { timestamps: false } as const;

/**
 * Custom attributes of the records of one model. Each one is set separately, so concurrent changes of others are not
 * lost.
 */
export class CustomAttributes<T extends WithAttributes> {
  constructor(private readonly model: Model<T>) {}

  page({ customAttributes = [] }: WithAttributes, input: { page: number; per_page: number }) {
    return pageOf(customAttributes, input);
  }

  /** @throws common.not_found */
  one({ customAttributes = [] }: WithAttributes, key: string): CustomAttribute {
    const attribute = customAttributes.find((candidate) => candidate.key === key);
    if (!attribute) throw commonErrors.notFound();
    return attribute;
  }

  /** @throws custom_attribute.too_many */
  async set(_id: number, key: string, value: string): Promise<CustomAttribute> {
    for (;;) {
      if (await this.write({ _id, 'customAttributes.key': key }, { $set: { 'customAttributes.$.value': value } }))
        return { key, value };
      const absent = {
        _id,
        'customAttributes.key': { $ne: key },
        ...hasRoom('customAttributes', mostAttributes),
      };
      if (await this.write(absent, { $push: { customAttributes: { key, value } } })) return { key, value };
      // A concurrent request added it, or the limit is reached.
      if (!(await this.model.exists({ _id, 'customAttributes.key': key } as QueryFilter<T>)))
        throw customAttributeErrors.tooMany();
    }
  }

  /** @throws common.not_found */
  async remove(_id: number, key: string): Promise<void> {
    const holder = { _id, 'customAttributes.key': key };
    if (!(await this.write(holder, { $pull: { customAttributes: { key } } }))) throw commonErrors.notFound();
  }

  private async write(filter: object, update: object): Promise<boolean> {
    const { matchedCount } = await this.model.updateOne(filter as QueryFilter<T>, update, quietly);
    return matchedCount > 0;
  }
}

/** Filter for records that have all of these attribute values. */
export const withAttributes = (wanted: Record<string, string> | undefined) =>
  Object.entries(wanted ?? {}).map(([key, value]) => ({ customAttributes: { $elemMatch: { key, value } } }));

/** Adds custom attributes to the views of records, for administrators who request them. */
export function showAttributes<V extends { id: number }>(
  views: V[],
  records: WithAttributes[],
  isShown: boolean,
): (V & { custom_attributes?: CustomAttribute[] })[] {
  if (!isShown) return views;
  const byId = new Map(records.map(({ _id, customAttributes = [] }) => [_id, customAttributes]));
  return views.map((view) => ({ ...view, custom_attributes: byId.get(view.id) ?? [] }));
}
