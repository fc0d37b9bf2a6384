import {
  type ContextOf,
  commonErrors,
  deleteFeature,
  featuresChanged,
  invalidRecord,
  isFeatureOn,
  knownFlags,
  listFeatureDefinitions,
  listFeatures,
  type ParsedOf,
  setFeature,
} from '@moothall/contracts';
import { hasRoom, newEvent, Outbox } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import { type FeatureDocument, mostActors } from './feature.schema';
import { isOnFor, parseValue, viewFeature } from './feature-rules';

/** Feature flags of the instance. */
@Controller()
export class FeaturesOperations {
  constructor(
    @InjectModel('Feature') private readonly model: Model<FeatureDocument>,
    private readonly outbox: Outbox,
  ) {}

  @Handles(listFeatures)
  async list(_: ContextOf<typeof listFeatures>, __: ParsedOf<typeof listFeatures>) {
    const features = await this.model.find().sort({ _id: 1 }).lean<FeatureDocument[]>();
    return features.map(viewFeature);
  }

  @Handles(listFeatureDefinitions)
  async definitions(_: ContextOf<typeof listFeatureDefinitions>, __: ParsedOf<typeof listFeatureDefinitions>) {
    return Object.entries(knownFlags).map(([name, isOn]) => ({ name, type: 'ops', default_enabled: isOn }));
  }

  @Handles(setFeature)
  async set(_: ContextOf<typeof setFeature>, input: ParsedOf<typeof setFeature>) {
    await this.model.updateOne({ _id: input.name }, { $setOnInsert: { actors: [] } }, { upsert: true });
    const event = newEvent(featuresChanged, { name: input.name });
    const change = changeOf(input);
    const feature = await this.outbox.update(this.model, { _id: input.name, ...withRoomFor(change) }, change, event);
    if (feature) return viewFeature(feature);
    if (await this.model.exists({ _id: input.name })) throw invalidRecord({ actors: ['are too many'] });
    throw commonErrors.conflict();
  }

  @Handles(deleteFeature)
  async delete(_: ContextOf<typeof deleteFeature>, { name }: ParsedOf<typeof deleteFeature>) {
    await this.outbox.remove(this.model, name, newEvent(featuresChanged, { name }));
  }

  @Handles(isFeatureOn)
  async isOn(_: ContextOf<typeof isFeatureOn>, { name, username, full_path }: ParsedOf<typeof isFeatureOn>) {
    const feature = await this.model.findById(name).lean<FeatureDocument>();
    const byDefault = Object.hasOwn(knownFlags, name) ? knownFlags[name as keyof typeof knownFlags] : false;
    return { is_on: isOnFor(feature, byDefault, { username, fullPath: full_path }) };
  }
}

/** A value with actors opens or closes their gates; a value without actors changes the flag for everybody. */
function changeOf(input: ParsedOf<typeof setFeature>): UpdateQuery<FeatureDocument> {
  const value = parseValue(input.value);
  const named = [
    ...names(input.user).map((name) => `user:${name}`),
    ...[...names(input.group), ...names(input.project)].map((path) => `path:${path}`),
  ];
  if (named.length > 0) {
    return value === false ? { $pull: { actors: { $in: named } } } : { $addToSet: { actors: { $each: named } } };
  }
  if (typeof value === 'boolean') {
    // Off for everybody also removes the actors.
    return value
      ? { $set: { isOn: true } }
      : { $set: { isOn: false, percentageOfTime: 0, percentageOfActors: 0, actors: [] } };
  }
  const field = input.key === 'percentage_of_actors' ? 'percentageOfActors' : 'percentageOfTime';
  return { $set: { [field]: value } };
}

/** Existing actors count again: at the limit, remove some first. */
function withRoomFor({ $addToSet }: UpdateQuery<FeatureDocument>): QueryFilter<FeatureDocument> {
  const { length } = $addToSet?.actors?.$each ?? [];
  if (length > mostActors) throw invalidRecord({ actors: ['are too many'] });
  return length > 0 ? hasRoom('actors', mostActors - length + 1) : {};
}

const names = (joined: string | undefined): string[] =>
  (joined ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
