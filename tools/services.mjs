/** The services whose integration tests the tools run on a database of their own. */
export const services = [
  'identity',
  'projects',
  'repository',
  'collaboration',
  'ci',
  'registry',
  'security',
  'delivery',
  'geo',
  'integrations',
];
