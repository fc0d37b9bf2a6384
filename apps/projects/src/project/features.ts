import type { FeatureAccess, featureLevels, featureSwitches } from '@moothall/contracts';
import type { z } from 'zod';

/** Features of a project that can be disabled or restricted to members. */
export type ProjectFeature =
  | 'repository'
  | 'issues'
  | 'merge_requests'
  | 'wiki'
  | 'builds'
  | 'snippets'
  | 'forking'
  | 'pages'
  | 'container_registry';

export type Features = Record<ProjectFeature, FeatureAccess>;

export const defaultFeatures: Features = {
  repository: 'enabled',
  issues: 'enabled',
  merge_requests: 'enabled',
  wiki: 'enabled',
  builds: 'enabled',
  snippets: 'enabled',
  forking: 'enabled',
  pages: 'private',
  container_registry: 'enabled',
};

/** The feature of each older boolean field. */
const switched = {
  issues_enabled: 'issues',
  merge_requests_enabled: 'merge_requests',
  wiki_enabled: 'wiki',
  jobs_enabled: 'builds',
  snippets_enabled: 'snippets',
  container_registry_enabled: 'container_registry',
} as const satisfies Record<keyof typeof featureSwitches, ProjectFeature>;

type FeatureInput = { [K in keyof typeof featureLevels]?: FeatureAccess | undefined } & {
  [K in keyof typeof featureSwitches]?: boolean | undefined;
};

const featureNames = Object.keys(defaultFeatures) as ProjectFeature[];
const levels = featureNames.map((feature) => [`${feature}_access_level`, feature] as const);
const switches = Object.entries(switched);

/** Features of an input. An access level wins over the boolean field. */
export function featuresOf(input: FeatureInput): Partial<Features> {
  const changed: Partial<Features> = {};
  for (const [name, feature] of Object.entries(switched)) {
    const isOn = input[name as keyof typeof switched];
    if (isOn !== undefined) changed[feature] = isOn ? 'enabled' : 'disabled';
  }
  for (const feature of featureNames) {
    const level = input[`${feature}_access_level`];
    if (level !== undefined) changed[feature] = level;
  }
  // Without a repository there are no merge requests and no builds.
  if (changed.repository === 'disabled') Object.assign(changed, { merge_requests: 'disabled', builds: 'disabled' });
  return changed;
}

type Levels = { [K in keyof typeof featureLevels]: z.infer<(typeof featureLevels)[K]> };
type Switches = { [K in keyof typeof featureSwitches]: boolean };

/** Both forms of the features, for views. */
export function viewFeatures(features: Features): Levels & Switches {
  const view: Record<string, unknown> = {};
  for (const [name, feature] of levels) view[name] = features[feature];
  for (const [name, feature] of switches) view[name] = features[feature] !== 'disabled';
  return view as Levels & Switches;
}
